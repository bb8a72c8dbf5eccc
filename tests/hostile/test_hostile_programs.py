"""Hostile programs of the table, at every isolation level of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.hostile_rows import LEVELS, ROWS, Row, check, play, player, why_not
from support.piped import Piped


@pytest.fixture(scope="module")
def playing() -> Iterator[Piped]:
    """Start the process that plays the rows of this file."""
    with player() as started:
        yield started


def cases() -> list[object]:
    """Return every row at every level."""
    return [
        pytest.param(row, level, id=f"{row.name}-{level}")
        for row in ROWS
        for level in LEVELS
        if row.at(level) is not None
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("row", "level"), cases())
def test_row_has_expected_verdict(row: Row, level: str, tmp_path: Path, playing: Piped) -> None:
    """Each hostile bot gets its row's verdict in time, at every level, and leaves nothing."""
    reason = why_not(level)
    if reason is not None:
        pytest.skip(reason)
    check(row, level, play(row, level, tmp_path, playing))
