"""One match as rows of the store, and their lists read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.store.sqlite import Execute

if TYPE_CHECKING:
    from arena.store.packed import Packed

__all__ = ["fault_pairs", "insert_match", "numbers"]


def insert_match(execute: Execute, tournament: int, match: Packed, entrants: str) -> bool:
    """Store a match if there is none of its id; whether it was stored."""
    cursor = execute(
        "INSERT INTO record (tournament, number, id, text) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO NOTHING",
        (tournament, match.number, match.id, match.text),
    )
    if not cursor.rowcount:
        return False
    execute(
        "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            tournament,
            match.number,
            cursor.lastrowid,
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
        ),
    )
    return True


def numbers(text: str) -> tuple[int, ...]:
    """Read a list of numbers, one a seat: ``3,7``."""
    return tuple(map(int, text.split(",")))


def fault_pairs(text: str) -> tuple[tuple[int, str], ...]:
    """Read a list of faults: ``0:time,1:crash``, or nothing."""
    pairs = (word.split(":") for word in text.split(",")) if text else ()
    return tuple((int(seat), code) for seat, code in pairs)
