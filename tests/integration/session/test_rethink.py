"""A bot that takes illegal answers back, in a tournament: recorded, proved, played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_command import as_json, output, tournament
from support.bot_programs import program

ASKED = 'tries = 1 if decision != "2" else tries + 1'
ANSWER = 'print("play", "nowhere" if 1 < tries <= 3 else actions[0], decision, flush=True)'


@pytest.mark.parametrize(("rethink", "by"), [(2, "rules"), (1, "illegal")])
def test_match_counts_with_answers_taken_back(tmp_path: Path, rethink: int, by: str) -> None:
    """A bot that is wrong twice plays on with ``rethink: 2`` and loses with less."""
    (tmp_path / "hasty.py").write_text(program(asked=ASKED, answer=ANSWER))
    home = tmp_path / "home"
    bots = "[{name: hasty, run: hasty.py}, {name: slow, run: hasty.py, args: [x]}]"
    keys = {"name": "t", "game": "connect_four", "sandbox": "none", "seed": 1}
    file = tournament(tmp_path, bots, rethink=rethink, **keys)
    output(home, "run", file, "--quiet")
    (record, _) = map(json.loads, output(home, "export", "t").splitlines())
    assert record["by"] == by
    tries = [decision.get("tries") for decision in record["decisions"]]
    assert [each for each in tries if each] == [rethink] * (2 if by == "rules" else 1)
    board = as_json(home, "leaderboard", "--columns", "bot,tries")["rows"]
    assert sum(row["tries"] for row in board) == 2 * sum(filter(None, tries))
    assert "all right" in output(home, "verify", "t")
    assert "identical" in output(home, "reproduce", record["id"])
    assert "nowhere" in output(home, "log", record["id"])
