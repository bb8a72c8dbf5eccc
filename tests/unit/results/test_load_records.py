"""Records as rows for pandas: plain values, a row a match or a row a seat."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from support import finished

import arena
from arena.store import open_store
from arena.values.errors import RecordError
from arena.values.model import Termination


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with two tournaments: two matches of two, and one of three."""
    home = tmp_path / "home"
    with open_store(home, create=True) as store:
        entrants = finished.entrants(["oak", "elm", "fir"])
        first = store.tournaments.create("first", "f", {}, entrants)
        add = partial(finished.add, store)
        played = finished.match(
            0, ["oak", "elm"], [2, 1], ms=[[1.5, 2.0], [4.0]], scores=(3.0, 9.5), tournament="first"
        )
        add(first.id, played)
        fault = [(1, Termination.TIME)]
        add(first.id, finished.match(1, ["elm", "oak"], [1, 2], faults=fault, ms=[[1.0], []]))
        second = store.tournaments.create("second", "f", {}, entrants)
        add(second.id, finished.match(2, ["fir", "elm", "oak"], [1, 1, 3], scores=(5.0, 5.0, 1.0)))
    return home


def test_all_values_are_plain(home: Path) -> None:
    """Numbers, texts and nothing else, so that any table can hold them."""
    for seats in (False, True):
        for row in arena.load_records(home, merged=True, seats=seats):
            assert {type(value) for value in row.values()} <= {str, int, float, type(None)}
    assert len(arena.load_records(home, merged=True)) == 3
    assert len(arena.load_records(home)) == 1  # the tournament that was run last


def test_a_row_a_decision(home: Path) -> None:
    """A row says who answered what, after how long; a number that a bot said has its column."""
    rows = arena.load_records(home, "first", decisions=True)
    assert [(row["number"], row["seat"], row["bot"], row["charged_ms"]) for row in rows[:3]] == [
        (1, 0, "oak", 1.5),
        (2, 0, "oak", 2.0),
        (3, 1, "elm", 4.0),
    ]
    assert {(row["rank"], row["winner"], row["decisions"]) for row in rows[:3]} == {
        (2, "elm", 3),
        (1, "elm", 3),
    }
    assert all(row["late"] == row["forced"] == 0 for row in rows)


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"\xff\n", "utf-8"), (b"{" * 101, "a line of more than")],
    ids=["bytes", "long"],
)
def test_a_file_of_records_is_read_by_bounded_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, reason: str
) -> None:
    """Whatever somebody has written into it is a mistake that is named, and not a fault of ours."""
    monkeypatch.setattr("arena.store.record_files.MOST_OF_RECORDS", 100)
    file = tmp_path / "records.jsonl"
    file.write_bytes(data)
    with pytest.raises(RecordError, match=f"records.jsonl.*{reason}"):
        arena.load_records(file)
