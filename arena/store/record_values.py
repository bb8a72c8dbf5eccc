"""What lists take from the text of a record."""

from __future__ import annotations

import json

__all__ = ["late_of", "scores_of"]


def scores_of(text: str) -> tuple[float, ...] | None:
    """Return the scores that a record says."""
    found = json.loads(text)["scores"]
    return None if found is None else tuple(found)


def late_of(text: str) -> list[int]:
    """Return how many late answers a record has of each seat."""
    record = json.loads(text)
    late = [0] * len(record["players"])
    for (player, *_), decision in zip(record["actions"], record["decisions"], strict=True):
        late[player] += bool(decision.get("late"))
    return late
