"""Bids: groups of parrots with a plan each, as text and as numbers, counted without listing.

A group is the number 2 × size + plan (plan 0: bulletin, 1: garden), a bid the tuple of its groups.
How many bids there are doubles with every parrot, but the sizes alone are partitions, of which
there are few (1,212 for 17 parrots): they are listed once, and k groups stand for 2^k bids.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from itertools import product

from engines.core.errors import IllegalAction

Bid = tuple[int, ...]

MOST_PARROTS = 18
"""6 at the start, one more for each of 11 rounds begun, as a setup may say, and one hired."""

_MOST_KEPT = 13
"""The lists of bids of up to so many parrots are kept: 53,000 texts, 5 megabytes at most."""

_GROUP_TEXT = tuple(f"{group >> 1}{'bg'[group & 1]}" for group in range(2 * MOST_PARROTS + 2))
_GROUPS = {text: group for group, text in enumerate(_GROUP_TEXT) if group >= 2}


def bid_text(bid: Bid) -> str:
    """Write a bid without the word ``bid:``; no group at all is ``-``.

    >>> bid_text((7, 4))
    '3g-2b'
    """
    return "-".join([_GROUP_TEXT[group] for group in bid]) or "-"


def read_bid(text: str, usable: int) -> Bid:
    """Read a bid of at most ``usable`` parrots, written as ``bid_text`` writes it.

    Raises:
        IllegalAction: it is no bid, sizes grow, or it needs more parrots.
    """
    if text == "-":
        return ()
    bid = []
    left = usable
    size_before = MOST_PARROTS
    for word in text.split("-"):
        group = _GROUPS.get(word)
        if group is None:
            raise IllegalAction(
                f"{word[:20]!a} is no group: expected a size and a plan, b or g, as in "
                f'"3b-2g", or "-" for no group'
            )
        size = group >> 1
        if size > size_before:
            raise IllegalAction(
                f"a group of {size} after one of {size_before}: sizes must not grow"
            )
        size_before = size
        left -= size
        bid.append(group)
    if left < 0:
        raise IllegalAction(f"the groups have {usable - left} parrots, at most {usable} may be bid")
    return tuple(bid)


def count_bids(usable: int) -> int:
    """Return how many bids there are with at most this many parrots.

    >>> [count_bids(n) for n in range(7)]
    [1, 3, 9, 23, 57, 131, 297]
    """
    return _tables(usable)[1][-1]


def nth_bid(usable: int, index: int) -> Bid:
    """Return a bid by its place in ``list_bids``, without listing.

    >>> bid_text(nth_bid(2, 6))
    '1b-1g'
    """
    sizes, ends = _tables(usable)
    place = bisect_right(ends, index)
    groups = sizes[place]
    plans = index - ends[place] + (1 << len(groups))
    shift = len(groups)
    bid = []
    for double_size in groups:
        shift -= 1
        bid.append(double_size | plans >> shift & 1)
    return tuple(bid)


def list_bids(usable: int) -> list[Bid]:
    """Return all bids: by number of groups, then by sizes, then by plans (b before g).

    Costs what it returns: 889,051 bids for 17 parrots.
    """
    return [
        bid
        for groups in _tables(usable)[0]
        for bid in product(*[(double_size, double_size + 1) for double_size in groups])
    ]


def bid_actions(usable: int) -> tuple[str, ...]:
    """Return ``bid:`` and the text of each bid, in the order of ``list_bids``.

    Costs what it returns, 0.1 us a bid; those of up to 13 parrots are kept.
    """
    return _kept_actions(usable) if usable <= _MOST_KEPT else _actions(usable, _texts)


@cache
def _kept_actions(usable: int) -> tuple[str, ...]:
    return _actions(usable, _kept_texts)


def _actions(usable: int, texts: Callable[[tuple[int, ...]], tuple[str, ...]]) -> tuple[str, ...]:
    return tuple([text for sizes in _tables(usable)[0] for text in texts(sizes)])


def _texts(double_sizes: tuple[int, ...]) -> tuple[str, ...]:
    """Return the bids of these sizes as text, in the order of their plans."""
    texts = ["bid:"]
    for group in double_sizes:
        bulletin, garden = _GROUP_TEXT[group] + "-", _GROUP_TEXT[group + 1] + "-"
        texts = [text + word for text in texts for word in (bulletin, garden)]
    return tuple([text[:-1] for text in texts]) if double_sizes else ("bid:-",)


_kept_texts = cache(_texts)  # a bid is in the lists of all players with enough parrots


@cache
def _tables(usable: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the doubled sizes of all bids in order, and how many bids there are up to each."""
    partitions = [part for total in range(usable + 1) for part in _partitions(total, total)]
    partitions.sort(key=lambda sizes: (len(sizes), sizes))
    ends = []
    end = 0
    for sizes in partitions:
        end += 1 << len(sizes)
        ends.append(end)
    return [tuple(2 * size for size in sizes) for sizes in partitions], ends


@cache
def _partitions(total: int, largest: int) -> list[tuple[int, ...]]:
    """Return the partitions of a number into non-increasing sizes of at most ``largest``."""
    if total == 0:
        return [()]
    return [
        (size, *rest)
        for size in range(1, min(total, largest) + 1)
        for rest in _partitions(total - size, size)
    ]
