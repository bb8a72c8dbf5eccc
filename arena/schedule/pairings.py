"""Every way to choose n of N entrants, in an order in which all have played about equally often.

The items are computed, not listed: a pairing's number is enough. Entrants are the indices 0 … N-1.

*Pairs* follow the circle method. *Larger groups* are turned around a circle: with the entrants on
a circle of N places, a group and its N turns make an orbit, and an orbit has everybody n times. If
n and N have no common divisor, all orbits have N members and just one of each is *low*: starting
from its first place, it stays ahead of the line that spreads n places evenly over the circle (the
cycle lemma of Dvoretzky and Motzkin, 1947). Low groups are easily counted, hence numbered. If n
and N do have a common divisor, the last entrant is set aside: groups without and with that entrant,
each in such an order, are mixed in proportion.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, gcd
from typing import Protocol


class Pairings(Protocol):
    """Pairings by their numbers: tuples of ascending indices of entrants, all different."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> tuple[int, ...]: ...


def pairings(entrants: int, players: int) -> Pairings:
    """Return all pairings of ``players`` out of ``entrants``; both are 1 or more.

    In any prefix the numbers of pairings that two entrants have had differ by at most 2 for pairs,
    and by less than ``players * (players + 1)`` for larger groups.

    >>> every = pairings(4, 2)
    >>> [every[index] for index in range(len(every))]
    [(0, 3), (1, 2), (1, 3), (0, 2), (2, 3), (0, 1)]
    """
    if players > entrants:
        return ()
    if players == 2:
        return _Circle(entrants)
    return _groups(entrants, players)


class _Circle:
    """Pairs by the circle method: round by round, everyone once a round (or one bye).

    An odd number M of entrants stands on the circle; if N is even the last one stands in its
    middle and meets whoever has the bye. In round r the pairs are (r + i, r - i) mod M.
    """

    def __init__(self, entrants: int) -> None:
        self._middle = entrants - 1 if entrants % 2 == 0 else None
        self._on_circle = entrants - 1 if entrants % 2 == 0 else entrants
        self._a_round = entrants // 2

    def __len__(self) -> int:
        return self._on_circle * self._a_round

    def __getitem__(self, index: int) -> tuple[int, ...]:
        turn, slot = divmod(index, self._a_round)
        if self._middle is not None and slot == 0:
            return (turn, self._middle)
        step = slot if self._middle is not None else slot + 1
        one, other = (turn + step) % self._on_circle, (turn - step) % self._on_circle
        return (one, other) if one < other else (other, one)


class Some:
    """Those of some pairings in which no two are of one group; each of them is looked at once."""

    def __init__(self, every: Pairings, groups: Iterable[Iterable[int]]) -> None:
        never = {pair for group in groups for pair in combinations(sorted(group), 2)}
        self._every = every
        self._there = array("Q")
        for index in range(len(every)):
            if never.isdisjoint(combinations(every[index], 2)):
                self._there.append(index)

    def __len__(self) -> int:
        return len(self._there)

    def __getitem__(self, index: int) -> tuple[int, ...]:
        return self._every[self._there[index]]


def _groups(entrants: int, players: int) -> Pairings:
    if gcd(entrants, players) == 1:
        return _Orbits(entrants, players)
    without: Pairings = _groups(entrants - 1, players) if players < entrants else ()
    return _Mixed(without, _groups(entrants - 1, players - 1), entrants - 1)


class _Orbits:
    """Groups of n out of N without a common divisor: orbit by orbit, turn by turn.

    A low group is 0 < b1 < … < b(n-1) < N with n * bi > i * N. ``_counts[i][v]`` is the number of
    ways to choose b1 … bi with bi < v; it numbers the groups by their last place first.
    """

    def __init__(self, entrants: int, players: int) -> None:
        self._entrants = entrants
        self._length = comb(entrants, players)
        self._counts: list[Sequence[int]] = [[1] * (entrants + 1)]
        for i in range(1, players):
            before, lowest = self._counts[-1], i * entrants // players + 1
            counts = [0]
            for place in range(entrants):
                counts.append(counts[-1] + (before[place] if place >= lowest else 0))
            self._counts.append(counts)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> tuple[int, ...]:
        rest, turn = divmod(index, self._entrants)
        group = [turn]
        for counts in self._counts[:0:-1]:
            place = bisect_right(counts, rest) - 1
            rest -= counts[place]
            group.append((place + turn) % self._entrants)
        return tuple(sorted(group))


class _Mixed:
    """Two sequences mixed in proportion; the second's groups get one more entrant."""

    def __init__(self, without: Pairings, others: Pairings, entrant: int) -> None:
        self._without = without
        self._others = others
        self._entrant = entrant
        self._length = len(without) + len(others)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> tuple[int, ...]:
        before = self._with_entrant(index)
        if self._with_entrant(index + 1) == before:
            return self._without[index - before]
        return (*self._others[before], self._entrant)

    def _with_entrant(self, prefix: int) -> int:
        """Count the groups with the entrant among the first ``prefix``, rounded to nearest."""
        return (2 * prefix * len(self._others) + self._length) // (2 * self._length)
