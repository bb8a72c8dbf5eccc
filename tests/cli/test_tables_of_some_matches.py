"""Tables of some of a home's matches, and lists of them, as people type them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support.arena_command import ARENA, as_json, environment, output, refused, tournament
from support.ran import PYTHON, printed, ran

from arena.machine.untrusted_files import MOST_OF_RECORDS

pytestmark = pytest.mark.slow


def first(folder: Path, rounds: int = 2, **keys: object) -> Path:
    """Write a tournament of three bots."""
    keys = {"name": "first", "rounds": rounds, "seed": 7, "opening": "{plies: 2}"} | keys
    return tournament(folder, "[greedy, random, random-sh]", **keys)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with a tournament of three bots."""
    folder = tmp_path_factory.mktemp("tables")
    output(folder / "home", "run", first(folder))
    return folder / "home"


def test_leaderboard_of_piped_matches(home: Path) -> None:
    """``leaderboard --matches -`` rates the matches whose ids come by a pipe."""
    program = (
        "import json, sys\n"
        "for row in json.load(sys.stdin)['rows']:\n"
        "    if 'greedy' not in row['bots'] and row['started'] > '2020': print(row['id'])\n"
    )
    piped = (
        f"'{PYTHON}' -m arena matches first --json"
        f" | '{PYTHON}' -c \"{program}\""
        f" | '{PYTHON}' -m arena leaderboard --matches - --json"
    )
    rows = json.loads(printed("sh", "-c", piped, env=environment(home)))["rows"]
    assert {row["bot"]: row["games"] for row in rows} == {"random": 4, "random-sh": 4}


def test_anchor_of_file_or_option_sets_elo(home: Path, tmp_path: Path) -> None:
    """An ``anchor`` of file or option fixes a bot's Elo, also in a table of one game."""
    output(tmp_path / "home", "run", first(tmp_path, anchor="{random: 1000}"))

    def score(*args: object) -> tuple[list[object], object]:
        board = as_json(tmp_path / "home", "leaderboard", *args)
        rows = {row["bot"]: [row["score"], row["low"], row["high"]] for row in board["rows"]}
        return rows["random"], board.get("anchor")

    its = {"bot": "random", "elo": 1000.0, "refused": ""}
    assert score() == ([1000.0] * 3, its)
    assert score("--game", "leaves") == ([1000.0] * 3, its)
    assert score("--anchor", "random@1=-20.5") == (
        [-20.5] * 3,
        {"bot": "random@1", "elo": -20.5, "refused": ""},
    )
    output(tmp_path / "home", "run", first(tmp_path, 3), "--extend")
    found, anchor = score()
    assert (found[0] != 1000.0, anchor) == (True, None)
    assert "nobody" in refused(home, "leaderboard", "--anchor", "nobody=1500")
    refused(home, "leaderboard", "--anchor", "random=1500", "--rating", "trueskill")


def test_rate_needs_no_home(home: Path, tmp_path: Path) -> None:
    """``rate`` gives records the rows that they have in their home; a bad line is named."""
    records = tmp_path / "first.jsonl"
    records.write_text(output(home, "export"))
    nowhere = tmp_path / "nowhere"
    here = as_json(home, "leaderboard", "first")["rows"]
    found = as_json(nowhere, "rate", records)
    assert found["tournament"] is None
    assert [list(row) for row in found["rows"]] == [list(row) for row in here]
    for row, other in zip(found["rows"], here, strict=True):
        assert (row["bot"], row["games"], row["score"]) == pytest.approx(
            (other["bot"], other["games"], other["score"])
        )
    given = "white,black,result\noak,elm,1\noak,elm,3\n"
    piped = ran(*ARENA, "rate", "-", given=given, env=environment(nowhere))
    assert (piped.returncode, piped.stdout) == (2, "")
    assert "standard input:3: " in piped.stderr
    assert not nowhere.exists()


def test_leaderboard_of_matches_in_file(home: Path, tmp_path: Path) -> None:
    """``--matches FILE`` rates the ids in the file, and names one that is no match."""
    rows = as_json(home, "matches", "first")["rows"]
    file = tmp_path / "chosen.txt"
    file.write_text("".join(f"{row['id']}\n" for row in rows[:3]) + "\n")
    board = as_json(home, "leaderboard", "--matches", file)["rows"]
    assert sum(row["games"] for row in board) == 6
    file.write_text("feedfeedfeedfeed\n")
    assert "feedfeedfeedfeed" in refused(home, "leaderboard", "--matches", file)
    file.write_bytes(f"{rows[0]['id']}\n".encode() + b"\n\xff\xfe1\n")
    done = refused(home, "leaderboard", "--matches", file)
    assert f"{file}:3: " in done
    assert "UTF-8" in done


@pytest.mark.parametrize("kind", ["pipe", "device", "large"])
def test_file_of_matches_must_be_plain_and_small(home: Path, tmp_path: Path, kind: str) -> None:
    """A pipe, a device or a file over 64 MiB for ``--matches`` is refused at once."""
    file = Path("/dev/zero") if kind == "device" else tmp_path / "ids"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "large":
        file.touch()
        os.truncate(file, MOST_OF_RECORDS + 1)
    done = refused(home, "leaderboard", "--matches", file)
    assert str(file) in done
    assert ("64 MiB" if kind == "large" else "expected a file") in done


def test_leaderboard_without_faults(tmp_path: Path) -> None:
    """``--without-faults`` leaves out the matches of a bot that never starts."""
    home, bots = tmp_path / "home", "[random, random-sh, {name: dead, run: dead.py}]"
    keys = {"game": "connect_four", "sandbox": "none", "max_faults": 9, "opening": "{plies: 2}"}
    (tmp_path / "dead.py").write_text("raise SystemExit(1)\n")
    output(home, "run", tournament(tmp_path, bots, **keys))
    whole, some = (
        as_json(home, "leaderboard", *words)["rows"] for words in ((), ("--without-faults",))
    )
    assert {row["bot"]: row["games"] for row in whole} == {"random": 4, "random-sh": 4, "dead": 4}
    assert {row["bot"]: row["games"] for row in some if row["games"]} == {
        "random": 2,
        "random-sh": 2,
    }
