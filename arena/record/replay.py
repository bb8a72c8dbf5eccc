"""A record compared with the rules: its match is played again by the referee, without any bot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from arena.match.clock import patience_ms
from arena.match.course import Course
from arena.match.opening import deal_from
from arena.record.recorded import Replay
from arena.values.model import Decision, Record, Termination
from engines import EngineError, State, load_game

MOST_MS = 1e12  # of a time in a record: thirty years
EPSILON_MS = 0.002  # times are rounded to a microsecond, each by itself
INSTANT_MS = 1.0  # of such a decision no waits are looked at


def verify(record: Record) -> list[str]:
    """Return what is wrong with a record, one sentence each; nothing if it is all right.

    Checked are: every action is legal where it stands; the game ended as recorded, with the same
    scores and ranks; what each player was sent is what it was allowed to know; and its times are
    such as clocks and their rules give.
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


def nodes(
    done: Sequence[tuple[int, str | None]], states: Sequence[State]
) -> Iterator[tuple[int, int]]:
    """Yield where each node begins and ends: with all that was done by who owed an action there.

    Args:
        done: who did what, from the setup on; the last node may lack some of it.
        states: the positions, one more than ``done`` has.
    """
    start = 0
    while start < len(done):
        end = start
        for player in states[start].players_to_act():
            if end < len(done) and done[end][0] == player:
                end += 1
        end = max(end, start + 1)  # where somebody else was dropped
        yield start, end
        start = end


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
    if len(record.players) != game.num_players:
        return [f"{record.game} has {game.num_players} players"]
    if not all(map(_are_times, [*record.decisions, (record.elapsed_ms,)])):
        return ["it says that something took a time that nothing takes"]
    replay = Replay(record, game)
    wrong = [*replay.wrong, *_time_differences(record, replay.limits_ms)]
    if not replay.wrong:
        wrong += [*_sent_differences(record, replay)]
        wrong += [*_end_differences(record, replay.referee.course)]
    return [*wrong, *_fault_differences(record, replay)]


def _sent_differences(record: Record, replay: Replay) -> Iterator[str]:
    for player, seat in enumerate(record.players):
        if seat.sent != replay.referee.players[player].sent():
            yield f"player {player} ({seat.bot}) was not sent what it was allowed to know"


def _fault_differences(record: Record, replay: Replay) -> Iterator[str]:
    found = {fault.player: fault for fault in replay.referee.faults}
    for fault in record.faults:
        made = found.get(fault.player)
        if made is None:
            yield f"player {fault.player} has a fault but was not dropped"
        elif made.decision != fault.decision:
            where = f"of decision {made.decision}, not {fault.decision}"
            yield f"the fault of player {fault.player} is {where}"


def _end_differences(record: Record, course: Course) -> Iterator[str]:
    if record.by is not course.by:
        yield f"it ended by {course.by}, not by {record.by}"
    if record.ranks != (ranks := course.ranks()):
        yield f"the ranks are {ranks}, not {record.ranks}"
    if record.scores != (scores := course.scores()):
        yield f"the scores are {scores}, not {record.scores}"


def _are_times(times: Sequence[Any]) -> bool:
    """Return whether a clock can have measured these: of the record, or of a decision."""
    return all(ms is None or 0 <= ms <= MOST_MS for ms in times[:3])


def _time_differences(record: Record, limits_ms: Sequence[int | None]) -> Iterator[str]:
    """Yield what of the times contradicts the rest.

    Whatever happens in a match passes, on any machine: where waits for a CPU are not known, and
    wall time is charged; where a bot waits up to the last deadline; where its processes use several
    cores at once.

    Args:
        record: a record.
        limits_ms: of its first actions; ``None`` where a start may have begun before the match.
    """
    out_of_time = {fault.player for fault in record.faults if fault.code is Termination.TIME}
    knows_waits = any(ms - charged_ms > EPSILON_MS for ms, _, charged_ms, *_ in record.decisions)
    took_ms = [0.0] * len(record.players)
    for place, limit_ms in enumerate(limits_ms):
        (player, action), decision = record.actions[place], record.decisions[place]
        if limit_ms is None:
            continue
        took_ms[player] += decision.ms
        lost = decision.forced or (action is None and player in out_of_time)
        in_time = decision.charged_ms <= limit_ms and decision.ms < patience_ms(limit_ms)
        wrong = "" if decision.forced else _charge_difference(decision, knows_waits)
        if lost and in_time:
            wrong = f"out of time, and charged {decision.charged_ms:g} of {limit_ms} ms"
        if wrong:
            yield f"decision {place + 1}, of player {player}: {wrong}"
    # those of one player come one after the other
    if max(took_ms) > record.elapsed_ms + 1 + EPSILON_MS * len(record.decisions):
        yield f"its decisions took {max(took_ms):.0f} ms, and all of it {record.elapsed_ms} ms"


def _charge_difference(decision: Decision, knows_waits: bool) -> str:
    wall_ms, charged_ms, cpu_ms = decision.ms, decision.charged_ms, decision.cpu_ms or 0.0
    if charged_ms > max(wall_ms, cpu_ms) + EPSILON_MS:
        return "charged more than it took"
    if charged_ms > cpu_ms - EPSILON_MS:
        return ""
    if knows_waits or wall_ms < INSTANT_MS or charged_ms < wall_ms - EPSILON_MS:
        return "charged less than the CPU time that it used"
    return ""


def _end(record: Record) -> dict[str, object]:
    return {"ranks": record.ranks, "scores": record.scores, "by": record.by}


def _answer(record: Record, index: int) -> str:
    player, action = record.actions[index]
    bot = record.players[player].bot
    if action is not None:
        return f"{bot} {action}"
    return f"{bot} dropped by {record.dropped_by(player)}"


def _time_explains(old: Record, new: Record, index: int) -> str:
    for record in (old, new):
        player, action = record.actions[index]
        out_of_time = action is None and any(
            f.player == player and f.code is Termination.TIME for f in record.faults
        )
        if out_of_time or record.decisions[index].forced or record.decisions[index].late:
            return "; time explains it"
    return "; time does not explain it"
