"""``arena tournaments``: what is in a home, how far it is, and one of it taken away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.arena_command import arena, as_json, output, process, refused, tournament
from support.running import Running

from arena.store import open_store
from arena.values.tables import EditionState


def stored_in(home: Path, *names: str) -> Path:
    """Return a home with tournaments of two matches each, which have ended."""
    with open_store(home, create=True) as store:
        for number, name in enumerate(names):
            edition = store.tournaments.create(name, "f", {}, finished.entrants(["oak", "elm"]))
            for match in (2 * number, 2 * number + 1):
                result = finished.match(match, ["oak", "elm"], [1, 2], tournament=name)
                finished.add(store, edition.id, result)
            store.tournaments.end(edition.id)
    return home


def listed(home: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of the list by the names of the tournaments."""
    rows = as_json(home, "tournaments")["rows"]
    return {row["tournament"]: row for row in rows}


def test_help_lists_all_states(tmp_path: Path) -> None:
    """The help of ``tournaments`` lists each state by the name that ``--json`` prints."""
    text = arena(tmp_path, "tournaments", "--help").stdout
    assert {state for state in EditionState if f"\n  {state} " in text} == {*EditionState}


def test_removed_tournament_leaves_no_match(tmp_path: Path) -> None:
    """A removed tournament is gone from lists and tables; the one before is the newest."""
    home = stored_in(tmp_path, "first", "second")
    board = output(home, "leaderboard", "first", "--json")
    assert "2 matches" in output(home, "tournaments", "remove", "second", "--yes", "--shrink")
    assert output(home, "leaderboard", "--json") == board
    refused(home, "leaderboard", "second")
    assert list(listed(home)) == ["first"]


@pytest.mark.slow
def test_output_is_escaped_in_other_locale(tmp_path: Path) -> None:
    """What a locale cannot write is escaped, and exit codes stay the same."""
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("юг", "f", {}, finished.entrants(["Жук", "机器人"]))
        match = finished.match(0, ["Жук", "机器人"], [1, 2], tournament="юг")
        finished.add(store, edition.id, match)
        store.tournaments.end(edition.id)
    for words, code, said in (
        ("tournaments", 0, r"\u044e\u0433"),
        ("leaderboard --format csv", 0, r"\u0416\u0443\u043a"),
        ("games leaves", 0, r"\u2026"),
        ("compare greedy random leaves --rounds 1 --seed 1 --sandbox none", 1, r"\u2013"),
    ):
        done = process(tmp_path, *words.split(), encoding="latin-1")
        assert (done.returncode, said in done.stdout) == (code, True), (words, done)
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_running_tournament_cannot_be_removed(tmp_path: Path) -> None:
    """A running tournament is listed with its process, and removed once it is stopped."""
    bots = "[random, {name: b, bot: random}]"
    home, file = tmp_path / "home", tournament(tmp_path, bots, name="long", rounds=9999)
    run = Running(home, "run", file, "--verbose")
    run.until()
    row = listed(home)["long"]
    assert (row["state"], row["pid"], row["of"]) == ("running", run.process.pid, 19998)
    plan = as_json(home, "run", file, "--dry-run")
    assert (plan["pid"], plan["begins"], plan["played"] > 0) == (run.process.pid, False, True)
    for words in (["remove", "long", "--yes"], ["end", "long"]):
        assert str(run.process.pid) in refused(home, "tournaments", *words)
    run.kill()
    row = listed(home)["long"]
    assert (row["state"], row["pid"]) == ("unfinished", None)
    assert 0 < row["matches"] < row["of"]
    output(home, "tournaments", "remove", "long", "--yes")
    assert listed(home) == {}


def test_escape_in_name_does_not_reach_terminal(tmp_path: Path) -> None:
    """A tournament whose name has an escape sequence is printed escaped."""
    name = "a\x1b]0;owned\x07b"
    home = stored_in(tmp_path, name)
    for words in (("tournaments",), ("tournaments", "remove", name, "--yes")):
        said = output(home, *words)
        assert "owned" in said
        assert "\x1b" not in said
        assert "\x07" not in said
