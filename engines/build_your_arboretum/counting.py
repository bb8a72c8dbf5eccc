"""Action sequences counted: positions that repeat once, and bids by the turn track they make."""

from __future__ import annotations

from itertools import product

from engines.build_your_arboretum.bids import Bid, count_bids, list_bids
from engines.build_your_arboretum.moves import count_moves, do, nth_move
from engines.build_your_arboretum.table import BID, FIRST, OVER, Table, Turns, turn_track

_Seen = dict[tuple[object, ...], int]


def count_sequences(table: Table, depth: int) -> int:
    """Return the number of action sequences of exactly this length.

    Equals counting them one by one. Tens of thousands of pairs of bids make a few hundred turn
    tracks, and turns taken in another order often lead to one position.
    """
    return _count(table, depth, {})


def _count(table: Table, depth: int, seen: _Seen) -> int:
    if depth == 0:
        return 1
    if table.phase == OVER:
        return 0
    if table.phase == BID:
        return _count_bids(table, depth, seen)
    player = 0 if table.phase == FIRST else table.turns[0] >> 1  # who chooses is all one in FIRST
    size = count_moves(table, player)
    if depth == 1:
        return size
    key = (depth, *table.key())
    known = seen.get(key)
    if known is None:
        known = 0
        for place in range(size):
            after = table.copy(None)
            do(after, player, nth_move(table, player, place))
            known += _count(after, depth - 1, seen)
        seen[key] = known
    return known


def _count_bids(table: Table, depth: int, seen: _Seen) -> int:
    owed = [player for player in (0, 1) if table.bids[player] is None]
    sizes = [count_bids(table.usable(player)) for player in owed]
    if depth < len(owed):
        return sizes[0]
    if depth == len(owed):
        return sizes[0] * sizes[-1] if len(owed) == 2 else sizes[0]
    choices: list[list[Bid]] = [
        list_bids(table.usable(player)) if bid is None else [bid]
        for player, bid in enumerate(table.bids)
    ]
    times: dict[Turns, int] = {}
    example: dict[Turns, tuple[Bid, Bid]] = {}
    for first, second in product(*choices):
        turns = turn_track((first, second), table.starter)
        times[turns] = times.get(turns, 0) + 1
        example[turns] = (first, second)
    total = 0
    for turns, count in times.items():
        after = table.copy(None)
        after.reveal(*example[turns])
        total += count * _count(after, depth - len(owed), seen)
    return total
