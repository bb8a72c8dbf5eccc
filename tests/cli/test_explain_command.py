"""``arena explain``, and ``arena play --from``, which plays on from a position of a match."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.arena_command import arena, output
from support.recorded import recorded

from arena.match.record import format_record, parse_record
from arena.values.explained import Explained, Explanation
from arena.values.model import Decision, Record, Termination

SIMS = ("--sims", "300")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a tournament of two matches."""
    folder = tmp_path_factory.mktemp("explain")
    (folder / "t.yaml").write_text(
        "name: t\ngame: the_tree\nseed: 7\nsandbox: none\nclock: {move: 20s}\n"
        "bots: [random, random-sh]\n"
    )
    output(folder / "home", "run", folder / "t.yaml")
    return folder / "home"


@pytest.fixture(scope="module")
def match(home: Path) -> str:
    """A match of that tournament."""
    rows = json.loads(output(home, "matches", "--json"))["rows"]
    return str(rows[0]["id"])


def written(folder: Path, **changes: Any) -> tuple[Path, Record]:
    """Write the record of a match of Leaves that missed a win by its last leaf."""
    record = finished.record(
        1,
        ["oak", "elm"],
        (1, 1),
        game="leaves",
        setup="a#b 0 1,0 1 *",
        actions=((0, "N1"),),
        decisions=(Decision(),),
        **changes,
    )
    path = folder / "match.json"
    path.write_text(format_record(record) + "\n")
    return path, record


def test_the_answer_names_what_was_better(tmp_path: Path) -> None:
    """It says at which decision, which action, how much more, and how to try it."""
    path, record = written(tmp_path)
    done = arena(tmp_path / "home", "explain", path, *SIMS)
    assert done.returncode == 0
    assert record.id in done.stdout
    assert "1. N1 (decision 1)" in done.stdout
    assert "0.50 ±" in done.stdout
    assert f"--from {path}#0 BOT BOT\n" in done.stderr
    assert "0, 1 share the last place" in done.stderr


