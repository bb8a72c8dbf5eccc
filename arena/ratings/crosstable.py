"""Results → how each bot did against each other, and from which seat."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from arena.values.tables import CrossRow, MatchRow, SeatRow


class Meetings(NamedTuple):
    """A fold: the counts of every pair that met.

    ``table[a][b][seat]`` is ``[wins, draws, losses]`` of a in that seat against b. In a match of
    more than two, every two meet: the better rank wins.
    """

    table: Mapping[str, dict[str, dict[int, list[int]]]] = MappingProxyType({})

    def to_text(self) -> str:
        """Write the fold; ``from_text`` gives it back."""
        return json.dumps({"table": dict(self.table)}, separators=(",", ":"))

    @staticmethod
    def from_text(text: str | bytes) -> Meetings:
        """Read a fold."""
        saved = json.loads(text)
        table = {
            bot: {
                opponent: {int(seat): counts for seat, counts in seats.items()}
                for opponent, seats in opponents.items()
            }
            for bot, opponents in saved["table"].items()
        }
        return Meetings(table)


def fold_meetings(results: Iterable[MatchRow], start: Meetings | None = None) -> Meetings:
    """Go on from ``start`` with more results."""
    start = start or Meetings()
    table = {
        bot: {
            opponent: {seat: list(counts) for seat, counts in seats.items()}
            for opponent, seats in opponents.items()
        }
        for bot, opponents in start.table.items()
    }
    alike: dict[tuple[tuple[str, ...], tuple[int, ...]], int] = {}  # few are different
    for _, names, ranks, *_ in results:
        alike[names, ranks] = alike.get((names, ranks), 0) + 1
    for (names, ranks), times in alike.items():
        for seat, (bot, rank) in enumerate(zip(names, ranks, strict=True)):
            opponents = table.setdefault(bot, {})
            for other_seat, (opponent, other) in enumerate(zip(names, ranks, strict=True)):
                if other_seat != seat:
                    counts = opponents.setdefault(opponent, {}).setdefault(seat, [0, 0, 0])
                    counts[0 if rank < other else 1 if rank == other else 2] += times
    return Meetings(table)


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
        opponents = meetings.table.get(bot, {})
        for opponent, opponent_label in zip(order, labels, strict=True):
            seats = opponents.get(opponent)
            if not seats:
                continue
            wins, draws, losses = (sum(counts) for counts in zip(*seats.values(), strict=True))
            rows.append(CrossRow(label, opponent_label, None, wins, draws, losses))
            rows.extend(
                CrossRow(label, opponent_label, seat, *seats[seat]) for seat in sorted(seats)
            )
    return tuple(rows)


def seat_rows(meetings: Meetings) -> dict[str, tuple[SeatRow, ...]]:
    """Return how each bot did from each seat, against all others."""
    found = {}
    for bot, opponents in meetings.table.items():
        totals: dict[int, list[int]] = {}
        for seats in opponents.values():
            for seat, counts in seats.items():
                total = totals.setdefault(seat, [0, 0, 0])
                for place, count in enumerate(counts):
                    total[place] += count
        found[bot] = tuple([SeatRow(seat, *totals[seat]) for seat in sorted(totals)])
    return found
