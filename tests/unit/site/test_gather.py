"""What a report is made from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.reported import filled_home

from arena.serve import pages
from arena.serve.pages import match_of
from arena.site import collect as module
from arena.site.collect import gather
from arena.site.report import site_pages
from arena.values.errors import RecordError


def test_a_deal_that_is_still_to_be_met(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody sees neither its page nor what bots reported of it; the organiser sees both."""
    ids = filled_home(tmp_path, ("oak", "elm"), matches=5, faults=0, seatings=2, ended=False)

    def not_the_last(*args: object) -> Callable[[int, str], bool]:
        return lambda number, game: number < 4

    for place in (module, pages):
        monkeypatch.setattr(place, "may_be_public", not_the_last)
    assert gather(tmp_path, None, public=True, pages="all").tally.pages.keys() == set(ids[:4])
    assert gather(tmp_path, None, public=True, pages=2).tally.pages.keys() == set(ids[2:4])
    assert gather(tmp_path, None, pages="all").tally.pages.keys() == set(ids)
    last = gather(tmp_path, None, public=True).tally.last
    assert [row.scores is None for row in last] == [False] * 4 + [True]
    for match in ids[:4]:
        assert match in match_of(tmp_path, "open", match, public=True)
    with pytest.raises(RecordError):
        match_of(tmp_path, "open", ids[4], public=True)
    assert ids[4] in match_of(tmp_path, "open", ids[4], public=False)
    assert reports_of(tmp_path, public=True) < reports_of(tmp_path, public=False)


def reports_of(home: Path, *, public: bool) -> int:
    """Return how many numbers bots reported at their first decision."""
    bots = gather(home, None, public=public).bots
    return sum(
        curve.points[0].reports
        for bot in bots
        for reported in bot.tally.reported.curves().values()
        for curve in reported
    )


def test_all_deals_are_public_after_the_end(tmp_path: Path) -> None:
    """A block that lacks a match, which was given up, is played no more."""
    ids = filled_home(tmp_path, ("oak", "elm"), matches=5, faults=0, seatings=2)
    assert gather(tmp_path, None, public=True, pages="all").tally.pages.keys() == set(ids)
    assert ids[4] in match_of(tmp_path, "open", ids[4], public=True)


def test_public_does_not_say_which_are_the_same_program(tmp_path: Path) -> None:
    """Two students' entrants that are one program are two bots to everybody."""
    filled_home(tmp_path, same_program=True)
    assert "Versions side by side" in bot_pages(tmp_path, public=False)
    assert {bot.program for bot in gather(tmp_path, None, public=True).bots} == {""}
    assert "Versions side by side" not in bot_pages(tmp_path, public=True)


def bot_pages(home: Path, *, public: bool) -> str:
    found = site_pages(gather(home, None, public=public), home)
    return "".join(make() for name, make in found.items() if name.startswith("bots/"))
