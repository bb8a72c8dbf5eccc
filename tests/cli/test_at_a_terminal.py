"""What commands show on a terminal: lines fit, and none runs into another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.arena_command import ROOT, output, submitted, tournament
from support.terminals import WIDE, terminal


@pytest.mark.slow
def test_message_above_bar_begins_line(tmp_path: Path) -> None:
    """Each message above a progress bar begins a line of its own."""
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("")
    with terminal(tmp_path, "submit", str(tmp_path / "a.py"), str(tmp_path / "b.py")) as screen:
        screen.expect("not taken(.|\n)*not taken")
        assert screen.close() == 2
    assert "0/2" in screen.shown
    before = re.findall(r"(?s)(.|^)arena: ", screen.shown)
    assert len(before) == 3  # the last is how many were not taken
    assert set(before) <= {"\n", "\r", ""}


@pytest.mark.slow
def test_a_leaderboard_fits(tmp_path: Path) -> None:
    """After a run, and whenever it is asked for; into a file everything goes."""
    file = tournament(tmp_path, rounds=1, seed=1, sandbox="none")
    with terminal(tmp_path / "home", "run", str(file)) as screen:
        screen.expect("See --columns")
        assert screen.close() == 0
    with terminal(tmp_path / "home", "leaderboard") as again:
        again.expect("See --columns")
        assert again.close() == 0
    for text in (screen.shown.rpartition("\r")[2], again.shown):
        table = text[text.index("rank") :].splitlines()
        assert max(map(len, table)) <= WIDE
    assert "mean rank" in output(tmp_path / "home", "leaderboard").splitlines()[0]


@pytest.mark.slow
def test_lists_of_games_and_bots_fit(tmp_path: Path) -> None:
    """Long names are cut on a terminal, and not in a file."""
    name = "a-bot-with-a-name-that-is-as-long-as-a-name-may-be-and-no-longer"
    submitted(tmp_path, ROOT / "bots" / "greedy_python", name)
    for words, last in (("games", "treeblox"), ("bots", "submitted")):
        with terminal(tmp_path, words) as screen:
            screen.expect(last)
            assert screen.close() == 0
        assert max(map(len, screen.shown.splitlines())) <= WIDE
    assert name in output(tmp_path, "bots")
