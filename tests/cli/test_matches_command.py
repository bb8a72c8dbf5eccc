"""``arena matches``: what a list says of each match, and which matches are in it."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.arena_command import as_json, output

from arena.report.matches_text import matches_text
from arena.results.matches import list_matches
from arena.store import open_store
from arena.values.model import Termination

LONG = "a-bot-with-a-name-that-nobody-would-like-to-type-twice"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with four matches of the submitted bot oak, and one of others.

    They came in this order: 0, 4, 1, 3, 2.
    """
    home = tmp_path_factory.mktemp("matches")
    entrants = finished.entrants(["oak", "elm", LONG])
    with open_store(home, create=True) as store:
        store.bots.add(entrants[0].bot)
        edition = store.tournaments.create("open", "f", {}, entrants)

        def add(number: int, bots: list[str], ranks: list[int], hour: int, **more: Any) -> None:
            more["started"] = f"2026-01-0{number + 1}T{hour:02}:30:00Z"
            finished.add(store, edition.id, finished.match(number, bots, ranks, **more))

        add(0, ["oak", "elm"], [1, 2], 9, ms=[[1.0, 2.0], [3.0]], scores=(12.0, 9.5))
        add(4, ["elm", LONG], [1, 2], 9)
        add(1, ["elm", "oak"], [1, 2], 10, faults=[(1, Termination.TIME)], ms=[[1.0], [1.0]])
        add(3, ["elm", "oak"], [1, 1], 12, scores=(7.0, 7.0))
        add(2, ["oak", "elm"], [2, 1], 11, scores=(3.0, 5.0))
    return home


def listed(home: Path, *args: object) -> list[dict[str, Any]]:
    """Return the rows of a list as JSON."""
    rows: list[dict[str, Any]] = as_json(home, "matches", *args)["rows"]
    return rows


def numbers(home: Path, *args: object) -> list[int]:
    """Return which matches are in a list, in its order."""
    return [row["number"] for row in listed(home, *args)]


def test_matches_as_json_have_all_facts(home: Path) -> None:
    """A row of ``matches --json`` has seats, scores, length, faults and the time in UTC."""
    first, second, *_ = listed(home)
    assert first["bots"] == ["oak", "elm"]
    assert first["scores"] == [12, 9.5]
    assert first["ranks"] == [1, 2]
    assert first["decisions"] == 3
    assert first["faults"] == []
    assert first["started"] == "2026-01-01T09:30:00.000Z"
    assert second["scores"] is None
    assert second["decisions"] == 2
    assert second["faults"] == [{"player": 1, "code": "time", "bot": "oak"}]


def test_lost_selects_losses_without_draws(home: Path) -> None:
    """``matches --lost`` lists what the leaderboard counts as losses, without draws."""
    assert numbers(home, "--bot", "oak", "--lost") == [1, 2]
    assert numbers(home, "--bot", "elm", "--lost") == [0]
    assert numbers(home, "--bot", "oak@1", "--lost", "--by", "time") == [1]


@pytest.mark.parametrize("zone", ["UTC-5", "UTC0", "UTC+9"])
@pytest.mark.parametrize("year", [2024, None])
def test_since_reads_time_as_shown(
    zone: str, year: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--since`` reads a time as ``matches`` shows it, in the zone of this machine."""
    day = f"{year or time.localtime().tm_year}-06-15"
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("t", "f", {}, finished.entrants(["elm", "fir"]))
        for number, clock in enumerate(("07:10:00", "07:11:59", "18:30:30")):
            result = finished.match(number, ["elm", "fir"], [1, 2], started=f"{day}T{clock}Z")
            finished.add(store, edition.id, result)
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        lines = output(tmp_path, "matches").splitlines()[1:]
        shown = [re.search(r"[0-9-]+ [0-9]{2}:[0-9]{2}", line) for line in lines]
        for number, found in enumerate(shown):
            assert found is not None
            assert (len(found[0]) == len("2024-06-15 07:10")) == (year is not None)
            assert numbers(tmp_path, "--since", found[0]) == [0, 1, 2][number:]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_matches_fit_width_of_terminal(home: Path) -> None:
    """Lines of ``matches`` are cut to the terminal's width, and whole in a pipe."""
    _, rows = list_matches(home, scores=True)
    assert max(map(len, matches_text(rows, year=2026, columns=80).splitlines())) <= 80
    cut = matches_text(rows, year=2026, columns=84)
    assert rows[0].id[:8] in cut  # the beginning is enough
    assert rows[0].id not in cut
    assert "elm - a-bot" in cut
    assert "twice  rank" in cut  # versions stand at the end of a name
    assert LONG in matches_text(rows, year=2026, columns=200)
    assert LONG in output(home, "matches")


def test_pondering_is_shown_in_matches(tmp_path: Path) -> None:
    """A bot that pondered is named in the list and in the log of the match."""
    result = finished.match(0, ["oak", "elm"], [1, 2])
    oak, elm = result.record.players
    record = replace(result.record, players=(replace(oak, pondered=True), elm))
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("t", "f", {}, finished.entrants(["oak", "elm"]))
        finished.add(store, edition.id, replace(result, record=record))
        finished.add(store, edition.id, finished.match(1, ["elm", "oak"], [1, 2]))
    assert [row["pondered"] for row in listed(tmp_path)] == [["oak"], []]
    assert [row["pondered"] for row in listed(tmp_path, "--limit", 2)] == [[], ["oak"]]
    head, first, second = output(tmp_path, "matches").splitlines()
    assert "pondered" in head
    assert (first.count("oak"), second.count("oak")) == (2, 1)
    words = ("log", record.id)
    assert "seat 0 oak: it computed while others decided" in output(tmp_path, *words)
    assert as_json(tmp_path, *words)["pondered"] == ["oak"]
    assert "computed" not in output(tmp_path, "log", listed(tmp_path)[1]["id"])
