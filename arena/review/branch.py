"""A position of a recorded match, to play on from: ``MATCH#12`` is where 12 actions were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.bots.find import spelled
from arena.record.replay import nodes
from arena.review.reproduction import check_rules, find_record, positions
from arena.store import open_store
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import StoreError, UsageError
from arena.values.model import Record
from engines import State
from engines.core.text import natural


class Branch(NamedTuple):
    """A game, its setup, and what was played from there, the opening included."""

    game: str
    setup: str
    actions: tuple[tuple[int, str], ...]


def branch_at(position: str, home: PathLike) -> Branch:
    """Return how a position of a match was reached.

    Args:
        position: the match as everywhere, ``#``, and after how many actions, counted as ``arena
            show`` does.
        home: the arena's home.

    Raises:
        UsageError: there is no such position, or no match can begin there.
        EngineError: its game is not here.
        RecordError: there is no such match, or its rules are not those that are here.
    """
    require(position, str, "position", 'a text like "1ac9#12"')
    match, sign, text = position.rpartition("#")
    count = natural(text)
    if not match or not sign or count is None:
        raise UsageError(f'expected MATCH#N, such as 1ac9#12 or 1ac9#0, found "{position}"')
    record = find_record(match, home, shown=True)
    check_rules(record, "played on")
    states = positions(record)
    done = (*record.opening, *record.actions)
    if count > len(done):
        raise UsageError(f"{position}: the match has {len(done)} actions")
    actions = []
    for index, (player, action) in enumerate(done[:count]):
        if action is None:
            raise UsageError(
                f"{position}: player {player} was dropped before, so a match can be played on from "
                f"#{index} at the latest"
            )
        actions.append((player, action))
    if states[count].is_terminal():
        raise UsageError(f"{position}: the game is over there")
    begun = _node(states, actions)
    if begun != count:
        raise UsageError(
            f"{position}: players decide at the same time there, and not all of them have: "
            f"the position before is #{begun}"
        )
    return Branch(record.game, record.setup, tuple(actions))


def node_before(record: Record, count: int) -> int | None:
    """Return the last position up to that after so many actions from which a match can go on.

    That is the position itself, except where others decide at the same time and some have done so;
    ``None`` where a player was dropped before.
    """
    done = (*record.opening, *record.actions)[:count]
    actions = [(player, action) for player, action in done if action is not None]
    return _node(positions(record), actions) if len(actions) == len(done) else None


def to_try(
    record: Record, match: PathLike, player: int, position: int, home: PathLike
) -> list[str] | None:
    """Return the words of a command with which a person plays on from there, against the same bots.

    Args:
        record: of the match.
        match: what to call it.
        player: the seat of the person.
        position: after so many actions; if others have decided at the same node, before them.
        home: the arena's home. A bot that has no name there is ``BOT``.
    """
    begun = node_before(record, position)
    if begun is None:
        return None
    try:
        with open_store(path_of(home, "home"), create=False) as store:
            submitted = store.bots.all()
    except StoreError:  # a record file needs no home
        submitted = []
    names = [spelled(seat, submitted) or "BOT" for seat in record.players]
    names[player] = "human"
    return ["arena", "play", "--from", f"{match}#{begun}", *names]


def _node(states: Sequence[State], actions: Sequence[tuple[int, str]]) -> int:
    """Return after how many actions the node began in which the last of them ended."""
    begun = 0
    for start, end in nodes(actions, states):
        begun = end if end - start == len(states[start].players_to_act()) else start
    return begun
