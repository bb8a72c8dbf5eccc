"""A bot that loads a game imports that game, and little of the standard library."""

from __future__ import annotations

import subprocess
import sys

import pytest

import engines

# what is dear to import, and what only mistakes, deals and pictures need
DEAR = {"typing", "random", "difflib", "pathlib", "inspect", "ipaddress", "importlib.resources"}
NAMED = """
import sys
before = set(sys.modules)
import engines
engines.load_game(sys.argv[1]).new_initial_state
print(*sorted(set(sys.modules) - before))
"""
OURS = ("arborius", "build_your_arboretum", "leaves", "the_tree", "treeblox")


def imported(game: str) -> set[str]:
    """Return the modules that loading a game adds to those of a bare start."""
    done = subprocess.run(
        [sys.executable, "-c", NAMED, game], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("game", OURS)
def test_a_game_imports_little(game: str) -> None:
    """Neither dear modules nor another game come along with one."""
    found = imported(game)
    assert f"engines.{game}" in found
    assert not found & DEAR
    assert {name.split(".")[1] for name in found if name.startswith("engines.")} == {"core", game}


def test_quick_games_need_no_patterns() -> None:
    """Leaves and Treeblox are loaded without ``re``."""
    assert "re" not in imported("leaves") | imported("treeblox")


def test_named_tuples_are_those_of_typing() -> None:
    """Our named tuples have fields, defaults, methods, and a place to be pickled from."""
    parameter = engines.Parameter("tree", ("line", "plus"), "the logs")
    assert parameter._fields == ("name", "values", "meaning", "default")
    assert parameter._field_defaults == {"default": None}
    assert parameter.default_value() == "line"
    assert parameter == ("tree", ("line", "plus"), "the logs", None)
    assert engines.Event.__module__ == "engines.core.interface"
    assert engines.Event.__doc__
    assert not hasattr(parameter, "__dict__")
