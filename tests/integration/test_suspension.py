"""A bot that never starts is suspended, and nobody can tell how the run went from its end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from arena_command import ARENA, ROOT, arena, environment, output

from arena.record import without_times

TOURNAMENT = """\
name: dead
game: leaves
rounds: 2
seed: 3
bots:
  - random
  - random-awk
  - {{name: dead, run: {root}/tests/integration/bots/scripted.py, args: [start-exit]}}
clock: {{move: 10s, first: 10s}}
opening: {{plies: 1}}
"""


def export(home: Path) -> list[str]:
    return [without_times(line) for line in output(home, "export").splitlines()]


def board(home: Path) -> str:
    return output(home, "leaderboard") + output(home, "leaderboard", "--crosstable")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dead") / "dead.yaml"
    path.write_text(TOURNAMENT.format(root=ROOT))
    return path


@pytest.fixture(scope="module")
def undisturbed(file: Path) -> Path:
    """Return the home of a run with one worker that nobody disturbed."""
    home = file.parent / "undisturbed"
    done = arena(home, "run", file, "--workers", 1)
    assert done.returncode == 0, done.stderr
    told = [
        line for line in done.stderr.splitlines() if line.startswith("arena: dead is suspended")
    ]
    assert len(told) == 2, "once when it happens, once at the end"
    assert f"start another edition with: arena run {file} --workers 1 --new" in done.stderr
    return home


def test_what_is_shown(undisturbed: Path) -> None:
    """Three faults, then forfeits that were never played: marked wherever matches are shown."""
    home = undisturbed
    (row,) = [
        row
        for row in json.loads(output(home, "leaderboard", "--json"))["rows"]
        if row["bot"] == "dead"
    ]
    # 2 opponents, both seats, 2 rounds
    assert (row["games"], row["losses"], row["faults"]) == (8, 8, {"startup": 3})
    assert row["suspended"] is True
    assert "dead is suspended: 3 startup faults in a row" in output(home, "leaderboard")
    rows = json.loads(output(home, "matches", "--bot", "dead", "--json"))["rows"]
    assert [row.get("unplayed", False) for row in rows] == [False] * 3 + [True] * 5
    assert {row["by"] for row in rows} == {"startup"}
    assert output(home, "matches", "--by", "startup").count("startup, not played\n") == 5
    last = rows[-1]["id"]
    record = json.loads(output(home, "show", last, "--json"))
    assert record["unplayed"] is True
    assert [action for _, action in record["actions"]] == [None]
    assert "by startup after 0 decisions, never played" in output(home, "show", last)
    assert output(home, "verify") == "12 matches verified: all right\n"
    assert "verified: all right" in output(home, "verify", "--leaks", last)
    done = arena(home, "reproduce", last)
    assert done.returncode == 2
    assert (
        f'match {last} was never played, so there is nothing to play again: "dead"' in done.stderr
    )


def test_workers_change_nothing(file: Path, undisturbed: Path) -> None:
    """With four workers the same bot is suspended at the same match, and all is the same."""
    home = file.parent / "workers"
    output(home, "run", file, "--workers", 4)
    assert export(home) == export(undisturbed)
    assert board(home) == board(undisturbed)


def test_kills_change_nothing(file: Path, undisturbed: Path) -> None:
    """Killed with SIGKILL after each few matches, and gone on with, all is the same."""
    home = file.parent / "killed"
    for stored in (4, 2, None):
        process = subprocess.Popen(
            [*ARENA, "run", str(file), "--workers", "2", "--verbose"],
            cwd=ROOT,
            env=environment(home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stderr is not None
        for line in process.stderr:
            if stored is not None and (stored := stored - (" by " in line)) == 0:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()
    assert process.returncode == 0
    assert export(home) == export(undisturbed)
    assert board(home) == board(undisturbed)


def test_a_new_edition_begins_anew(file: Path, undisturbed: Path, tmp_path: Path) -> None:
    """The suspension holds for its edition: run again it stays, and the next one starts without."""
    home = tmp_path / "home"
    shutil.copytree(undisturbed, home)
    assert "dead is suspended" in arena(home, "run", file).stderr
    assert export(home) == export(undisturbed)
    output(home, "run", file, "--new")
    listed = json.loads(output(home, "matches", "dead#2", "--bot", "dead", "--json"))
    assert [row.get("unplayed", False) for row in listed["rows"]] == [False] * 3 + [True] * 5
