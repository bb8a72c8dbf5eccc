"""A few of the users for bots, so that a test can use them up; workers with claims of their own."""

from __future__ import annotations

from arena.sandbox import slots
from arena.sandbox.claims import take_claim


def free_users(count: int) -> range:
    """Return so many successive users that nobody held a moment ago."""
    for first in range(slots.LAST_UID - count, slots.FIRST_UID, -count):
        held = [take_claim(uid) for uid in range(first, first + count)]
        for claim in held:
            if claim is not None:
                claim.close()
        if None not in held:
            return range(first, first + count)
    raise AssertionError("all are taken")
