"""Games of other distributions: one that cannot be imported costs nobody else anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.arena_command import arena, output, refused

import engines
from engines.core.registry import broken_plugins

BROKEN = {
    "an import that fails": ("import numpie\n", "numpie"),
    "a mistake": ("def f(:\n", "SyntaxError"),
    "a module that leaves": ("raise SystemExit(0)\n", "SystemExit"),
    "no such class": ("", "AttributeError"),
    "a class that is no game": ("class Nim: pass\n", "Game"),
}


@pytest.mark.parametrize("why", BROKEN)
def test_broken_plugin_is_a_line(
    why: str, install: Callable[..., None], small_games: Path, tmp_path: Path
) -> None:
    """A plug-in that cannot be imported is one line that names its distribution; others work."""
    text, word = BROKEN[why]
    install("my-broken-games", "nim = my_broken:Nim", my_broken=text)
    assert "nim" not in engines.game_names()
    assert {"draws", "leaves"} <= set(engines.game_names())
    (line,) = broken_plugins()
    assert '"nim"' in line
    assert "my-broken-games 1.0" in line
    assert word in line
    assert "\n" not in line
    with pytest.raises(engines.EngineError, match="my-broken-games"):
        engines.load_game("nim")
    assert str(engines.load_game("draws")) == "draws"


def test_commands_go_on_without_a_broken_plugin(
    install: Callable[..., None], small_games: Path, tmp_path: Path
) -> None:
    """``arena games`` lists the others; a command that needs the game says what is wrong."""
    install("my-broken-games", "nim = my_broken:Nim", my_broken="import numpie\n")
    listed = arena(tmp_path / "home", "games")
    assert listed.returncode == 0
    assert {"draws", "leaves"} <= {line.split()[0] for line in listed.stdout.splitlines()}
    assert [line for line in listed.stderr.splitlines() if "my-broken-games 1.0" in line]
    assert len(listed.stderr.splitlines()) == 1
    said = refused(tmp_path / "home", "play", "nim", "random", "random")
    assert "my-broken-games 1.0" in said
    assert "fault of the arena" not in said
    assert len(said.splitlines()) == 1


PEBBLES = """
from small_games import Pebbles
class Heap(Pebbles):
    name = "heap"
    def check_parameters(self): {type}
"""


@pytest.mark.slow
def test_plugin_without_a_type_plays(
    install: Callable[..., None], small_games: Path, tmp_path: Path
) -> None:
    """It loads and can be played; conformance says what is missing, and no process is kept."""
    install("my-games", "heap = my_heap:Heap", my_heap=PEBBLES.format(type="pass"))
    (small_games / "rules").mkdir()
    (small_games / "rules/heap.md").write_text("# Heap\n")
    home = tmp_path / "home"
    assert "Type of heap: not stated" in output(home, "games", "heap")
    output(home, "play", "heap(players=2)", "random", "random", "--seed", "1")
    assert "does not state its type" in output(home, "conformance", "heap", code=1)
    file = tmp_path / "kept.yaml"
    file.write_text("name: kept\ngame: heap(players=2)\nprocesses: reuse\nbots: [random, greedy]\n")
    untold = "heap(players=2) (a plug-in that does not state its type)"
    assert untold in refused(home, "run", file)


def test_name_met_twice(install: Callable[..., None]) -> None:
    """A name that two games have is reported with both places; ours still loads, and the others."""
    install("first", "leaves = first_games:Nim", "heap = first_games:Nim", first_games="")
    install("second", "heap = second_games:Nim", second_games="")
    lines = broken_plugins()
    assert len(lines) == 2
    heap, leaves = lines
    assert "first_games:Nim" in heap
    assert "second_games:Nim" in heap
    assert "engines.leaves" in leaves
    assert "first_games:Nim" in leaves
    assert engines.load_game("leaves").title == "Leaves"
    assert "heap" not in engines.game_names()
    with pytest.raises(engines.UnknownGame, match="second_games:Nim"):
        engines.load_game("heap")
