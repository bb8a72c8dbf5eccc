"""A record held against the rules: its actions played again through the engine, without any bot."""

from __future__ import annotations

from collections.abc import Iterator

from arena.match.course import Course
from arena.match.forfeit import forfeit_differences
from arena.match.limits import time_differences
from arena.match.opening import deal_from
from arena.match.sent import Retelling
from arena.model import Record, Termination
from engines import EngineError, State, load_game

__all__ = ["first_difference", "replay_states", "rules_difference", "verify"]


def verify(record: Record) -> list[str]:
    """Return what is wrong with a record, one sentence each; nothing if it is all right.

    Checked are: every action is legal where it stands; the game ended as recorded, with the same
    scores and ranks; what each player was sent is what it was allowed to know; and its times are
    such as clocks and their rules give. Of a match that was never played: that nothing but the
    forfeit is in it.
    """
    try:
        return _differences(record)
    except EngineError as error:
        return [f"the rules do not accept it: {error}"]
    except (LookupError, ValueError) as error:  # players that are not there, or dropped twice
        return [f"it contradicts itself: {error}"]


def replay_states(record: Record) -> list[State]:
    """Return the states from the setup on: one more than opening actions and actions together.

    Raises:
        EngineError: an action is not legal where it stands.
    """
    game = load_game(record.game)
    states = [*deal_from(game, record.seed, record.setup, record.opening).states]
    for player, action in record.actions:
        state = states[-1]
        states.append(
            state.drop_player(player) if action is None else state.apply_action(player, action)
        )
    return states


def first_difference(old: Record, new: Record) -> str | None:
    """Compare two plays of one match, action by action; ``None`` if they are the same."""
    for index, (was, now) in enumerate(zip(old.actions, new.actions, strict=False)):
        if was != now:
            answers = f"was {_answer(old, index)}, now {_answer(new, index)}"
            return f"decision {index + 1} differs: {answers}{_time_explains(old, new, index)}"
    if len(old.actions) != len(new.actions):
        shorter = min(len(old.actions), len(new.actions))
        return (
            f"decision {shorter + 1} differs: there were {len(old.actions)} decisions, "
            f"now there are {len(new.actions)}"
        )
    then, again = _end(old), _end(new)
    changed = [what for what in then if then[what] != again[what]]
    if changed:
        before = ", ".join(f"{what} {then[what]}" for what in changed)
        after = ", ".join(f"{what} {again[what]}" for what in changed)
        return f"the end differs: was {before}; now {after}"
    return None


def rules_difference(record: Record) -> str | None:
    """Say that a record was played under other rules than those that are here, if it was.

    Raises:
        EngineError: there is no such game.
    """
    version = load_game(record.game).rules_version
    if record.rules_version == version:
        return None
    return (
        f"it was played under version {record.rules_version} of the rules, "
        f"this is version {version}"
    )


def _differences(record: Record) -> list[str]:
    other = rules_difference(record)
    if other is not None:
        return [other]
    game = load_game(record.game)
    wrong = []
    if len(record.decisions) != len(record.actions):
        wrong.append("decisions and actions differ in number")
    if len(record.players) != game.num_players:
        return [f"{record.game} has {game.num_players} players"]
    if record.unplayed:
        return wrong + forfeit_differences(record, game)
    if not wrong:
        wrong += time_differences(record)
    told = Retelling(record, game)
    wrong += [*told.wrong, *_sent_differences(record, told)]
    for player in sorted(fault.player for fault in record.faults):
        if player not in told.course.dropped:
            wrong.append(f"player {player} has a fault but was not dropped")
    return wrong + _end_differences(record, told.course)


def _sent_differences(record: Record, told: Retelling) -> Iterator[str]:
    for player, seat in enumerate(record.players):
        if seat.sent not in (told.sent(player), told.before_last.get(player)):
            yield f"player {player} ({seat.bot}) was not sent what it was allowed to know"


def _end_differences(record: Record, course: Course) -> list[str]:
    wrong = []
    if record.by is Termination.MAXMOVES:
        if course.state.is_terminal():
            wrong.append("the rules ended the game, not the number of decisions")
        course.by = record.by  # a record does not say how many decisions were allowed
    else:
        course.look_for_end()
        if not course.over:
            wrong.append("the game is not over after the last action")
        elif record.by is not course.by:
            wrong.append(f"it ended by {course.by}, not by {record.by}")
    ranks = course.ranks()
    if record.ranks != ranks:
        wrong.append(f"the ranks are {ranks}, not {record.ranks}")
    expected = course.state.scores() if record.by is Termination.RULES else None
    if record.scores != expected:
        wrong.append(f"the scores are {expected}, not {record.scores}")
    return wrong


def _end(record: Record) -> dict[str, object]:
    return {"ranks": record.ranks, "scores": record.scores, "by": record.by}


def _answer(record: Record, index: int) -> str:
    player, action = record.actions[index]
    bot = record.players[player].bot
    if action is not None:
        return f"{bot} {action}"
    codes = [fault.code for fault in record.faults if fault.player == player]
    return f"{bot} dropped by {codes[0] if codes else Termination.RESIGN}"


def _time_explains(old: Record, new: Record, index: int) -> str:
    for record in (old, new):
        player, action = record.actions[index]
        out_of_time = action is None and any(
            f.player == player and f.code is Termination.TIME for f in record.faults
        )
        if out_of_time or record.decisions[index].forced or record.decisions[index].late:
            return "; time explains it"
    return "; time does not explain it"
