"""All that is known of each counted match, read once: its row, its entrants, its record's text."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from arena.store.entrants import read_entries
from arena.store.match_rows import read_rows
from arena.store.sqlite import Database
from arena.tables import Result

__all__ = ["CountedMatch", "read_counted"]


class CountedMatch(NamedTuple):
    """A match that counts; everything per seat stands in seat order.

    Attributes:
        id: its id.
        number: in the schedule.
        game: its canonical name.
        by: how it ended.
        started: in ms since 1970; ``None``: not known.
        result: what ratings are made from.
        text: its record.
    """

    id: str
    number: int
    game: str
    by: str
    started: int | None
    result: Result
    text: str


def read_counted(
    database: Database, tournament: int, stop: int | None
) -> Generator[CountedMatch, None, None]:
    """Yield the matches of a tournament that count, in schedule order.

    Args:
        database: the store.
        tournament: ``Edition.id``.
        stop: ``Edition.stop``.

    Raises:
        StoreError: a match is damaged or missing.
    """
    names = {e.id: e.name for e in read_entries(database, tournament) if not e.is_out}
    for row in read_rows(database, tournament, texts=True):
        if stop is not None and row.number >= stop:
            break
        if not all(entrant in names for entrant in row.entrants):
            continue
        result = Result(
            (tournament, row.number),
            tuple([names[entrant] for entrant in row.entrants]),
            row.ranks,
            row.faults,
            row.answers,
            row.charged_us,
        )
        yield CountedMatch(row.id, row.number, row.game, row.by, row.started, result, row.text)
