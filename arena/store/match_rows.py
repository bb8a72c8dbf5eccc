"""One match as rows of the store: written, replaced, removed, and their lists read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.store.sqlite import Execute

if TYPE_CHECKING:
    from arena.store.packed import Packed

__all__ = [
    "fault_pairs",
    "insert_match",
    "is_unplayed",
    "numbers",
    "remove_match",
    "replace_match",
]


def insert_match(execute: Execute, tournament: int, match: Packed, entrants: str) -> bool:
    """Store a match if there is none of its id; whether it was stored."""
    cursor = execute(
        "INSERT INTO record (tournament, number, id, text) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO NOTHING",
        (tournament, match.number, match.id, match.text),
    )
    if not cursor.rowcount:
        return False
    _insert_row(execute, tournament, cursor.lastrowid, match, entrants)
    return True


def replace_match(execute: Execute, tournament: int, match: Packed, entrants: str) -> None:
    """Put a match in place of the one of its id, as the newest record there is."""
    (old,) = execute("SELECT seq FROM record WHERE id = ?", (match.id,)).fetchone()
    execute(
        "DELETE FROM match WHERE tournament = ? AND number = ? AND record = ?",
        (tournament, match.number, old),
    )
    (new,) = execute("SELECT max(seq) + 1 FROM record").fetchone()
    execute("UPDATE record SET seq = ?, text = ? WHERE seq = ?", (new, match.text, old))
    _insert_row(execute, tournament, new, match, entrants)


def remove_match(execute: Execute, match: str) -> None:
    """Take a match back; ``record.seq`` may then be given a second time."""
    (tournament, number) = execute(
        "SELECT tournament, number FROM record WHERE id = ?", (match,)
    ).fetchone()
    execute("DELETE FROM match WHERE tournament = ? AND number = ?", (tournament, number))
    execute("DELETE FROM record WHERE id = ?", (match,))


def is_unplayed(execute: Execute, match: str) -> bool:
    """Return whether the match of an id is there, and was never played."""
    row = execute(
        "SELECT unplayed FROM record JOIN match ON match.tournament = record.tournament"
        " AND match.number = record.number WHERE id = ?",
        (match,),
    ).fetchone()
    return row is not None and bool(row[0])


def numbers(text: str) -> tuple[int, ...]:
    """Read a list of numbers, one a seat: ``3,7``."""
    return tuple(map(int, text.split(",")))


def fault_pairs(text: str) -> tuple[tuple[int, str], ...]:
    """Read a list of faults: ``0:time,1:crash``, or nothing."""
    pairs = (word.split(":") for word in text.split(",")) if text else ()
    return tuple((int(seat), code) for seat, code in pairs)


def _insert_row(
    execute: Execute, tournament: int, record: int | None, match: Packed, entrants: str
) -> None:
    execute(
        "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            tournament,
            match.number,
            record,
            match.game,
            match.block,
            match.seating,
            match.by,
            entrants,
            ",".join(map(str, match.ranks)),
            ",".join([f"{seat}:{code}" for seat, code in match.faults]),
            ",".join(map(str, match.answers)),
            ",".join(map(str, match.charged_us)),
            match.play,
            match.unplayed,
        ),
    )
