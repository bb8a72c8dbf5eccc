"""What a record says of its length and its times, compared with what was allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.match.clock import MAX_LATE, GameClock, patience_ms
from arena.model import Clock, Decision, Record, Termination

__all__ = ["asked", "limit_differences", "time_differences"]

MOST_MS = 1e12  # of a time in a record: thirty years
EPSILON_MS = 0.002  # times are rounded to a microsecond, each by itself
INSTANT_MS = 1.0  # of such a decision no waits are looked at


def asked(record: Record) -> int:
    """Return how many decisions were asked for: who fell for a fault may not have been asked."""
    fell = {fault.player: fault.decision for fault in record.faults}
    others = sum(player not in fell for player, _ in record.actions)
    return others + sum(fell.values())


def limit_differences(record: Record, most: int | None) -> Iterator[str]:
    """Yield what contradicts the number of decisions after which a match ends, if there is one."""
    count = asked(record)
    cut = record.by is Termination.MAXMOVES
    # those who are asked at once may go past the limit together
    if cut and (most is None or count < most):
        yield f"it ended after {count} decisions, at which the tournament ends no match"
    if most is not None and count >= most + len(record.players):
        yield f"it went on after {most} decisions, at which the tournament ends a match"


def time_differences(record: Record) -> Iterator[str]:
    """Yield what no clock can have measured, or is not what the rules of the clock make of it.

    Whatever happens in a match passes, on any machine: where waits for a CPU are not known, and
    wall time is charged; where a bot waits up to the last deadline; where its processes use several
    cores at once.
    """
    if not all(map(_are_times, [*record.decisions, (record.elapsed_ms,)])):
        yield "it says that something took a time that nothing takes"
        return
    codes = {fault.player: fault.code for fault in record.faults}
    # their starts may have begun before the match
    unasked = {fault.player for fault in record.faults if not fault.decision}
    knows_waits = any(ms - charged_ms > EPSILON_MS for ms, _, charged_ms, *_ in record.decisions)
    watches = [_Watch(seat.clock or record.clock, knows_waits) for seat in record.players]
    pairs = zip(record.actions, record.decisions, strict=True)
    for number, ((player, action), decision) in enumerate(pairs, start=1):
        if action is None and player in unasked:
            continue
        watch = watches[player]
        if action is None:
            code = codes.get(player, Termination.RESIGN)
            wrong = watch.fell(decision, out_of_time=code is Termination.TIME)
        elif decision.forced and record.on_timeout != "published":
            wrong = "an action of the rules' own, which this match does not have"
        else:
            wrong = watch.answered(decision)
        if wrong:
            yield f"decision {number}, of player {player}: {wrong}"
    # those of one player come one after the other
    longest_ms = max((watch.wall_ms for watch in watches), default=0.0)
    if longest_ms > record.elapsed_ms + 1 + EPSILON_MS * len(record.decisions):
        yield f"its decisions took {longest_ms:.0f} ms, and all of it {record.elapsed_ms} ms"


class _Watch:
    """What a player's clock makes of its decisions, one after the other.

    Attributes:
        wall_ms: how long they took so far.
    """

    def __init__(self, clock: Clock, knows_waits: bool) -> None:
        self.wall_ms = 0.0
        self._clock = GameClock(clock)
        self._margin_ms = clock.margin_ms
        self._knows_waits = knows_waits
        self._late = 0

    def answered(self, decision: Decision) -> str:
        """Say what is wrong with a decision that led to an action, if anything is."""
        limit_ms, over_ms = self._look(decision)
        self._clock.charge(decision.charged_ms)
        if decision.forced:
            timely = self._timely(decision, limit_ms)
            return timely or ("" if decision.late else "out of time, and not late")
        if abs(over_ms) > EPSILON_MS and decision.late is not (over_ms > 0):
            late = "late" if decision.late else "not late"
            return f"{late}, and charged {decision.charged_ms:g} of {limit_ms} ms"
        if decision.late and decision.ms > limit_ms + self._margin_ms + EPSILON_MS:
            return "answered after limit and margin, and yet not out of time"
        self._late += decision.late
        if decision.late and self._late >= MAX_LATE:
            return f"late answer number {self._late}, and yet not out of time"
        return self._charge(decision)

    def fell(self, decision: Decision, *, out_of_time: bool) -> str:
        """Say what is wrong with the decision at which a player was dropped, if anything is."""
        limit_ms, _ = self._look(decision)
        if decision.late or decision.forced:
            return "an answer that came late, where there is none"
        return (out_of_time and self._timely(decision, limit_ms)) or self._charge(decision)

    def _look(self, decision: Decision) -> tuple[int, float]:
        """Return the limit of a decision, and how much more was charged."""
        self.wall_ms += decision.ms
        limit_ms = self._clock.limit_ms
        return limit_ms, decision.charged_ms - limit_ms

    def _timely(self, decision: Decision, limit_ms: int) -> str:
        """Say so if a player that was out of time was not."""
        if decision.charged_ms > limit_ms - EPSILON_MS:
            return ""
        if decision.ms > patience_ms(limit_ms) - EPSILON_MS:  # it got no CPU
            return ""
        return f"out of time, and charged {decision.charged_ms:g} of {limit_ms} ms"

    def _charge(self, decision: Decision) -> str:
        wall_ms, charged_ms = decision.ms, decision.charged_ms
        cpu_ms = decision.cpu_ms or 0.0
        if charged_ms > max(wall_ms, cpu_ms) + EPSILON_MS:
            return "charged more than it took"
        if charged_ms > cpu_ms - EPSILON_MS:
            return ""
        if self._knows_waits or wall_ms < INSTANT_MS or charged_ms < wall_ms - EPSILON_MS:
            return "charged less than the CPU time that it used"
        return ""


def _are_times(times: Sequence[object]) -> bool:
    return all(
        ms is None or (isinstance(ms, (int, float)) and 0 <= ms <= MOST_MS) for ms in times[:3]
    )
