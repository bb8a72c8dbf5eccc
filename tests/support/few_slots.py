"""A few of the users for bots, and workers that have no others, so that a test can use them up."""

from __future__ import annotations

from arena.sandbox import slots
from arena.sandbox.claims import take_claim
from arena.workers import worker

__all__ = ["free_users", "work"]


def free_users(count: int) -> range:
    """Return so many successive users that nobody held a moment ago."""
    for first in range(slots.LAST_UID - count, slots.FIRST_UID, -count):
        held = [take_claim(uid) for uid in range(first, first + count)]
        for claim in held:
            if claim is not None:
                claim.release()
        if None not in held:
            return range(first, first + count)
    raise AssertionError("all are taken")


def work(first: int, last: int, *words: object) -> None:
    """Be a worker whose bots run under the users from ``first`` to ``last``."""
    slots.FIRST_UID, slots.LAST_UID = first, last
    worker.work(*words)  # type: ignore[arg-type]  # as they came
