"""Results → how each bot did against each other, and from which seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.values.tables import CrossRow, MatchRow, SeatRow

Meetings = dict[str, dict[str, list[list[int]]]]
"""Of every pair that met, ``[wins, draws, losses]`` of the first one in each seat: a fold.

In a match of more than two, every two meet: the better rank wins.
"""


def fold_meetings(results: Iterable[MatchRow], start: Meetings | None = None) -> Meetings:
    """Go on from ``start``, which is used up, with more results."""
    table = {} if start is None else start
    alike: dict[tuple[tuple[str, ...], tuple[int, ...]], int] = {}  # few are different
    for _, names, ranks, *_ in results:
        alike[names, ranks] = alike.get((names, ranks), 0) + 1
    for (names, ranks), times in alike.items():
        for seat, (bot, rank) in enumerate(zip(names, ranks, strict=True)):
            opponents = table.setdefault(bot, {})
            for other_seat, (opponent, other) in enumerate(zip(names, ranks, strict=True)):
                if other_seat != seat:
                    seats = opponents.setdefault(opponent, [])
                    seats += [[0, 0, 0] for _ in range(len(seats), len(names))]
                    seats[seat][0 if rank < other else 1 if rank == other else 2] += times
    return table


def cross_rows(
    meetings: Meetings, order: Sequence[str], labels: Sequence[str]
) -> tuple[CrossRow, ...]:
    """Return the pairs that met, each with all seats together first, then seat by seat.

    Args:
        meetings: a fold.
        order: the names in it, in the order to show them.
        labels: what to call each.
    """
    rows: list[CrossRow] = []
    for bot, label in zip(order, labels, strict=True):
        opponents = meetings.get(bot, {})
        for opponent, opponent_label in zip(order, labels, strict=True):
            seats = opponents.get(opponent)
            if not seats:
                continue
            wins, draws, losses = (sum(counts) for counts in zip(*seats, strict=True))
            rows.append(CrossRow(label, opponent_label, None, wins, draws, losses))
            rows.extend(
                CrossRow(label, opponent_label, seat, *counts)
                for seat, counts in enumerate(seats)
                if any(counts)
            )
    return tuple(rows)


def seat_rows(meetings: Meetings) -> dict[str, tuple[SeatRow, ...]]:
    """Return how each bot did from each seat, against all others."""
    found = {}
    for bot, opponents in meetings.items():
        totals: dict[int, list[int]] = {}
        for seats in opponents.values():
            for seat, counts in enumerate(seats):
                if not any(counts):
                    continue
                total = totals.setdefault(seat, [0, 0, 0])
                for place, count in enumerate(counts):
                    total[place] += count
        found[bot] = tuple([SeatRow(seat, *totals[seat]) for seat in sorted(totals)])
    return found
