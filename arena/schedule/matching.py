"""Pairs of a list: neighbours where possible, and no pair twice (Edmonds' blossom algorithm).

First everybody takes the nearest below that is free. Whoever is left over then looks for a way on
which others change partners (an augmenting path, by Edmonds' blossom algorithm), so that as few as
possible are together again: none, if that can be avoided at all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

_FREE = -1


def pair_up(count: int, together: Callable[[int, int], int]) -> list[tuple[int, int]]:
    """Return all of 0 … count-1 in pairs, ascending; ``count`` is even.

    Args:
        count: how many there are, the best first.
        together: how often two, the smaller index first, were together before.

    >>> pair_up(4, lambda one, other: int((one, other) == (0, 1)))
    [(0, 2), (1, 3)]
    """
    found: list[tuple[int, int]] = []
    left, allowed = list(range(count)), 0
    while left:
        size = len(left)
        near = [
            [
                other
                for other in _nearest(one, size)
                if together(left[min(one, other)], left[max(one, other)]) <= allowed
            ]
            for one in range(size)
        ]
        partners = match_up(near)
        found += [(left[one], left[other]) for one, other in enumerate(partners) if one < other]
        left = [left[one] for one, other in enumerate(partners) if other == _FREE]
        allowed += 1
    return sorted(found)


def match_up(near: Sequence[Sequence[int]], taken: Iterable[tuple[int, int]] = ()) -> list[int]:
    """Return each one's partner, -1 for those who have none; as many have one as is possible.

    Args:
        near: who may be the partner of each, the most wanted first; mutual.
        taken: pairs to begin with. Who is in one of them has a partner in the end.
    """
    partners = [_FREE] * len(near)
    for one, other in taken:
        partners[one], partners[other] = other, one
    for one, others in enumerate(near):
        if partners[one] == _FREE:
            free = next((other for other in others if partners[other] == _FREE), _FREE)
            if free != _FREE:
                partners[one], partners[free] = free, one
    for one in range(len(near)):
        if partners[one] == _FREE:
            _augment(near, partners, one)
    return partners


def _nearest(one: int, count: int) -> Iterable[int]:
    """Yield all others, the nearest first, the lower of two at the same distance first."""
    for distance in range(1, count):
        if one + distance < count:
            yield one + distance
        if one - distance >= 0:
            yield one - distance


def _augment(near: Sequence[Sequence[int]], partners: list[int], root: int) -> None:
    """Find ``root`` a partner by having others change theirs, if there is any way."""
    size = len(near)
    came_from = [_FREE] * size  # for those at an odd distance from the root, who leads to them
    base = list(range(size))  # of the blossom that one is in
    even = [False] * size
    even[root] = True
    queue = deque([root])

    def common_base(one: int, other: int) -> int:
        on_path = set()
        while True:
            one = base[one]
            on_path.add(one)
            if partners[one] == _FREE:
                break
            one = came_from[partners[one]]
        while base[other] not in on_path:
            other = came_from[partners[base[other]]]
        return base[other]

    def shrink(one: int, stem: int, child: int, blossom: set[int]) -> None:
        while base[one] != stem:
            blossom |= {base[one], base[partners[one]]}
            came_from[one], child = child, partners[one]
            one = came_from[partners[one]]

    while queue:
        one = queue.popleft()
        for other in near[one]:
            if base[one] == base[other] or partners[one] == other:
                continue
            if other == root or (partners[other] != _FREE and came_from[partners[other]] != _FREE):
                stem, blossom = common_base(one, other), set[int]()
                shrink(one, stem, other, blossom)
                shrink(other, stem, one, blossom)
                for each in range(size):
                    if base[each] in blossom:
                        base[each] = stem
                        if not even[each]:
                            even[each] = True
                            queue.append(each)
            elif came_from[other] == _FREE:
                came_from[other] = one
                if partners[other] == _FREE:
                    _swap(partners, came_from, other)
                    return
                even[partners[other]] = True
                queue.append(partners[other])


def _swap(partners: list[int], came_from: Sequence[int], end: int) -> None:
    """Give each on a path a new partner, from its end back to the root."""
    while end != _FREE:
        one = came_from[end]
        before = partners[one]
        partners[one], partners[end] = end, one
        end = before
