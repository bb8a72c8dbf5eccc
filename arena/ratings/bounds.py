"""Outcomes → whose strength they bound from above, and from below.

Results bound how far apart two bots are only if points went both ways between them, or around by
others: else the likeliest distance is infinite (L. R. Ford, "Solution of a ranking problem from
binary comparisons", 1957). A draw is points for both. Bots between any two of whom points went both
ways are a group; the largest one is what the others are compared with. Where there is no group of
two or more, each is compared with everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AnySet
from itertools import permutations
from typing import NamedTuple

from arena.ratings.order_free import Outcome

_Arrows = Mapping[str, AnySet[str]]


class Bounds(NamedTuple):
    """Which bots are bounded, relative to the mean of some.

    Attributes:
        group: those whose mean it is.
        groups: everybody, with those between whom points went both ways.
        above: who is bounded from above: the group has points of it, in a chain.
        below: who is bounded from below: it has points of the group, in a chain.
    """

    group: frozenset[str]
    groups: tuple[tuple[str, ...], ...]
    above: frozenset[str]
    below: frozenset[str]


def bounds(counts: Mapping[Outcome, float]) -> Bounds:
    """Return the bots that some outcomes bound.

    Of groups of one size, the one with more matches between its bots counts; then the first by
    name.

    Args:
        counts: how often each outcome was.
    """
    forth: dict[str, set[str]] = {}  # of whom each took points
    back: dict[str, set[str]] = {}  # who took points of each
    for names, ranks in counts:
        for (one, better), (other, worse) in permutations(zip(names, ranks, strict=True), 2):
            took, gave = forth.setdefault(one, set()), back.setdefault(other, set())
            if better <= worse:
                took.add(other)
                gave.add(one)
    found = _groups(forth, back)
    group_of = {name: number for number, names in enumerate(found) for name in names}
    inside = [0.0] * len(found)  # matches in which two or more of a group met
    for (names, _), count in counts.items():
        met = [group_of[name] for name in names if name in group_of]
        for number in {one for one in met if met.count(one) > 1}:
            inside[number] += count
    order = sorted(range(len(found)), key=lambda n: (-len(found[n]), -inside[n], found[n]))
    groups = tuple([found[number] for number in order])
    if groups and len(groups[0]) > 1:
        group = groups[0]
        return Bounds(frozenset(group), groups, _reached(group, forth), _reached(group, back))
    # nobody is in a circle: everybody leads to the last one if there is but one, and so backwards
    last = [name for name in forth if not forth[name]]
    first = [name for name in back if not back[name]]
    return Bounds(
        frozenset(forth),
        groups,
        frozenset(last if len(last) == 1 else ()),
        frozenset(first if len(first) == 1 else ()),
    )


def _reached(
    begin: Iterable[str], arrows: _Arrows, within: AnySet[str] | None = None
) -> frozenset[str]:
    """Return where arrows lead to from some, these included; by way of those ``within`` alone."""
    found = set(begin)
    ahead = list(found)
    while ahead:
        new = arrows[ahead.pop()] - found
        new = new if within is None else new & within
        found |= new
        ahead += new
    return frozenset(found)


def _groups(forth: _Arrows, back: _Arrows) -> list[tuple[str, ...]]:
    """Return those who lead to one another (strongly connected), each group in order of names."""
    found: list[tuple[str, ...]] = []
    left = sorted(forth, key=lambda name: -len(forth[name]))  # few lead to the first of these
    while left:
        before = _reached(left[:1], back, set(left))
        group = _reached(left[:1], forth, before)
        found.append(tuple(sorted(group)))
        left = [name for name in left if name not in group]
    return found
