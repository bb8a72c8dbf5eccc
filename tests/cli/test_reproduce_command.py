"""``arena reproduce --against``: what is printed, to which stream, and the exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.arena_command import as_json, output
from support.bot_programs import program

LAST = 'print("play", actions[-1], decision, flush=True)'


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """Return the file of a match in which seat 0 plays its first legal action."""
    (tmp_path / "first.py").write_text(program())
    (tmp_path / "last.py").write_text(program(answer=LAST))
    (tmp_path / "ends.py").write_text(program(answer=f"{LAST}\nsys.exit(3)"))
    file = tmp_path / "match.json"
    output(tmp_path, "play", "leaves", tmp_path / "first.py", "random", "--record", file)
    return file


def actions_of(match: Path, player: int) -> list[str]:
    return [action for who, action in json.loads(match.read_text())["actions"] if who == player]


def test_each_deviation_is_a_line(tmp_path: Path, match: Path) -> None:
    """Each line says which decision, what was recorded, and what is now; the exit code is 1."""
    done = output(
        tmp_path, "reproduce", match, "--seat", 0, "--against", tmp_path / "last.py", code=1
    )
    own = actions_of(match, 0)
    for line in done.splitlines():
        found = re.fullmatch(r"decision (\d+): recorded (\S+), now (\S+)", line)
        assert found, line
        assert found[2] == own[int(found[1]) - 1] != found[3]
    assert done.startswith(f"decision 1: recorded {own[0]}, now ")


def test_deviations_as_json(tmp_path: Path, match: Path) -> None:
    """``reproduce --against --json`` has the same, and how many decisions were not asked."""
    words = ("reproduce", match, "--seat", 0, "--against", tmp_path / "ends.py")
    found = as_json(tmp_path, *words, code=1)
    own = actions_of(match, 0)
    deviations = found.pop("deviations")
    assert found == {
        "id": json.loads(match.read_text())["id"],
        "player": 0,
        "identical": False,
        "decisions": 2,
        "not_asked": len(own) - 2,
    }
    assert [(one["decision"], one["recorded"], one["before"]) for one in deviations] == [
        (1, own[0], False),
        (2, own[1], False),
    ]
    assert deviations[1]["now"] == "crash: it exited with status 3"
    assert "program ended" in output(tmp_path, *words, code=1).splitlines()[-1]
