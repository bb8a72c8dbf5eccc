"""Records as rows for pandas: plain values, a row a match or a row a seat."""

from __future__ import annotations

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
        first = store.tournaments.create("first", "f", "{}", entrants)
        add = store.matches.add
        played = finished.match(
            0, ["oak", "elm"], [2, 1], ms=[[1.5, 2.0], [4.0]], scores=(3.0, 9.5), tournament="first"
        )
        add(first.id, played)
        fault = [(1, Termination.TIME)]
        add(first.id, finished.match(1, ["elm", "oak"], [1, 2], faults=fault, ms=[[1.0], []]))
        second = store.tournaments.create("second", "f", "{}", entrants)
        add(second.id, finished.match(2, ["fir", "elm", "oak"], [1, 1, 3], scores=(5.0, 5.0, 1.0)))
    return home


def test_a_row_a_match(home: Path) -> None:
    """A row has everything that a list of matches shows, seat by seat in columns of its own."""
    first, second = arena.load_records(home, "first")
    assert {name: value for name, value in first.items() if name not in ("id", "elapsed_ms")} == {
        "tournament": "first",
        "game": "leaves",
        "block": "leaves|elm+oak|0",
        "seating": 0,
        "started": "2026-01-01T00:00:00Z",
        "decisions": 3,
        "by": "rules",
        "winner": "elm",
        "sandbox": "none",
        "host": None,
        "bot_0": "oak",
        "bot_1": "elm",
        "version_0": 1,
        "version_1": 1,
        "score_0": 3.0,
        "score_1": 9.5,
        "rank_0": 2,
        "rank_1": 1,
        "answered_0": 2,
        "answered_1": 1,
        "charged_ms_0": 3.5,
        "charged_ms_1": 4.0,
        "fault_0": None,
        "fault_1": None,
    }
    assert (second["score_0"], second["fault_0"], second["fault_1"]) == (None, None, "time")
    assert (second["winner"], second["by"]) == ("elm", "time")


def test_a_row_a_seat(home: Path) -> None:
    """The same seat by seat, to be grouped by bot."""
    rows = arena.load_records(home, "second", seats=True)
    assert [(row["seat"], row["bot"], row["rank"], row["score"]) for row in rows] == [
        (0, "fir", 1, 5.0),
        (1, "elm", 1, 5.0),
        (2, "oak", 3, 1.0),
    ]
    assert {row["winner"] for row in rows} == {None}  # a draw of two
    assert len({row["id"] for row in rows}) == 1


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
