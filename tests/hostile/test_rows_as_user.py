"""Every row that is a program, at every level of this machine, as an ordinary user."""

from __future__ import annotations

import pytest
from hostile_rows import LEVELS, ROWS, Row, check, play, why_not


def cases() -> list[object]:
    """Return every row at every level."""
    return [
        pytest.param(
            row,
            level,
            id=f"{row.folder.name}-{level}",
            marks=pytest.mark.slow,
        )
        for row in ROWS
        for level in LEVELS
        if row.at(level) is not None
    ]


@pytest.mark.parametrize(("row", "level"), cases())
def test_fault(row: Row, level: str) -> None:
    """The verdict is the expected one, in time, and nothing is left."""
    reason = why_not(level, as_user=True)
    if reason is not None:
        pytest.skip(reason)
    check(row, level, play(row, level, as_user=True))
