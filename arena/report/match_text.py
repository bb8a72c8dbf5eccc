"""A match for a person: who played, how it ended, and one line an action."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.values.model import Player, Record, Termination
from arena.values.untrusted import show
from engines.core.drawing import PLAYERS, outcomes, paint
from engines.core.text import number_text

_FELL = {
    "illegal": "chose an action that is not legal",
    "time": "ran out of time",
    "crash": "crashed",
    "startup": "did not start",
    "protocol": "broke the protocol",
    "flood": "wrote too much",
    "memory": "used more memory than it had",
}


def names_of(record: Record) -> tuple[str, ...]:
    """Return what boards call the players: the bots' names, made harmless."""
    return tuple(show(player.bot) for player in record.players)


def shown_version(player: Player) -> str:
    """Return what follows a player's name where its version is shown: ``@2``.

    Empty if there is none, or if the name says it already, as in a comparison and in a ladder.
    """
    return f"@{player.version}" if player.version and "@" not in player.bot else ""


def figures(ranks: Sequence[int], scores: Sequence[float] | None) -> tuple[str, ...]:
    """Return what stands beside each bot's name in a result: its score, or else its place.

    >>> figures((1, 2), (7, 4)), figures((1, 2), None), figures((1, 1), None)
    (('7', '4'), ('won', 'lost'), ('draw', 'draw'))
    >>> figures((1, 3, 2), None)
    ('won', 'place 3', 'place 2')
    >>> figures((1,), None)
    ('no score',)
    """
    if scores is not None:
        return tuple([number_text(score).replace("-", "\N{MINUS SIGN}") for score in scores])
    if len(ranks) == 1:
        return ("no score",)
    words = {"wins": "won", "": "lost"}
    return tuple([words.get(outcome, outcome) for outcome in outcomes(ranks)])


def last_action(record: Record, index: int) -> tuple[int, str] | None:
    """Return the player and action that led to position ``index``; ``None`` if none did."""
    if not index:
        return None
    at = index - 1 - len(record.opening)
    player, action = record.actions[at] if at >= 0 else record.opening[at]
    return None if action is None else (player, action)


def match_summary(record: Record, *, color: bool = False) -> str:
    """Return the head of a match: game, players with rank and score, and why it ended."""
    title = f"match {show(record.id)}: {show(record.game)}"
    if record.tournament is not None:
        title += f", {show(record.tournament)}, block {show(record.block)}"
        title += f", seating {record.seating}"
    lines = [title]
    for seat, player in enumerate(record.players):
        name = paint(show(player.bot) + shown_version(player), f"p{seat % PLAYERS}", color)
        score = "" if record.scores is None else f", score {number_text(record.scores[seat])}"
        name += f" ({player.sandbox})" if player.sandbox else ""
        costs = f", {player.costs}" if player.costs.there else ""
        lines.append(f"  player {seat}: {name}: rank {record.ranks[seat]}{score}{costs}")
    answers = sum(action is not None for _, action in record.actions)
    host = f", on the host {show(record.host)} ({show(record.sandbox)})" if record.host else ""
    lines.append(f"  by {record.by} after {answers} decisions{host}")
    for fault in record.faults:
        after = f" at decision {fault.decision}" if fault.decision else " at the start"
        lines.append(f"  player {fault.player}, {fault.code}{after}: {show(fault.detail, 500)}")
        lines += [f"    stderr: {show(line)}" for line in fault.stderr.splitlines()]
    return "\n".join(lines) + "\n"


def ending(record: Record, names: Sequence[str], you: int | None = None) -> str:
    """Return who won, by how much and why, in a sentence.

    Args:
        record: of the match.
        names: what the players are called.
        you: the player who reads it, if it is one of them.
    """
    best = [player for player, rank in enumerate(record.ranks) if rank == 1]
    named = ["you" if player == you else name for player, name in enumerate(names)]
    if len(named) == 1:
        result = "The game is over"
    elif len(best) == 1:
        result = f"{named[best[0]]} won"
    elif len(best) == len(names):
        result = "A draw"
    else:
        winners = " and ".join(named[player] for player in best)
        result = f"{winners} share the first place" if best else "Nobody won"
    if record.scores is not None and any(record.scores):
        scores = [*map(number_text, record.scores)]
        if len(names) > 2:  # in the order of seats, as everywhere
            result += "".join(f", {n} {s}" for n, s in zip(named, scores, strict=True))
        else:
            between = " : " if min(record.scores) < 0 else "–"
            result += f", {between.join(scores[:: -1 if best == [1] else 1])}"
    dropped = [player for player, action in record.actions if action is None]
    fell = [f"{named[one]} {_FELL.get(record.dropped_by(one), 'resigned')}" for one in dropped]
    if record.by is Termination.RULES:
        why = "the rules ended the game"
    elif record.by is Termination.MAXMOVES:
        why = "the match had as many decisions as were allowed"
    else:
        why = ""
    sentence = f"{result}: {'; '.join(filter(None, [*fell, why]))}."
    return re.sub("^you ", "You ", sentence) if you is not None else sentence


def action_line(record: Record, index: int, *, color: bool = False) -> str:
    """Return what led to position ``index``; 0 is the setup's."""
    if index == 0:
        return f"setup: {show(record.setup, 1000)}"
    if index <= len(record.opening):
        player, opening = record.opening[index - 1]
        return f"{index}. player {player}: {show(opening)} (opening)"
    number = index - len(record.opening) - 1
    player, action = record.actions[number]
    name = paint(show(record.players[player].bot), f"p{player % PLAYERS}", color)
    if action is None:
        return f"{index}. {name} (player {player}) dropped: {record.dropped_by(player)}"
    decision = record.decisions[number]
    marks = [f"{decision.ms:.1f} ms", "late" * decision.late, "forced" * decision.forced]
    marks += [f"{decision.tries} taken back"] if decision.tries else []
    marks += [f"{show(key)}={show(str(value))}" for key, value in decision.info]
    return f"{index}. {name} (player {player}): {show(action)} ({', '.join(filter(None, marks))})"
