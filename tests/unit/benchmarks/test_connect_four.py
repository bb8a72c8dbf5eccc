"""The benchmarks' own games, by their rules, as plug-ins that are not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from benchmarks.plugins.connect_four import ConnectFour
from benchmarks.plugins.sixty import Sixty
from engines import State, perft

ROOT = Path(__file__).parents[3]


def played(columns: str) -> State:
    """Return the position after stones in these columns."""
    state: State = ConnectFour().new_initial_state()
    for number, column in enumerate(columns):
        state = state.apply_action(number % 2, column)
    return state


@pytest.mark.parametrize("game", ["connect_four", "sixty"])
def test_it_keeps_the_promises_of_an_engine(game: str) -> None:
    """``arena conformance`` has nothing against it, where its folder is on the path."""
    paths = os.pathsep.join([str(ROOT / "benchmarks" / "plugins"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", "arena", "conformance", game],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"{game} keeps its promises\n"), done.stderr


def test_sixty_decisions_and_no_winner() -> None:
    """Six columns of ten: the last stone ends it, whatever was played before."""
    state: State = Sixty().new_initial_state("10,10,10,10,10,8 0")
    assert state.legal_actions(0) == ("f",)
    state = state.apply_action(0, "f").apply_action(1, "f")
    assert state.players_to_act() == ()
    assert state.ranks() == (1, 1)
    full = Sixty().new_initial_state()
    for number in range(60):
        full = full.apply_action(number % 2, "abcdef"[number // 10])
    assert full == state


def test_sequences_are_as_many_as_there_are() -> None:
    """7 to the power of the depth, less those that put a seventh stone into one column."""
    state = ConnectFour().new_initial_state()
    assert [perft(state, depth) for depth in (1, 2, 3)] == [7, 49, 343]
    assert perft(played("aaaa"), 3) == 7**3 - 1
    assert played("aaaaaa").legal_actions(0) == ("b", "c", "d", "e", "f", "g")


@pytest.mark.parametrize(
    "columns",
    ["abababa", "aabbccd", "abbccdcddgd", "gffeededdad"],
    ids=["up", "across", "rising", "falling"],
)
def test_four_in_a_row_win(columns: str) -> None:
    """In a column, a row, and both diagonals; not before the fourth."""
    assert played(columns[:-1]).scores() == (0.0, 0.0)
    end = played(columns)
    assert end.is_terminal()
    assert end.ranks() == (1, 2)


def test_three_do_not_win_around_the_edge() -> None:
    """The top of a column is not below the bottom of the next."""
    # x holds the upper three of column a and the lowest of column b
    state = ConnectFour().new_initial_state("oooxxx/x/o/-/-/-/- 0")
    assert not state.is_terminal()


def test_a_full_board_without_a_line_is_a_draw() -> None:
    """Nobody has won, and nobody is next."""
    columns = "xxooxx/ooxxoo/xxooxx/ooxxoo/xxooxx/ooxxoo/xoxoxo"
    end = ConnectFour().new_initial_state(f"{columns} 0")
    assert end.players_to_act() == ()
    assert end.returns() == (0.0, 0.0)


def test_it_does_not_travel_in_the_wheel() -> None:
    """The wheel takes ``arena``, ``engines``, bots and rules, and nothing of the benchmarks."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    taken = [*wheel["packages"], *wheel["force-include"]]
    assert sorted(taken) == ["arena", "bots", "docs/rules", "engines"]
    assert set(wheel) == {"packages", "force-include"}
    assert "force-include" not in build
