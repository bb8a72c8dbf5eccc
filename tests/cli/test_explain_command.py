"""``arena explain``, and ``arena play --from``, which plays on from a position of a match."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.arena_command import arena, as_json, output, refused, tournament

from arena.record.record import format_record, parse_record
from arena.values.model import Decision, Record

SIMS = ("--sims", "300")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a tournament of two matches."""
    folder = tmp_path_factory.mktemp("explain")
    keys = {"game": "the_tree", "seed": 9, "sandbox": "none", "clock": "{move: 20s}"}
    output(folder / "home", "run", tournament(folder, "[random, random-sh]", name="t", **keys))
    return folder / "home"


@pytest.fixture(scope="module")
def match(home: Path) -> str:
    """A match of that tournament."""
    rows = as_json(home, "matches")["rows"]
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


def test_explain_names_better_action(tmp_path: Path) -> None:
    """``explain`` names the decision, the better action, how much it gains, and how to try it."""
    path, record = written(tmp_path)
    done = arena(tmp_path / "home", "explain", path, *SIMS)
    assert done.returncode == 0
    assert record.id in done.stdout
    assert "1. N1 (decision 1)" in done.stdout
    assert "a win instead of a draw" in done.stdout
    assert ": a win\n" in done.stdout
    assert f"--from '{path}#0' BOT…\n" in done.stderr
    assert "0, 1 share the last place" in done.stderr


def test_a_page_is_written_besides(tmp_path: Path) -> None:
    """The page has the mark; what is printed stays the same."""
    path, _ = written(tmp_path)
    file = tmp_path / "why.html"
    done = arena(tmp_path / "home", "explain", path, "--html", file, *SIMS)
    assert done.returncode == 0
    assert str(file) in done.stderr
    assert done.stdout == output(tmp_path / "home", "explain", path, *SIMS)
    text = file.read_text(encoding="utf-8")
    assert "a win instead of a draw (certain)" in text
    assert re.search(r'\["line","[NS]\d: a win"\]', text)
    assert "Content-Security-Policy" in text


@pytest.mark.slow
def test_explain_of_bot_sums_up_lost_matches(home: Path) -> None:
    """``explain`` of a bot has a row for each lost match and sums of what was lost."""
    rows = as_json(home, "matches")["rows"]
    bot = rows[0]["bots"][rows[0]["ranks"].index(2)]
    lost = [row["id"] for row in rows if row["ranks"][row["bots"].index(bot)] == 2]
    words = ("explain", "--bot", bot, "--lost", "t", "--sims", "900")
    found = as_json(home, *words)
    assert {one["match"] for one in found["matches"]} == {*lost}
    claimed = [d for one in found["matches"] for d in one["decisions"] if d["claimed"]]
    assert sum(phase["gain"] for phase in found["phases"]) == pytest.approx(
        sum(d["gain"] for d in claimed)
    )
    text = output(home, *words, "--limit", "1")
    assert any(match[:8] in text for match in lost)
    assert f"{len(lost)}" in text.partition("\n")[0]


def test_play_from_position_of_match(home: Path, match: str, tmp_path: Path) -> None:
    """``play --from`` plays on from a position, whose actions are the opening."""
    old = parse_record(output(home, "show", match, "--json"))
    file = tmp_path / "on.json"
    options = ("--seed", "3", "--sandbox", "none", "--record", file)
    output(home, "play", "--from", f"{match}#4", "random", "random-sh", *options)
    done = refused(home, "play", str(old.game), "random", "random", "--from", f"{match}#4")
    assert "--from" in done
    assert f"leave out {old.game}" in done
    new = parse_record(file.read_text())
    assert (new.game, new.setup) == (old.game, old.setup)
    assert new.opening == old.actions[:4]
    assert [player.bot for player in new.players] == ["random", "random-sh"]
    assert "all right" in output(home, "verify", file)
    assert "identical" in output(home, "reproduce", file, "--sandbox", "none")


@pytest.mark.parametrize(
    ("position", "words"),
    [("#1", "over"), ("#2", "1 actions"), ("", "MATCH#N"), ("#-1", "MATCH#N"), ("#x", "MATCH#N")],
)
def test_no_match_begins_there(tmp_path: Path, position: str, words: str) -> None:
    """A position that is not there, or at which the game is over, is an error."""
    path, _ = written(tmp_path)
    assert words in refused(tmp_path, "play", "--from", f"{path}{position}", "random", "random")
