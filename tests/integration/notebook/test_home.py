"""A home as one object, and what a notebook shows of its answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import arena


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> arena.OpenHome:
    """Return a home in which a tournament was played."""
    home = arena.open_home(tmp_path_factory.mktemp("notebook") / "home")
    home.run(name="cup", game="connect_four", bots=["greedy", "random"], seed=1, workers=1)
    return home


def cells(html: str) -> list[list[str]]:
    """Return the cells of each row of a table."""
    return [re.findall(r"<t[hd]>([^<]*)", row) for row in html.split("<tr>")[1:]]


def test_home_finds_what_was_played(home: arena.OpenHome) -> None:
    """A home's methods find its tournament, matches, records, and a record by its id."""
    (row,) = home.tournaments()
    assert row.tournament == "cup"
    matches = home.matches("cup")
    assert len(matches) == len(home.records()) == 2
    assert home.record(matches[0].id).game == "connect_four"
    assert [problems for _, problems in home.verify()] == [[], []]


def test_tables_are_shown_as_tables(home: arena.OpenHome) -> None:
    """A leaderboard has a row an entrant, a cross table a row a bot, a record one a seat."""
    board, cross = home.leaderboard(), home.crosstable()
    head, *rows = cells(board._repr_html_())
    assert head[:3] == ["rank", "bot", "version"]
    assert [row[1] for row in rows] == [row.bot for row in board.rows]
    assert cells(cross._repr_html_())[0][1:] == list(cross.bots)
    record = home.record(home.matches()[0].id)
    assert len(cells(record._repr_html_())) == 3


def test_a_leaderboard_is_a_data_frame(home: arena.OpenHome) -> None:
    """``to_pandas`` has a row an entrant and the fields of the rows."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    board = home.leaderboard()
    frame = board.to_pandas()
    assert frame["bot"].tolist() == [row.bot for row in board.rows]
    assert frame["games"].tolist() == [2, 2]
    assert frame["calls"].tolist() == frame["interrupted"].tolist() == [0, 0]
    assert frame["interval"].tolist() == [row.interval for row in board.rows]


def test_names_in_notebook_are_no_markup() -> None:
    """A bot's name is text in a notebook, be it markup or invisible."""
    row = arena.CrossTable("<b>cup</b>", ("<script>", "\u202eoak"), ())
    shown = row._repr_html_()
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert "\u202e" not in shown


def test_open_home_makes_nothing(tmp_path: Path) -> None:
    """``open_home`` makes no folder before something is played."""
    home = arena.open_home(tmp_path / "none")
    assert repr(home) == f"OpenHome('{tmp_path / 'none'}')"
    assert not (tmp_path / "none").exists()
