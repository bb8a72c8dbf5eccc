"""Tournaments of more and of fewer than two players a match: The Tree with three and alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_command import output


def test_three_players_rotate(tmp_path: Path) -> None:
    """A block is one deal in all three rotations of one cyclic order; every table has all ranks."""
    file = tmp_path / "t.yaml"
    file.write_text(
        "name: t\ngame: the_tree(players=3)\nrounds: 2\n"
        "bots: [random, greedy, {name: third, bot: random}]\n"
    )
    home = tmp_path / "home"
    output(home, "run", file)
    records = [json.loads(line) for line in output(home, "export").splitlines()]
    assert len(records) == 6
    for block in (records[:3], records[3:]):
        assert len({record["block"] for record in block}) == 1
        assert len({record["setup"] for record in block}) == 1
        orders = [[player["bot"] for player in record["players"]] for record in block]
        first = orders[0]
        assert sorted(orders) == sorted([first, first[1:] + first[:1], first[2:] + first[:2]])
    assert records[0]["setup"] != records[3]["setup"]
    rows = json.loads(output(home, "leaderboard", "--json"))["rows"]
    assert {row["games"] for row in rows} == {6}
    total = sum(row["mean_rank"] for row in rows)
    assert abs(total - 6) < 1e-5  # three places a match, 1 + 2 + 3, shared or not
    assert output(home, "verify", "--leaks") == "6 matches verified: all right\n"


@pytest.mark.slow
def test_alone(tmp_path: Path) -> None:
    """Alone a bot has solved the task or not; nobody is rated, and who solved more stands first."""
    file = tmp_path / "t.yaml"
    file.write_text(
        'name: t\ngame: "the_tree(players=1,hand=2)"\nrounds: 8\nseed: 0\nbots: [random, greedy]\n'
    )
    home = tmp_path / "home"
    output(home, "run", file)
    records = [json.loads(line) for line in output(home, "export").splitlines()]
    assert len(records) == 16
    assert {tuple(record["ranks"]) for record in records} == {(1,)}
    solved = {"random": 0, "greedy": 0}
    for record in records:
        solved[record["players"][0]["bot"]] += record["scores"] == [1]
    assert 0 < sum(solved.values()) < 16, "this hand size should be solved sometimes"
    rows = json.loads(output(home, "leaderboard", "--json"))["rows"]
    assert {row["bot"]: (row["wins"], row["losses"]) for row in rows} == {
        bot: (count, 8 - count) for bot, count in solved.items()
    }
    assert {row["mu"] for row in rows} == {25.0}
    assert rows[0]["wins"] >= rows[1]["wins"]
