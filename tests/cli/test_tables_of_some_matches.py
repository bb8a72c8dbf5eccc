"""Tables of some of a home's matches, and lists of them, as people type them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, environment, output

from arena.machine.untrusted_files import MOST_OF_RECORDS

FIRST = """\
name: first
game: leaves
rounds: 2
seed: 7
bots: [greedy, random, random-sh]
opening: {plies: 2}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with a tournament of three bots."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "first.yaml").write_text(FIRST)
    output(folder / "home", "run", folder / "first.yaml")
    return folder / "home"


@pytest.mark.slow
def test_a_pipe_of_matches(home: Path) -> None:
    """What another program chooses of the matches is what a table is made of."""
    program = (
        "import json, sys\n"
        "for row in json.load(sys.stdin)['rows']:\n"
        "    if 'greedy' not in row['bots'] and row['started'] > '2020': print(row['id'])\n"
    )
    done = subprocess.run(
        f"'{sys.executable}' -m arena matches first --json"
        f" | '{sys.executable}' -c \"{program}\""
        f" | '{sys.executable}' -m arena leaderboard --matches - --json",
        shell=True,
        cwd=ROOT,
        env=environment(home),
        capture_output=True,
        text=True,
        check=True,
    )
    rows = json.loads(done.stdout)["rows"]
    assert {row["bot"]: row["games"] for row in rows} == {"random": 4, "random-sh": 4}


def test_matches_in_a_file(home: Path, tmp_path: Path) -> None:
    """Ids stand one a line; what is no match of the home is named."""
    rows = json.loads(output(home, "matches", "first", "--json"))["rows"]
    file = tmp_path / "chosen.txt"
    file.write_text("".join(f"{row['id']}\n" for row in rows[:3]) + "\n")
    board = json.loads(output(home, "leaderboard", "--json", "--matches", file))["rows"]
    assert sum(row["games"] for row in board) == 6
    file.write_text("feedfeedfeedfeed\n")
    done = arena(home, "leaderboard", "--matches", file)
    assert (done.returncode, "feedfeedfeedfeed" in done.stderr) == (2, True)
    file.write_bytes(f"{rows[0]['id']}\n".encode() + b"\n\xff\xfe1\n")
    done = arena(home, "leaderboard", "--matches", file)
    assert (done.returncode, f"{file}:3: " in done.stderr) == (2, True)
    assert "UTF-8" in done.stderr


@pytest.mark.parametrize("kind", ["pipe", "device", "large"])
def test_a_list_of_matches_is_a_plain_file(home: Path, tmp_path: Path, kind: str) -> None:
    """A pipe is not waited for, and what has no end or is too large is not read."""
    file = Path("/dev/zero") if kind == "device" else tmp_path / "ids"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "large":
        file.touch()
        os.truncate(file, MOST_OF_RECORDS + 1)
    done = arena(home, "leaderboard", "--matches", file)
    assert (done.returncode, str(file) in done.stderr) == (2, True), done.stderr
    assert ("64 MiB" if kind == "large" else "expected a file") in done.stderr
