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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, gcd


@dataclass(frozen=True, slots=True)
class Pairings:
    """A sequence of pairings, each of which is computed when it is asked for by its number.

    Attributes:
        total: how many there are.
        at: takes the number of a pairing, from 0, and returns it: ascending indices of entrants,
            all different.
    """

    total: int
    at: Callable[[int], tuple[int, ...]]


def pairings(entrants: int, players: int) -> Pairings:
    """Return all pairings of ``players`` out of ``entrants``; both are 1 or more.

    In any prefix the numbers of pairings that two entrants have had differ by at most 2 for pairs,
    and by less than ``players * (players + 1)`` for larger groups.

    >>> every = pairings(4, 2)
    >>> [every.at(index) for index in range(every.total)]
    [(0, 3), (1, 2), (1, 3), (0, 2), (2, 3), (0, 1)]
    """
    if players > entrants:
        return Pairings(0, lambda index: ())
    return _circle(entrants) if players == 2 else _groups(entrants, players)


def some(every: Pairings, groups: Iterable[Iterable[int]]) -> Pairings:
    """Return the pairings in which no two entrants are of the same group.

    It looks at every pairing once.
    """
    never = {pair for group in groups for pair in combinations(sorted(group), 2)}
    there = array("Q")
    for index in range(every.total):
        if never.isdisjoint(combinations(every.at(index), 2)):
            there.append(index)
    return Pairings(len(there), lambda index: every.at(there[index]))


def _circle(entrants: int) -> Pairings:
    """Return pairs by the circle method: round by round, everyone once a round (or one bye).

    An odd number M of entrants stands on the circle; if N is even the last one stands in its
    middle and meets whoever has the bye. In round r the pairs are (r + i, r - i) mod M.
    """
    even, a_round = entrants % 2 == 0, entrants // 2
    on_circle = last = entrants - 1 if even else entrants

    def at(index: int) -> tuple[int, ...]:
        turn, slot = divmod(index, a_round)
        if even and slot == 0:
            return (turn, last)
        step = slot if even else slot + 1
        one, other = (turn + step) % on_circle, (turn - step) % on_circle
        return (one, other) if one < other else (other, one)

    return Pairings(on_circle * a_round, at)


def _groups(entrants: int, players: int) -> Pairings:
    if gcd(entrants, players) == 1:
        return _orbits(entrants, players)
    without = pairings(0, players) if players == entrants else _groups(entrants - 1, players)
    return _mixed(without, _groups(entrants - 1, players - 1), entrants - 1)


def _orbits(entrants: int, players: int) -> Pairings:
    """Return groups of n out of N without a common divisor: orbit by orbit, turn by turn.

    A low group is 0 < b1 < … < b(n-1) < N with n * bi > i * N. ``ways[i][v]`` is the number of
    ways to choose b1 … bi with bi < v; it numbers the groups by their last place first.
    """
    ways: list[Sequence[int]] = [[1] * (entrants + 1)]
    for i in range(1, players):
        before, lowest = ways[-1], i * entrants // players + 1
        counts = [0]
        for place in range(entrants):
            counts.append(counts[-1] + (before[place] if place >= lowest else 0))
        ways.append(counts)

    def at(index: int) -> tuple[int, ...]:
        rest, turn = divmod(index, entrants)
        group = [turn]
        for counts in ways[:0:-1]:
            place = bisect_right(counts, rest) - 1
            rest -= counts[place]
            group.append((place + turn) % entrants)
        return tuple(sorted(group))

    return Pairings(comb(entrants, players), at)


def _mixed(without: Pairings, others: Pairings, entrant: int) -> Pairings:
    """Return two mixed in proportion; the second's groups get one more entrant."""
    total = without.total + others.total

    def with_entrant(prefix: int) -> int:
        """Count the groups with the entrant among the first ``prefix``, rounded to nearest."""
        return (2 * prefix * others.total + total) // (2 * total)

    def at(index: int) -> tuple[int, ...]:
        before = with_entrant(index)
        if with_entrant(index + 1) == before:
            return without.at(index - before)
        return (*others.at(before), entrant)

    return Pairings(total, at)