def test_what_is_proposed_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both decide at the same time, it is the position before, from which one can play on."""
    record = recorded("build_your_arboretum", most=20)
    place = next(n for n in range(20) if record.actions[n][1] and record.actions[n][0] == 1)
    assert str(record.actions[place][1]).startswith("bid:")
    found = Explained(place, 1, "bid:1b", 0.9, 0.1, "bid:2b", 0.9, 0.8, 0.1)
    explanation = Explanation(record.id, 1, "score", None, 100, (found,))
    monkeypatch.setattr("arena.review.explain.explain", lambda *_, **__: explanation)
    file = tmp_path / "match.json"
    file.write_text(format_record(record))
    done = arena(tmp_path, "explain", file, "--player", 1)
    proposed = re.search(r"arena play (--from \S+#\d+) BOT BOT\n", done.stderr)
    assert proposed is not None, done
    played = arena(tmp_path, "play", *proposed[1].split(), "random", "random")
    assert (played.returncode, "by rules" in played.stdout) == (0, True), played.stderr


def test_one_bot_a_seat(tmp_path: Path) -> None:
    """How to try it has as many bots as there are seats, and the error names no other variant."""
    file = tmp_path / "three.json"
    record = recorded("the_tree(players=3)", seed=3)
    file.write_text(format_record(record) + "\n")
    found = arena(tmp_path, "explain", file, "--player", "0", "--sims", "3000")
    assert found.returncode == 0
    assert re.search(r"--from \S+#\d+ BOT BOT BOT\n", found.stderr)
    refused = arena(tmp_path, "play", "--from", f"{file}#1", "random", "random")
    assert refused.returncode == 2
    assert "is for 3 players" in refused.stderr
    assert "did you mean" not in refused.stderr


def test_nothing_certain_is_said(tmp_path: Path) -> None:
    """Where nothing was better, or nothing was to be decided, a sentence says so."""
    path, _ = written(tmp_path)
    path.write_text(path.read_text().replace('"N1"', '"N3"'))
    assert "no decision where another action was certainly better" in output(
        tmp_path, "explain", path, *SIMS
    )
    assert "never had a choice" in output(tmp_path, "explain", path, "--player", "1", *SIMS)


def test_json_is_the_same_each_time(home: Path, match: str) -> None:
    """The explanation as plain values: the same for the same seed and number."""
    first, again = (output(home, "explain", match, *SIMS, "--json") for _ in range(2))
    assert first == again
    value = json.loads(first)
    assert value["match"] == match
    assert value["seed"] is None
    assert value["decisions"]
    assert {"position", "action", "value", "best", "gain", "error"} <= value["decisions"][0].keys()
    other = json.loads(output(home, "explain", match, *SIMS, "--seed", "5", "--json"))
    assert other["seed"] == 5


def test_a_page_is_written_besides(tmp_path: Path) -> None:
    """The page has the mark; what is printed stays the same."""
    path, _ = written(tmp_path)
    file = tmp_path / "why.html"
    done = arena(tmp_path / "home", "explain", path, "--html", file, *SIMS)
    assert done.returncode == 0
    assert str(file) in done.stderr
    assert done.stdout == output(tmp_path / "home", "explain", path, *SIMS)
    text = file.read_text(encoding="utf-8")
    assert "+0.50 ±" in text
    assert "Content-Security-Policy" in text


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    """It is known before the search."""
    path, _ = written(tmp_path)
    done = arena(tmp_path, "explain", path, "--html", tmp_path / "no" / "why.html", *SIMS)
    assert done.returncode != 0
    assert "why.html" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_seat_that_is_not_there(home: Path, match: str) -> None:
    """It is an error that names the players there are."""
    done = arena(home, "explain", match, "--player", "2")
    assert done.returncode == 2
    assert "players 0 to 1" in done.stderr


def test_playing_on_from_a_position(home: Path, match: str, tmp_path: Path) -> None:
    """What was played is the opening; the record is all right, and can be played again."""
    old = parse_record(output(home, "show", match, "--json"))
    file = tmp_path / "on.json"
    options = ("--seed", "3", "--sandbox", "none", "--record", file)
    output(home, "play", "--from", f"{match}#4", "random", "random-sh", *options)
    new = parse_record(file.read_text())
    assert (new.game, new.setup) == (old.game, old.setup)
    assert new.opening == old.actions[:4]
    assert [player.bot for player in new.players] == ["random", "random-sh"]
    assert "all right" in output(home, "verify", file)
    assert "identical" in output(home, "reproduce", file, "--sandbox", "none")


def test_playing_on_from_where_somebody_played_on(home: Path, match: str, tmp_path: Path) -> None:
    """Positions are counted from the setup, so that the opening counts, too."""
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    options = ("--seed", "3", "--sandbox", "none", "--record")
    output(home, "play", "--from", f"{match}#4", "random", "random-sh", *options, one)
    output(home, "play", "--from", f"{one}#5", "random", "random-sh", *options, two)
    first, second = parse_record(one.read_text()), parse_record(two.read_text())
    assert second.opening == (*first.opening, first.actions[0])
    assert second.id != first.id


def test_a_match_from_the_beginning_keeps_its_id(tmp_path: Path) -> None:
    """Without anything played before, the match is the one that it would be without --from."""
    path, record = written(tmp_path)
    options = ("--seed", "1", "--sandbox", "none", "--json")
    bots = ("random", "random-sh")
    from_record = output(tmp_path, "play", "--from", f"{path}#0", *bots, *options)
    from_setup = output(tmp_path, "play", "leaves", *bots, "--setup", record.setup, *options)
    assert parse_record(from_record).id == parse_record(from_setup).id


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("#1", "over"),
        ("#2", "1 actions"),
        ("", "MATCH#N"),
        ("#-1", "MATCH#N"),
        ("#x", "MATCH#N"),
    ],
)
def test_no_match_begins_there(tmp_path: Path, position: str, words: str) -> None:
    """A position that is not there, or at which the game is over, is an error."""
    path, _ = written(tmp_path)
    done = arena(tmp_path, "play", "--from", f"{path}{position}", "random", "random")
    assert done.returncode == 2
    assert words in done.stderr


def test_no_match_begins_after_a_drop(tmp_path: Path) -> None:
    """An opening holds actions; what came after a fault cannot be played on."""
    path, record = written(tmp_path, faults=((0, Termination.CRASH),))
    path.write_text(format_record(replace(record, actions=((0, None),))) + "\n")
    done = arena(tmp_path, "play", "--from", f"{path}#1", "random", "random")
    assert done.returncode == 2
    assert "dropped" in done.stderr


def test_no_match_begins_within_a_simultaneous_node(tmp_path: Path) -> None:
    """Both bid, or nobody has."""
    options = ("--seed", "1", "--sandbox", "none")
    file = tmp_path / "bids.json"
    output(tmp_path, "play", "build_your_arboretum", "random", "random", *options, "--record", file)
    record = parse_record(file.read_text())
    first = next(i for i, (_, action) in enumerate(record.actions) if "bid:" in str(action))
    bots = ("random", "random", *options)
    done = arena(tmp_path, "play", "--from", f"{file}#{first + 1}", *bots)
    assert done.returncode == 2
    assert f"#{first}" in done.stderr
    output(tmp_path, "play", "--from", f"{file}#{first}", *bots)
    output(tmp_path, "play", "--from", f"{file}#{first + 2}", *bots)


def test_from_and_setup_exclude_each_other(tmp_path: Path) -> None:
    """A match begins at one place."""
    path, record = written(tmp_path)
    bots = ("random", "random")
    done = arena(tmp_path, "play", "--from", f"{path}#0", *bots, "--setup", record.setup)
    assert done.returncode == 2
    assert "--setup" in done.stderr
