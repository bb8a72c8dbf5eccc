"""Outcomes → whose strength they bound from above, and from below.

Results bound how far apart two bots are only if points went both ways between them, or around by
others: else the likeliest distance is infinite (L. R. Ford, "Solution of a ranking problem from
binary comparisons", 1957). A draw is points for both. Bots between any two of whom points went both
ways are a group; the largest one is what the others are compared with. Where there is no group of
two or more, each is compared with everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from arena.ratings.order_free import Outcome

_Arrows = Mapping[str, Sequence[str]]


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
    gains: dict[str, set[str]] = {}  # of whom each took points
    for names, ranks in counts:
        for (one, better), (other, worse) in combinations(zip(names, ranks, strict=True), 2):
            gains.setdefault(one, set()).add(other)
            gains.setdefault(other, set())
            if better == worse:
                gains[other].add(one)
    everybody = sorted(gains)
    forth = {name: sorted(gains[name]) for name in everybody}
    back: dict[str, list[str]] = {name: [] for name in everybody}
    for name in everybody:
        for other in forth[name]:
            back[other].append(name)
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
    last = [name for name in everybody if not forth[name]]
    first = [name for name in everybody if not back[name]]
    return Bounds(
        frozenset(everybody),
        groups,
        frozenset(last if len(last) == 1 else ()),
        frozenset(first if len(first) == 1 else ()),
    )


def _reached(begin: Iterable[str], arrows: _Arrows) -> frozenset[str]:
    """Return where arrows lead to from some, these included."""
    found = set(begin)
    ahead = list(found)
    while ahead:
        new = [name for name in arrows[ahead.pop()] if name not in found]
        found.update(new)
        ahead += new
    return frozenset(found)


def _groups(forth: _Arrows, back: _Arrows) -> list[tuple[str, ...]]:
    """Return the strongly connected components (Kosaraju's algorithm), each in order of names."""
    finished: list[str] = []
    seen: set[str] = set()
    for begin in forth:
        if begin in seen:
            continue
        seen.add(begin)
        path = [(begin, iter(forth[begin]))]
        while path:
            name, rest = path[-1]
            other = next((each for each in rest if each not in seen), None)
            if other is None:
                finished.append(name)
                path.pop()
            else:
                seen.add(other)
                path.append((other, iter(forth[other])))
    found: list[tuple[str, ...]] = []
    taken: set[str] = set()
    for begin in reversed(finished):
        if begin in taken:
            continue
        taken.add(begin)
        group, ahead = [begin], [begin]
        while ahead:
            new = [name for name in back[ahead.pop()] if name not in taken]
            new = list(dict.fromkeys(new))
            taken.update(new)
            group += new
            ahead += new
        found.append(tuple(sorted(group)))
    return found
