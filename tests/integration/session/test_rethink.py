"""A bot that takes illegal answers back, in a tournament: recorded, proved, played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_command import output

BOT = """\
import sys
asked = {}
for line in sys.stdin:
    words = line.split()
    if words[0] == "hello":
        print("ready want=legal", flush=True)
    elif words[0] == "game":
        asked = {}
    elif words[0] == "legal":
        legal = words[1:]
    elif words[0] == "go":
        asked[words[1]] = asked.get(words[1], 0) + 1
        wrong = words[1] == "2" and asked["2"] <= 2
        print("play", "nowhere" if wrong else legal[0], words[1], flush=True)
    elif words[0] == "quit":
        break
"""


@pytest.mark.parametrize(("rethink", "by"), [(2, "rules"), (1, "illegal")])
def test_match_counts_with_answers_taken_back(tmp_path: Path, rethink: int, by: str) -> None:
    """A bot that is wrong twice plays on with ``rethink: 2`` and loses with less."""
    (tmp_path / "hasty.py").write_text(BOT)
    file, home = tmp_path / "t.yaml", tmp_path / "home"
    bots = "[{name: hasty, run: hasty.py}, {name: slow, run: hasty.py, args: [x]}]"
    file.write_text(
        f"name: t\ngame: connect_four\nrethink: {rethink}\nsandbox: none\nseed: 1\nbots: {bots}\n"
    )
    output(home, "run", file, "--quiet")
    (record, _) = map(json.loads, output(home, "export", "t").splitlines())
    assert record["by"] == by
    tries = [decision.get("tries") for decision in record["decisions"]]
    assert [each for each in tries if each] == [rethink] * (2 if by == "rules" else 1)
    board = json.loads(output(home, "leaderboard", "--columns", "bot,tries", "--json"))["rows"]
    assert sum(row["tries"] for row in board) == 2 * sum(filter(None, tries))
    assert "all right" in output(home, "verify", "t")
    assert "identical" in output(home, "reproduce", record["id"])
    assert "nowhere" in output(home, "log", record["id"])
