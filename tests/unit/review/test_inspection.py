"""Stored records compared with their tournament, in a home that anybody may have made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.sql import sql

import arena
from arena.record.record import parse_record
from arena.review.inspection import StoredMatches
from arena.store import open_store


def oak(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
    return str(match.legal[0])


def elm(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
    return str(match.legal[-1])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    arena.open_home(tmp_path).run(name="cup", game="leaves", rounds=1, seed=1, bots=[oak, elm])
    return tmp_path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"block": f"leaves|elm+oak|{'9' * 5000}"}, "its block is"),
        ({"block": "leaves|elm+oak|\u0669"}, "its block is"),
        ({"game": "connect_four"}, "its game is connect_four"),
        ({"game": "no such game"}, "its game is no such game"),
    ],
)
def test_stored_record_may_say_anything(change: Any, said: str, home: Path) -> None:
    """What no tournament can have asked for is a difference, and no error of the arena."""
    with open_store(home, create=False) as store:
        (edition,) = store.tournaments.all()
        stored = StoredMatches(store, home, edition)
        row = next(store.matches.read(edition.id, texts=True))
        record = parse_record(row.text)
        assert list(stored.differences(row, record)) == []
        found = stored.differences(row, replace(record, **change))
        assert any(said in sentence for sentence in found)


def test_entrant_of_a_line_that_no_file_has(home: Path) -> None:
    """Nobody can have asked for its matches; those of the others are all right."""
    kept = "bot, version, hash, args, state, out"
    sql(
        home,
        f"INSERT INTO entrant (tournament, name, position, line, {kept})"
        f" SELECT tournament, 'ash', 9, 'a line', {kept} FROM entrant WHERE name = 'oak'",
    )
    assert [wrong for _, wrong in arena.verify_all([], home)] == [[], []]
