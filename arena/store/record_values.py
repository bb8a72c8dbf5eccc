"""What lists take from the text of a record, which may be no record although its hash is right.

Anybody who makes a home can give any text its hash.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager

from arena.store.sqlite import Database

__all__ = ["late_of", "scores_of", "trusting"]


@contextmanager
def trusting(database: Database, match: str = "") -> Iterator[None]:
    """Give a block in which texts are taken for records; where one is none, the store is damaged.

    Args:
        database: the store.
        match: whose record it is, where that is known.

    Raises:
        StoreError: something in the block could not be read.
    """
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        named = f"match {match!a}" if match else "a match"
        raise database.damaged(f"the record of {named} cannot be read") from None


def scores_of(text: str) -> tuple[float, ...] | None:
    """Return the scores that a record says."""
    record = json.loads(text)
    found = record["scores"]
    if found is None:
        return None
    if len(found) != len(record["players"]) or not all(map(math.isfinite, found)):
        raise ValueError("these are no scores")
    return tuple(found)


def late_of(text: str) -> list[int]:
    """Return how many late answers a record has of each seat."""
    record = json.loads(text)
    late = [0] * len(record["players"])
    for (player, *_), decision in zip(record["actions"], record["decisions"], strict=True):
        late[player] += bool(decision.get("late"))
    return late
