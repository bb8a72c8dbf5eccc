"""A table of ratings compared with the definition: every match rated again by ``trueskill`` itself.

The package takes 70 to 400 µs a match, where a table takes 1 to 30; so this is for those who
doubt, and tables are made the fast way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.ratings.fold import Standing, Standings, fold
from arena.ratings.message_passing import rate_players
from arena.ratings.trueskill import rate
from arena.values.tables import MatchRow, Rating

TOLERANCE = 1e-6


class RatingDifference(NamedTuple):
    """An entrant whose rating is not what the package makes of it."""

    name: str
    rating: Rating
    package: Rating


class Recount(NamedTuple):
    """The result of a recount.

    Attributes:
        matches: rated again.
        differences: entrants whose ratings differ in the table, by name.
        first: id of the first match after which a fast fold differs from the package; ``None``
            while ratings differ: the fold is right, and the table is not made by it.
        beyond: ids of matches the package could not compute, which the fast fold's formulas did.
    """

    matches: int
    differences: tuple[RatingDifference, ...]
    first: str | None
    beyond: tuple[str, ...]


def recount(results: Iterable[MatchRow], table: Standings) -> Recount:
    """Fold results with the package, and compare what ``table`` says of each bot in it.

    Args:
        results: all results of the table with their ids, in schedule order.
        table: ratings to be checked.
    """
    package: dict[str, Rating] = {}
    fast = Standings()
    matches, first, beyond = 0, None, []
    for row in results:
        matches += 1
        if not _rate(package, row.entrants, row.ranks):
            beyond.append(row.id)
        fast = fold([row], fast)
        if first is None and any(_differ(_of(fast[name]), package[name]) for name in row.entrants):
            first = row.id
    differences = tuple(
        RatingDifference(name, _of(table.get(name)), package.get(name, Rating()))
        for name in sorted({*package, *table})
        if _differ(_of(table.get(name)), package.get(name, Rating()))
    )
    return Recount(matches, differences, first if differences else None, tuple(beyond))


def _rate(ratings: dict[str, Rating], names: tuple[str, ...], ranks: tuple[int, ...]) -> bool:
    """Rate one match; whether the package could, in place of which the fast formulas do else.

    Players who share a rank are rated in the order of their names.
    """
    order = sorted(range(len(names)), key=names.__getitem__)
    before = [ratings.get(names[seat], Rating()) for seat in order]
    places = [ranks[seat] for seat in order]
    new = rate(before, places)
    after = [Rating(*one) for one in rate_players(before, places)] if new is None else new
    ratings.update(zip([names[seat] for seat in order], after, strict=True))
    return new is not None


def _of(standing: Standing | None) -> Rating:
    return Rating() if standing is None else Rating(standing.mu, standing.sigma)


def _differ(one: Rating, other: Rating) -> bool:
    return not (abs(one.mu - other.mu) <= TOLERANCE and abs(one.sigma - other.sigma) <= TOLERANCE)
