"""A bot that never starts is suspended, and nobody can tell how the run went from its end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.arena_command import ROOT, as_json, messages, output, tournament

pytestmark = pytest.mark.slow


def written(folder: Path, does: str, **keys: object) -> Path:
    """Write a tournament with two good bots and ``dead``, which does something wrong."""
    dead = f"{{name: dead, run: {ROOT}/tests/integration/programs/scripted.py, args: {does}}}"
    keys |= {"rounds": 2, "seed": 3, "clock": "{move: 10s, first: 10s}", "opening": "{plies: 1}"}
    return tournament(folder, f"[random, random-sh, {dead}]", **keys)


def test_suspended_bot_is_shown_below_table(tmp_path: Path) -> None:
    """After three faults no match of a bot counts for anybody; it stands below the table."""
    home, file = tmp_path / "home", written(tmp_path, "[start-exit]")
    done = messages(home, "run", file, "--workers", 1)
    told = done.count("arena: dead is suspended")
    assert told == 1, "when it happens; the table has it at the end"
    again = f"start another edition: arena run {file} --workers 1 --new"
    assert f"dead: fix the faults, then {again}" in done
    board = as_json(home, "leaderboard")
    # the two others met in both seats, in 2 rounds
    assert {(row["bot"], row["games"]) for row in board["rows"]} == {
        ("random", 4),
        ("random-sh", 4),
    }
    assert [row["faults"] for row in board["rows"]] == [{}, {}]
    (out,) = board["out"]
    assert (out["bot"], out["version"]) == ("dead", 0)
    assert out["reason"].startswith("is suspended: 3 startup faults in a row, the last in match ")
    lines = output(home, "leaderboard").splitlines()
    ranked = [[str(row["rank"]), row["bot"]] for row in board["rows"]]
    assert [line.split()[:2] for line in lines[1:3]] == ranked
    assert lines[3] == ""
    (line,) = [line for line in lines[4:] if line.startswith("dead ")]
    assert line.startswith("dead is suspended: 3 startup faults in a row")
    assert "dead" not in output(home, "leaderboard", "--crosstable")
    rows = as_json(home, "matches")["rows"]
    assert [row["counted"] for row in rows] == ["dead" not in row["bots"] for row in rows]
    assert {row["by"] for row in rows if not row["counted"]} == {"startup"}
    played = [row for row in rows if not row["counted"]]
    # while it plays one worker has the next match at hand, and one more for each core without a
    # worker, at most two
    idle = min(2, len(os.sched_getaffinity(0)) - 1)
    assert 3 <= len(played) <= 4 + idle
    assert output(home, "matches", "--by", "startup").count("startup, not counted\n") == len(played)
    assert output(home, "export").count("\n") == 4, "only the counted matches"
    said = output(home, "verify")
    assert said == f"cup: {len(rows)} of 12 matches\n{len(rows)} matches verified: all right\n"


def test_faults_of_any_code_suspend_if_file_says_so(tmp_path: Path) -> None:
    """A bot that crashes twice in a row is suspended if faults of any code count."""
    home, crashes, keys = tmp_path / "home", '[crash, "1"]', {"max_faults": 2}
    file = written(tmp_path, crashes, faults="any", **keys)
    assert "dead: fix the faults, then" in messages(home, "run", file, "--workers", 1)
    board = as_json(home, "leaderboard")
    assert [row["bot"] for row in board["rows"] if row["games"] == 4] == ["random", "random-sh"]
    (out,) = board["out"]
    assert out["bot"] == "dead"
    assert "2 faults in a row" in out["reason"]
    bundle = tmp_path / "cup.arena"
    output(home, "bundle", "create", "cup", "-o", bundle)
    output(home, "bundle", "verify", bundle)
    # without the key the same bot plays on
    output(home, "run", written(tmp_path, crashes, name="other", **keys), "--workers", 1)
    assert "out" not in as_json(home, "leaderboard")
