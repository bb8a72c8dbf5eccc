"""Formats that take what they begin with from elsewhere, or show more than a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import as_json, output, refused, tournament

from arena import read_crosstable

pytestmark = pytest.mark.slow


def written(folder: Path, name: str, format_: str, **more: object) -> Path:
    bots = "[random, greedy, {name: oak, bot: random}, {name: elm, bot: random}]"
    keys = {"format": format_, "seed": 7, "opening": "{plies: 2}"} | more
    return tournament(folder, bots, name=name, **keys)


def test_a_knockout_is_seeded_by_another_table(tmp_path: Path) -> None:
    """The first round has the table's first against its last, its second against its third."""
    home = tmp_path / "home"
    cup = written(tmp_path, "cup", "knockout", seeding="first")
    assert '"first"' in refused(home, "run", cup)
    output(home, "run", written(tmp_path, "first", "swiss", rounds=2))
    table = as_json(home, "leaderboard", "first")["rows"]
    order = [row["bot"] for row in table]
    assert [row["points"] for row in table] == sorted((r["points"] for r in table), reverse=True)
    shown = output(home, "run", cup)
    assert "winner" in shown
    rounds = as_json(home, "leaderboard", "cup", "--bracket")["rounds"]
    met = [meeting["entrants"] for meeting in rounds[0]["meetings"]]
    assert met == [[order[0], order[3]], [order[1], order[2]]]
    board = as_json(home, "leaderboard", "cup")["rows"]
    assert [row["reached"] for row in board] == ["winner", "final", "semi-final", "semi-final"]
    assert list(read_crosstable(home, "cup").bots) == [row["bot"] for row in board]


def test_a_swiss_tournament_goes_on_with_more_rounds(tmp_path: Path) -> None:
    """``--extend`` with more rounds plays on; nothing that was played is played again."""
    home = tmp_path / "home"
    output(home, "run", written(tmp_path, "open", "swiss", rounds=1))
    before = output(home, "export").splitlines()
    more = written(tmp_path, "open", "swiss", rounds=2)
    refused(home, "run", more)
    output(home, "run", more, "--extend")
    after = output(home, "export").splitlines()
    assert after[: len(before)] == before
    assert len(after) == 2 * len(before)


def test_only_a_knockout_has_a_bracket(tmp_path: Path) -> None:
    """``--bracket`` of another tournament is refused with exit code 2."""
    home = tmp_path / "home"
    output(home, "run", written(tmp_path, "open", "gauntlet"))
    assert "no knockout" in refused(home, "leaderboard", "--bracket")
