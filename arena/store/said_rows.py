"""What bots said in a match as a row of the store; where no bot said anything there is none."""

from __future__ import annotations

from typing import NamedTuple

from arena.database.sqlite import Database, Execute
from arena.machine.crash import cross
from arena.packed.record_text import row_hash
from arena.packed.said import unpack_words
from arena.values.said import NOTHING_SAID, Pieces
from arena.values.tables import MatchRow


class Said(NamedTuple):
    """What the bots of a match said, seat 0 first; see ``MatchResult``.

    ``known``: were their words kept? A bundle of another home has none.
    """

    said: tuple[Pieces, ...]
    wrote: tuple[Pieces, ...]
    known: bool = True


def insert_said(execute: Execute, tournament: int, record: int | None, match: MatchRow) -> None:
    """Store what was said in a match, if anything was, in the transaction that stores it.

    Args:
        execute: within that transaction.
        tournament: ``Edition.id``.
        record: ``record.seq``.
        match: whose words are stored.
    """
    said, wrote = match.said, match.wrote
    if said or wrote:
        found = row_hash(tournament, match.id, len(said), data=said + wrote)
        execute(
            "INSERT INTO said (record, tournament, said, wrote, row_hash) VALUES (?, ?, ?, ?, ?)",
            (record, tournament, said, wrote, found),
        )
        cross("said")


def read_said(database: Database, record: int, match: str, seats: int, known: bool) -> Said:
    """Return what was said in a match.

    Args:
        database: the store.
        record: ``record.seq``.
        match: its id.
        seats: how many there are.
        known: were their words kept, if they said anything?

    Raises:
        StoreError: the row is not as it was written.
    """

    def read(row: tuple[int, bytes, bytes, bytes]) -> Said:
        tournament, said, wrote, found = row
        if row_hash(tournament, match, len(said), data=said + wrote) != found:
            raise ValueError
        return Said(unpack_words(said, seats), unpack_words(wrote, seats))

    sql = "SELECT tournament, said, wrote, row_hash FROM said WHERE record = ?"
    nothing = Said((NOTHING_SAID,) * seats, (NOTHING_SAID,) * seats, known)
    return next(database.read(read, sql, (record,)), nothing)
