"""What a record says of its length and its times, held against what was allowed."""

from __future__ import annotations

from collections.abc import Iterator

from arena.model import Record, Termination

__all__ = ["asked", "limit_differences", "time_differences"]

MOST_MS = 1e12  # of a time in a record: thirty years


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
    """Say so if a decision took less than no time, or more than anything takes."""
    if not all(_is_time(ms) for decision in record.decisions for ms in decision[:3]):
        yield "it says that a decision took a time that nothing takes"


def _is_time(ms: object) -> bool:
    return ms is None or (isinstance(ms, (int, float)) and 0 <= ms <= MOST_MS)
