"""All that is known of each counted match, read once: its row, its entrants, its record's text."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from arena.store.entrants import read_entries
from arena.store.match_rows import Meanings, fault_pairs, listed_rows, numbers
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
    entries = {entry.id: entry for entry in read_entries(database, tournament)}
    names = Meanings(
        lambda text: (
            None
            if any(entries[number].is_out for number in numbers(text))
            else tuple([entries[number].name for number in numbers(text)])
        )
    )
    counts, faults = Meanings(numbers), Meanings(fault_pairs)
    for row in listed_rows(database, tournament, texts=True):
        if stop is not None and row.number >= stop:
            break
        seated = names[row.entrants]
        if seated is None:
            continue
        result = (
            *((tournament, row.number), seated, counts[row.ranks], faults[row.faults]),
            *(counts[row.answers], numbers(row.charged_us)),
        )
        yield CountedMatch(row.id, row.number, row.game, row.by, row.started, result, row.text)
