"""Rows carry a hash of what they say, so that damage to the file is seen where it is read.

The hash is there against accidents, not against people: who writes to the file can write the hash
that fits. Rows of ``match`` have none, as they can be made from their records again. It does not
see rows that are missing; matches are counted for that (``tally``), and the tables that every
command needs are compared with their indexes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from arena.packed.record_text import HASH_BYTES, blake2b

__all__ = [
    "Execute",
    "SMALL",
    "DAMAGE",
    "SOUND",
    "altered_in",
    "call_for",
    "raise_interrupt",
    "register",
    "row_hash",
    "small_damage",
    "stamp",
]

Execute = Callable[..., sqlite3.Cursor]

# what is hashed of a row; the first three tables are read whole whenever a store is opened
SMALL = {
    "tournament": (
        *("id", "name", "edition", "fingerprint", "config", "created", "last_run", "run_order"),
        *("stop", "seed", "ended", "complete"),
    ),
    "entrant": (
        *("id", "tournament", "name", "bot", "version", "hash", "args", "position", "state"),
        *("out", "line"),
    ),
    "bot": (
        *("id", "name", "version", "hash", "start", "folder", "language", "games"),
        *("retired", "created"),
    ),
    "void": ("seq", "tournament", "id", "attempt", "reason", "at"),
    "undecided": ("tournament", "id", "number", "reason"),
    "round": ("tournament", "number", "plan", "points"),
}


def row_hash(values: tuple[object, ...]) -> bytes:
    """Return the hash of a row's values; bytes and numbers in place of text give another one."""
    text = "%s\n" * len(values) % values
    return blake2b(text.encode(), digest_size=HASH_BYTES).digest()


def register(connection: sqlite3.Connection) -> None:
    """Let SQL call ``row_hash(value, …)``."""
    connection.create_function("row_hash", -1, _hash_for_sql, deterministic=True)


def raise_interrupt() -> None:
    """Raise what interrupted SQL's last call, if something did; SQLite has made an error of it."""
    if _interrupts:
        raise _interrupts.pop()


_interrupts: list[BaseException] = []


def _hash_for_sql(*values: object) -> bytes:
    try:
        return row_hash(values)
    except (KeyboardInterrupt, SystemExit) as error:
        _interrupts.append(error)
        raise


def stamp(
    execute: Execute, table: str, where: str = "1", parameters: Sequence[object] = ()
) -> None:
    """Write the hashes of rows of a small table; to be done wherever they change."""
    execute(
        f"UPDATE {table} SET row_hash = {call_for(table, SMALL[table])} WHERE {where}", parameters
    )


def small_damage(connection: sqlite3.Connection) -> str | None:
    """Check the tables that every command reads; return what is damaged, or ``None``.

    Raises:
        sqlite3.Error: it cannot even be read.
    """
    for table in ("tournament", "entrant", "bot"):
        # a row that one of the table and its indexes has, and the other has not
        (said,) = connection.execute(f"PRAGMA integrity_check({table})").fetchone()
        if said != "ok":
            return f"its table {table} does not hold together"
        if table == "tournament":
            continue  # see `DAMAGE`: one of them keeps nobody from the others
        altered = connection.execute(
            f"SELECT 1 FROM {table} WHERE row_hash IS NOT {call_for(table, SMALL[table])} LIMIT 1"
        ).fetchone()
        if altered is not None:
            return altered_in(table)
    return None


def altered_in(table: str) -> str:
    """Say that a row of a table is not as it was written."""
    return f"a row of its table {table} is not as it was written"


def call_for(table: str, columns: Sequence[str], *more: str) -> str:
    """Return the SQL that hashes columns of a table's row, and what else is given as SQL."""
    return f"row_hash({', '.join([*(f'{table}.{column}' for column in columns), *more])})"


# what is wrong with a row of `tournament`, if anything is; one without a fingerprint is on its way
# out. Nothing but its id is read of such a row but to name it and to remove it
DAMAGE = f"""CASE
    WHEN tournament.row_hash IS NOT {call_for("tournament", SMALL["tournament"])}
        THEN 'its row in the store is not as it was written'
    WHEN fingerprint = '' THEN 'it was removed in part'
    WHEN typeof(seed) <> 'text' OR seed = '' OR seed GLOB '*[^0-9]*' OR length(seed) > 39
        THEN 'its seed is no number'
    WHEN NOT json_valid(config) THEN 'what it was run from cannot be read'
    WHEN json_type(config) <> 'object' THEN 'what it was run from cannot be read'
    ELSE ''
END"""
SOUND = f"({DAMAGE}) = ''"
