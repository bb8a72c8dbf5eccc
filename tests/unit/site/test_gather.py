"""What a report is made from, also where a run changes the store meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.reported import filled_home

from arena.site import gather as module
from arena.site.gather import gather
from arena.site.report import site_pages
from arena.standings import read_leaderboard
from arena.tables import Leaderboard


def test_rounds_that_a_format_lacks(tmp_path: Path) -> None:
    """A round-robin has neither bracket nor rounds."""
    filled_home(tmp_path)
    site = gather(tmp_path, None)
    assert (site.bracket, site.rounds) == (False, ())
    assert [bot.name for bot in site.bots] == ["oak", "elm", "fir"]


def test_who_goes_out_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is in the store and no longer in the leaderboard is on no page, and none fails."""
    filled_home(tmp_path)

    def without_fir(*args: object, **options: object) -> Leaderboard:
        board = read_leaderboard(tmp_path, "open", seats=True)
        return board._replace(rows=tuple([row for row in board.rows if row.bot != "fir"]))

    monkeypatch.setattr(module, "read_leaderboard", without_fir)
    site = gather(tmp_path, None, replays="all")
    assert [bot.name for bot in site.bots] == ["oak", "elm"]
    assert site.cross.bots == tuple(row.bot for row in site.board.rows)
    pages = {name: make() for name, make in site_pages(site, tmp_path).items()}
    assert not [name for name in pages if "fir" in name]
