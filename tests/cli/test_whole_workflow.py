"""The whole workflow of a user, in a fresh home: play, run, show, reproduce, verify, submit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, as_json, messages, output, refused, tournament
from support.bot_programs import program
from support.needs import working


def small(folder: Path, rounds: int = 2, seed: int = 7) -> Path:
    """Write a small tournament."""
    keys = {"clock": "{move: 5s, first: 5s}", "opening": "{plies: 2}", "workers": 2}
    oak = f"{{name: oak, run: {ROOT}/bots/kit/python/bot.py, clock: {{move: 6s}}}}"
    bots = f"[greedy, random, {oak}]"
    return tournament(folder, bots, name="small", rounds=rounds, seed=seed, **keys)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which a small tournament was run."""
    folder = tmp_path_factory.mktemp("flow")
    assert "greedy" in output(folder / "home", "run", small(folder))
    return folder / "home"


def test_leaderboard_has_row_for_each_bot(home: Path) -> None:
    """The leaderboard has a row a bot, in every format, by either rating."""
    board = as_json(home, "leaderboard")
    assert board["tournament"] == "small"
    assert [row["rank"] for row in board["rows"]] == [1, 2, 3]
    assert board["rows"][0]["bot"] == "greedy"
    for row in board["rows"]:
        assert row["games"] == row["wins"] + row["draws"] + row["losses"] == 8
        assert (row["faults"], row["rating"]) == ({}, "order-free")
    rated = as_json(home, "leaderboard", "--rating", "trueskill")["rows"]
    assert {(row["rating"], "interval" in row) for row in rated} == {("trueskill", False)}
    assert output(home, "leaderboard", "--format", "json") == output(home, "leaderboard", "--json")
    for style in ("table", "csv", "md"):
        assert "greedy" in output(home, "leaderboard", "small", "--format", style)
        assert "oak" in output(home, "leaderboard", "--crosstable", "--format", style)


WARY = """\
isolated = "NoNewPrivs:\\t1" in open("/proc/self/status").read()
print("play", actions[isolated], decision, flush=True)
"""


@pytest.mark.slow
def test_reproduce_at_recorded_level(tmp_path: Path) -> None:
    """A match that differs at another isolation level says so, and can be played at its own."""
    working("limits")
    (tmp_path / "wary.py").write_text(program(answer=WARY))
    (tmp_path / "t.yaml").write_text(
        "{name: t, game: leaves, rounds: 1, sandbox: none, "
        "bots: [{name: wary, run: wary.py}, random]}"
    )
    home = tmp_path / "home"
    output(home, "run", tmp_path / "t.yaml")
    match = as_json(home, "matches")["rows"][0]["id"]
    assert "identical" in output(home, "reproduce", match, "--sandbox", "none")
    done = output(home, "reproduce", match, "--sandbox", "limits", code=1)
    assert 'isolated by "none" then, and by "limits" now: --sandbox none does' in done
    assert "did you mean" in refused(home, "reproduce", match, "--sandbox", "nine")


@pytest.mark.slow
def test_changed_file_needs_extend_or_new(home: Path, tmp_path: Path) -> None:
    """A file with more rounds needs ``--extend``, another change ``--new``; nothing is mixed."""
    copy = tmp_path / "home"
    shutil.copytree(home, copy)
    file = small(tmp_path, rounds=3)
    done = refused(copy, "run", file)
    assert "rounds: 2 → 3" in done
    assert "--extend" in done
    before = output(copy, "export").splitlines()
    quiet = arena(copy, "run", file, "--extend", "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    after = output(copy, "export").splitlines()
    assert after[:12] == before
    assert len(after) == 18
    small(tmp_path, seed=8)
    assert "--new" in refused(copy, "run", file, "--extend")
    output(copy, "run", file, "--new")
    assert as_json(copy, "leaderboard")["tournament"] == "small#2"
    assert output(copy, "export", "small#1").splitlines() == after


@pytest.mark.slow
def test_play_with_seed_repeats_match(tmp_path: Path) -> None:
    """``play --seed`` gives the same match twice, prints the seed, and writes no store."""
    home = tmp_path / "home"
    args = ("play", "leaves", "greedy", "random", "--seed", "5")
    record = tmp_path / "match.json"
    text = output(home, *args, "--record", record)
    assert "seed" in text
    assert "5" in text
    again = as_json(home, *args)
    kept = json.loads(record.read_text())
    assert again["actions"] == kept["actions"]
    assert kept["tournament"] is None
    assert kept["seed"] == "5"
    assert not (home / "arena.db").exists()
    assert "identical" in output(home, "reproduce", record)
    watched = output(home, *args, "--watch")
    assert watched.count(" (player 1): ") == len(kept["actions"]) + 1
    other = as_json(home, "play", "leaves", "random", "random")
    assert [p["bot"] for p in other["players"]] == ["random", "random#2"]


def test_submit_refuses(tmp_path: Path) -> None:
    """A bot that breaks the protocol is refused with the step that failed, and not kept."""
    bot = tmp_path / "bad.py"
    bot.write_text("raise SystemExit(3)")
    done = messages(tmp_path / "home", "submit", bot, "--name", "bad", code=1)
    assert "step 2" in done
    assert "exited with status 3" in done
    rows = as_json(tmp_path / "home", "bots")["rows"]
    assert not [row for row in rows if row["bot"] == "bad"]


def test_perft_counts_as_rules_page(tmp_path: Path) -> None:
    """``perft`` prints a line a depth, with the counts of the rules page."""
    assert output(tmp_path, "perft", "leaves", "3") == "1 12\n2 560\n3 37038\n"
    game = "leaves(tree=u,push=any,turns=free)"
    assert output(tmp_path, "perft", game, "2") == "1 17\n2 9788\n"


def test_games_are_listed_with_parameters(tmp_path: Path) -> None:
    """``games`` lists each game with its parameters, and one with its rules."""
    rows = as_json(tmp_path, "games")["rows"]
    leaves = next(row for row in rows if row["name"] == "leaves")
    assert leaves["parameters"]["tree"] == ["line", "plus", "u"]
    page = output(tmp_path, "games", "leaves")
    assert "push" in page
    assert "Worked examples" in page


def test_finished_tournament_run_again_plays_nothing(home: Path) -> None:
    """A finished tournament that is run again shows the same table."""
    file = home.parent / "small.yaml"
    before = output(home, "leaderboard")
    exported = output(home, "export")
    assert output(home, "run", file) == before
    assert output(home, "export") == exported
