"""Taking a tournament out of the store: all that was kept of it, in one transaction, or nothing.

The file does not get smaller: what became free is used by what is stored next.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.crash import cross
from arena.store.checksums import Execute
from arena.store.folds import COLUMNS as FOLD_COLUMNS
from arena.store.sqlite import Database

__all__ = ["Removed", "remove_tournament", "shrink", "unused"]


class Removed(NamedTuple):
    """What was taken out.

    Attributes:
        matches: how many had been played.
        free_bytes: how much of the file is free now.
        programs: the hashes of its bots that are neither submitted nor in another tournament.
    """

    matches: int
    free_bytes: int
    programs: frozenset[str]


def remove_tournament(database: Database, tournament: int) -> Removed:
    """Remove a tournament, by ``Edition.id``, which nobody runs.

    While it is written nobody else can write: some 10 s for a million matches.

    Raises:
        StoreUnavailable: the store is locked or full; it may be tried again.
        StoreError: it cannot be written.
    """
    # SQLite may be built to write zeros over what is deleted, which takes several times as long
    database.row("PRAGMA secure_delete = OFF")
    with database.writing() as execute:
        (matches,) = execute(
            "SELECT count(*) FROM match WHERE tournament = ?", (tournament,)
        ).fetchone()
        programs = _programs_of_its_own(execute, tournament)
        for table in _tables(execute):
            execute(f"DELETE FROM {table} WHERE tournament = ?", (tournament,))
        execute("DELETE FROM tournament WHERE id = ?", (tournament,))
        _forget_folds(execute)
        cross("remove")
    return Removed(matches, _free_bytes(database), programs)


def unused(database: Database, programs: frozenset[str]) -> list[str]:
    """Return which hashes of bots are neither submitted nor in a tournament by now, sorted."""
    used = {
        digest for (digest,) in database.rows("SELECT hash FROM entrant UNION SELECT hash FROM bot")
    }
    return sorted(programs - used)


def shrink(database: Database) -> None:
    """Give back to the disk what is free of the file; errors as for ``remove_tournament``.

    It writes all that is left again, for which there must be room beside it. Meanwhile nobody else
    can write.
    """
    database.row("VACUUM")
    database.row("PRAGMA wal_checkpoint(TRUNCATE)")


def _tables(execute: Execute) -> list[str]:
    """Return the tables whose rows belong to a tournament, whichever there are."""
    rows = execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND EXISTS"
        " (SELECT 1 FROM pragma_table_info(sqlite_master.name) WHERE name = 'tournament')"
        " ORDER BY name"
    )
    return [name for (name,) in rows.fetchall()]


def _programs_of_its_own(execute: Execute, tournament: int) -> frozenset[str]:
    rows = execute(
        "SELECT hash FROM entrant WHERE tournament = ?1 EXCEPT"
        " SELECT hash FROM entrant WHERE tournament <> ?1 EXCEPT SELECT hash FROM bot",
        (tournament,),
    )
    return frozenset([digest for (digest,) in rows if isinstance(digest, str)])


def _forget_folds(execute: Execute) -> None:
    """Drop the folds over all tournaments, and let the others be right about the newest match.

    They say which record was the newest when they were made, to see what came later. Records that
    are stored from now on may get the numbers of those that were removed. A damaged fold keeps a
    hash that is wrong.
    """
    execute("DELETE FROM fold WHERE tournament = 0")
    newest = "(SELECT coalesce(max(seq), 0) FROM record)"
    row = f"row_hash({FOLD_COLUMNS})"
    execute(f"DELETE FROM fold WHERE seen > {newest} AND row_hash IS NOT {row}")
    execute(
        f"UPDATE fold SET seen = {newest},"
        f" row_hash = {row.replace('seen', newest)} WHERE seen > {newest}"
    )


def _free_bytes(database: Database) -> int:
    (pages,) = database.row("PRAGMA freelist_count")
    (size,) = database.row("PRAGMA page_size")
    return int(pages * size)
