"""Numbers that a bot reports with its decisions: how they run through a match, won or lost.

Kept are sums only, so a million matches take no more memory than a hundred.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

MOST_KEYS = 24  # of one bot, those that came first; a bot may report under any names
LARGEST = 1e100  # what is beyond has no square; nobody means it
_SINGLE = 30  # decisions that are looked at one by one; groups of later ones grow by a tenth
_LAST = 1_000_000  # all behind it are one group


class CurvePoint(NamedTuple):
    """What was reported with some decisions.

    Attributes:
        decision: the first of them, counted from 1.
        reports: how many there were.
        mean: of the numbers.
        spread: their standard deviation.
    """

    decision: int
    reports: int
    mean: float
    spread: float


class Curve(NamedTuple):
    """One number in the matches of one outcome: ``won``, ``drawn`` or ``lost``."""

    outcome: str
    points: tuple[CurvePoint, ...]


@dataclass(slots=True)
class Reported:
    """What one bot reported, key by key."""

    left_out: bool = field(default=False, init=False)  # whether there were more keys than are kept
    # per key, outcome and group: how many, their mean, and the sum of squares about it
    _sums: dict[str, dict[tuple[str, int], list[float]]] = field(default_factory=dict, init=False)

    def add(self, key: str, outcome: str, decision: int, value: float) -> None:
        """Take in a number that was reported with the bot's ``decision``, counted from 1."""
        groups = self._sums.get(key)
        if groups is None:
            if len(self._sums) == MOST_KEYS:
                self.left_out = True
                return
            groups = self._sums[key] = {}
        if not -LARGEST < value < LARGEST:  # not a number is not in between, either
            return
        sums = groups.get((outcome, group_of(decision)))
        if sums is None:
            sums = groups[outcome, group_of(decision)] = [0.0, 0.0, 0.0]
        sums[0] += 1.0
        off = value - sums[1]
        sums[1] += off / sums[0]
        sums[2] += off * (value - sums[1])

    def curves(self) -> dict[str, tuple[Curve, ...]]:
        """Return each key with its curves, the keys in the order of the alphabet."""
        return {key: tuple(_curves(self._sums[key])) for key in sorted(self._sums)}


def group_of(decision: int) -> int:
    """Return the group that a decision is counted in: 0, 1, 2 …

    >>> [group_of(decision) for decision in (1, 2, 30, 31, 33, 34)]
    [0, 1, 29, 30, 30, 31]
    """
    return bisect_right(_FIRST, decision) - 1


def _first_of_groups() -> tuple[int, ...]:
    firsts = list(range(1, _SINGLE + 2))
    while firsts[-1] < _LAST:
        firsts.append(firsts[-1] + firsts[-1] // 10)
    return tuple(firsts)


_FIRST = _first_of_groups()


def _curves(groups: dict[tuple[str, int], list[float]]) -> Iterable[Curve]:
    for outcome in ("won", "drawn", "lost"):
        points = [
            CurvePoint(_FIRST[group], int(count), mean, sqrt(squares / count))
            for (found, group), (count, mean, squares) in sorted(groups.items())
            if found == outcome
        ]
        if points:
            yield Curve(outcome, tuple(points))
