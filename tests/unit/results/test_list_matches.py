"""Lists of matches: those that were stored last are found without reading the others."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.sql import sql

from arena.results.matches import list_matches
from arena.store import open_store
from arena.store.match_rows import read_matches
from arena.values.errors import StoreError
from arena.values.tables import MatchRow

NAMES = ("oak", "elm", "fir")
CHOICES: dict[str, dict[str, Any]] = {
    "one": {"tournament": "one"},
    "two": {"tournament": "two"},
    "last": {},
    "both": {"tournament": "one,two"},
    "all": {"merged": True},
    "bot": {"merged": True, "bot": "elm"},
    "game": {"tournament": "one", "game": "connect_four"},
    "lost": {"merged": True, "lost": True, "bot": "fir"},
    "among": {"merged": True, "bots": ["oak", "fir"]},
    "scores": {"merged": True, "scores": True},
    "duplicates": {"merged": True, "duplicates": True},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two tournaments of 60 matches each, which came in turns, and the last first."""
    home = tmp_path_factory.mktemp("home")
    with open_store(home, create=True) as store:
        for name in ("one", "two"):
            store.tournaments.create(name, "f", {}, finished.entrants(NAMES))
        for number in reversed(range(60)):
            for edition in (1, 2):
                pair = [NAMES[(number + seat) % 3] for seat in range(2)]
                game = "connect_four" if number % 4 == 1 else "leaves"
                result = finished.match(
                    number,
                    pair,
                    [1 + number % 2, 2 - number % 2],
                    id=f"{edition:08x}{number:08x}",
                    game=game,
                    setup=str(number % 5),
                )
                finished.add(store, edition, result)
    return home


@pytest.mark.parametrize("limit", [1, 7, 1000])
@pytest.mark.parametrize("choice", CHOICES)
def test_the_newest_are_the_last_of_all(home: Path, choice: str, limit: int) -> None:
    """Whatever is asked for, a limit takes the end of the same list by arrival."""
    label, every = list_matches(home, **CHOICES[choice])
    assert every
    every.sort(key=lambda row: -row.arrived)
    assert list_matches(home, **CHOICES[choice], limit=limit) == (label, every[:limit])


@pytest.mark.parametrize("merged", [True, False])
def test_hardly_more_are_read(home: Path, monkeypatch: pytest.MonkeyPatch, merged: bool) -> None:
    """Five matches are five rows, of which ever so many may be stored."""
    read: list[int] = []

    def note(*words: Any, **more: Any) -> Iterator[MatchRow]:
        for row in read_matches(*words, **more):
            read.append(row.number)
            yield row

    monkeypatch.setattr("arena.store.matches.read_matches", note)
    assert len(list_matches(home, merged=merged, limit=5)[1]) == 5
    assert 5 <= len(read) <= 6


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM match WHERE number = 0",
        "UPDATE match SET ranks = '2' WHERE number = 0",
        "UPDATE match SET record = 7 WHERE number = 0",
        "UPDATE record SET number = 77 WHERE number = 0",
    ],
)
def test_the_newest_is_damaged(home: Path, tmp_path: Path, change: str) -> None:
    """It is named as it is where all are read."""
    home = shutil.copytree(home, tmp_path / "home")
    sql(home, change)
    with pytest.raises(StoreError, match="damaged"):
        list_matches(home, limit=1)
