"""Taking a tournament out of the store: its matches in steps, so that others can write meanwhile.

It is marked first, and from then on is in no table. A kill leaves it marked, and removing it goes
on where that ended. The file does not get smaller: what became free is used by what is stored next.
"""

from __future__ import annotations

from arena.database.sqlite import Database, Execute
from arena.machine.crash import cross

STEP = 10_000  # matches that are removed at a time, in some 0.2 s
_OF_MATCHES = {"record": "seq", "said": "record"}  # what is kept of each, by its number


class Removal:
    """The removal of one tournament that is not running, by ``Edition.id``.

    What writes raises ``StoreUnavailable`` if the store is locked or full, and may be tried again.
    """

    def __init__(self, database: Database, tournament: int) -> None:
        self._database, self._tournament = database, tournament

    def begin(self) -> None:
        """Mark the tournament as one that is to be removed."""
        with self._database.writing() as execute:
            execute("UPDATE tournament SET fingerprint = '' WHERE id = ?", (self._tournament,))
            cross("removal", tournament=self._tournament)

    def step(self) -> int:
        """Remove some of its matches, and return how many; 0: there are none left."""
        # SQLite may be built to write zeros over what is deleted, which takes several times as long
        self._database.row("PRAGMA secure_delete = OFF")
        with self._database.writing() as execute:
            numbers = execute(
                "SELECT number FROM match WHERE tournament = ? ORDER BY number LIMIT ?",
                (self._tournament, STEP),
            ).fetchall()
            if not numbers:
                return 0
            some = "FROM match WHERE tournament = ? AND number <= ?"
            values = (self._tournament, *numbers[-1])
            for table, key in _OF_MATCHES.items():
                records = f"{key} IN (SELECT record {some})"
                execute(
                    f"DELETE FROM {table} WHERE tournament = ? AND {records}", (values[0], *values)
                )
            execute(f"DELETE {some}", values)
            execute(
                "UPDATE tally SET matches = matches - ? WHERE tournament = ?",
                (len(numbers), self._tournament),
            )
            cross("removing", tournament=self._tournament)
        return len(numbers)

    def programs(self) -> list[str]:
        """Return the hashes of its bots that are neither submitted nor in another tournament."""
        rows = self._database.rows(
            "SELECT hash FROM entrant WHERE tournament = ? EXCEPT SELECT hash FROM entrant"
            " WHERE tournament <> ? EXCEPT SELECT hash FROM bot ORDER BY 1",
            (self._tournament, self._tournament),
        )
        return [digest for (digest,) in rows if isinstance(digest, str)]

    def end(self) -> int:
        """Remove all that is left of it; return how many bytes of the file are free then."""
        database, of_it = self._database, (self._tournament,)
        lost = {  # rows that no match leads to, in a store that is damaged
            table: list(database.rows(f"SELECT {key} FROM {table} WHERE tournament = ?", of_it))
            for table, key in _OF_MATCHES.items()
        }
        with database.writing() as execute:
            for table in _tables(execute):
                if table not in lost:
                    execute(f"DELETE FROM {table} WHERE tournament = ?", of_it)
            for table, keys in lost.items():
                for key in keys:
                    execute(f"DELETE FROM {table} WHERE {_OF_MATCHES[table]} = ?", key)
            execute("DELETE FROM tournament WHERE id = ?", of_it)
            for table in ("cache", "cache_part"):  # another tournament may get its id
                execute(f"DELETE FROM {table} WHERE tournament = 0")
            cross("remove", tournament=of_it[0])
        (pages,) = database.row("PRAGMA freelist_count")
        (size,) = database.row("PRAGMA page_size")
        return int(pages * size)


def _tables(execute: Execute) -> list[str]:
    """Return the tables whose rows belong to a tournament, whichever there are."""
    rows = execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND EXISTS"
        " (SELECT 1 FROM pragma_table_info(sqlite_master.name) WHERE name = 'tournament')"
        " ORDER BY name"
    )
    return [name for (name,) in rows.fetchall()]
