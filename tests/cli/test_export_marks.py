"""``arena export --marks``: a line an entrant, with whose it is, for a spreadsheet."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from support import finished
from support.arena_command import as_json, output, refused

from arena.store import open_store
from arena.store.people import Person
from arena.values.model import Termination

HEAD = [
    "name",
    "person",
    "group",
    "version",
    "rank",
    "elo",
    "low",
    "high",
    "games",
    "faults",
    "out",
]

CONFIG = {"games": ["leaves"], "format": "round-robin", "programs": {}, "seed": 1}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make a home: ada beats bela 3 : 1, who is beaten once by a fault; eve is taken out."""
    home = tmp_path / "home"
    entrants = finished.entrants(["ada", "bela", "=eve"])
    with open_store(home, create=True) as store:
        for each in entrants[:2]:
            store.bots.add(each.bot)
        edition = store.tournaments.create("met", "f", CONFIG, entrants)
        for number, winner in enumerate(("ada", "ada", "bela", "ada")):
            seats = ["ada", "bela"] if number % 2 == 0 else ["bela", "ada"]
            ranks = [1 if seat == winner else 2 for seat in seats]
            faults = [(seats.index("bela"), Termination.TIME)] if number == 3 else []
            block = {"block": f"leaves|ada+bela|{number // 2}", "seating": number % 2}
            ms = [[1.0] * (number + 1), [1.0]]  # no two are alike
            match = finished.match(number, seats, ranks, faults=faults, ms=ms, **block)
            finished.add(store, edition.id, match)
        finished.add(store, edition.id, finished.match(4, ["=eve", "ada"], [1, 2]))
        store.tournaments.take_out(edition.id, ["=eve"])
        store.people.set(Person("ada", "@Ada", "-1"))
        store.people.set(Person("bela", "Bela, B."))
    return home


def marks(home: Path, file: Path, *options: object) -> list[dict[str, str]]:
    output(home, "export", "--marks", file, *options)
    rows = [*csv.reader(file.read_text().splitlines())]
    assert rows[0] == HEAD
    return [dict(zip(HEAD, row, strict=True)) for row in rows[1:]]


def test_marks_have_line_for_each_entrant(home: Path, tmp_path: Path) -> None:
    """``--marks`` writes a line an entrant; formulas are escaped, a bot that is out has no rank."""
    ada, bela, eve = marks(home, tmp_path / "marks.csv")
    assert (tmp_path / "marks.csv").stat().st_mode & 0o777 == 0o600  # persons are in it
    assert (ada["name"], ada["person"], ada["group"]) == ("ada", "'@Ada", "'-1")
    assert (bela["person"], bela["group"]) == ("Bela, B.", "")
    assert [(row["rank"], row["games"], row["faults"]) for row in (ada, bela)] == [
        ("1", "4", "0"),
        ("2", "4", "1"),
    ]
    assert float(ada["elo"]) > 1500 > float(bela["elo"])
    assert (eve["name"], eve["rank"], eve["elo"], eve["games"]) == ("'=eve", "", "", "0")
    assert "taken out" in eve["out"]
    board = as_json(home, "leaderboard")["rows"]
    for row, mark in zip(board, (ada, bela), strict=True):
        assert mark["elo"] == str(round(row["score"], 1))
        assert (mark["low"], mark["high"]) == tuple(
            "" if row[end] is None else str(round(row[end], 1)) for end in ("low", "high")
        )


def test_anchor_moves_marks(home: Path, tmp_path: Path) -> None:
    """``--anchor`` moves all marks as in the leaderboard; a negative Elo stays a number."""
    ada, bela, _ = marks(home, tmp_path / "marks.csv", "--anchor", "ada=-100")
    assert (ada["elo"], ada["low"], ada["high"]) == ("-100.0",) * 3
    _, row = as_json(home, "leaderboard", "--anchor", "ada=-100")["rows"]
    assert float(bela["elo"]) == round(row["score"], 1)
    for words in (("--anchor", "ada=1"), ("--marks", "m", "--all"), ("--marks", "m", "-o", "x")):
        refused(home, "export", *words)


def test_mark_names_person_of_program_only(home: Path, tmp_path: Path) -> None:
    """A program that no person handed in here has no person in the marks."""
    with open_store(home, create=False, change=True) as store:
        dora, ada = finished.entrants(["dora", "ada"])
        store.bots.add(dora.bot)
        store.people.set(Person("dora", "Dora"))
        fake = replace(dora, bot=replace(dora.bot, hash=f"sha256:{'1' * 64}"))
        edition = store.tournaments.create("next", "g", {}, [fake, ada])
        match = finished.match(9, ["dora", "ada"], [1, 2], tournament="next")
        finished.add(store, edition.id, match)
    found = {row["name"]: row["person"] for row in marks(home, tmp_path / "m.csv")}
    assert found == {"dora": "", "ada": "'@Ada"}


def test_person_is_in_marks_only(home: Path, tmp_path: Path) -> None:
    """No record, table or report has the name of a person."""
    for words in (["export"], ["leaderboard", "--format", "json"], ["bots", "--json"]):
        assert "Bela, B." not in output(home, *words)
    output(home, "report", "-o", tmp_path / "site")
    assert not [f for f in (tmp_path / "site").rglob("*.html") if "Bela, B." in f.read_text()]


def test_marks_name_those_who_are_not_entered(home: Path, tmp_path: Path) -> None:
    """With ``--names`` a person without an entrant has a line as well, after the others."""
    names = tmp_path / "names.csv"
    names.write_text(
        'pattern,name,person,group\na*,ada,Ada,\nb*,,"Bela, B.",\nc*,cara,Cara,red\nd*,,Dora,\n'
        "*.zip,,,red\nz*,dora-2,Dora,\n"  # of nobody by name, and of one who has a line
    )
    *rest, cara, dora = marks(home, tmp_path / "marks.csv", "--names", names)
    assert [row["name"] for row in rest] == ["ada", "bela", "'=eve"]
    assert (cara["name"], cara["person"], cara["group"]) == ("cara", "Cara", "red")
    assert (cara["rank"], cara["elo"], cara["version"], cara["games"]) == ("", "", "", "0")
    assert dora["person"] == "Dora"
    assert cara["out"] == dora["out"] != ""
    refused(home, "export", "--names", names)
