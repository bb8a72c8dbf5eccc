"""What the command line answers to the slips that people make: what to type instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena
from support.bot_programs import program

KIT = (ROOT / "bots/kit/python/bot.py").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a bot in it, and one below it."""
    (tmp_path / "my_bot.py").write_text(KIT)
    (tmp_path / "below").mkdir()
    return tmp_path


def refused(folder: Path, *words: str, code: int = 2) -> str:
    """Run a command in a folder, which must be refused; what it says."""
    done = arena(folder / "home", *words, cwd=folder)
    assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stderr if code == 2 else done.stdout + done.stderr


def test_number_of_bots_that_fits_parameter_is_named(folder: Path) -> None:
    """If another ``players=`` would fit the bots, the message names that game."""
    said = refused(folder, "play", "the_tree", *["random"] * 4)
    assert '"the_tree(players=4)"' in said
    said = refused(folder, "play", "the_tree(players=4)", "random", "random")
    assert '"the_tree"' in said or '"the_tree(players=2)"' in said
    assert "players=" not in refused(folder, "play", "the_tree", *["random"] * 9)
    assert "players=" not in refused(folder, "play", "leaves", *["random"] * 3)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("games: [leaves(tree=u,push=any)]", '"leaves(tree=u,push=any)"'),
        ("games: [treeblox, leaves(tree=u, push=any), the_tree]", '"leaves(tree=u,push=any)"'),
    ],
)
def test_unquoted_game_in_list_is_to_be_quoted(folder: Path, text: str, quoted: str) -> None:
    """A game with several parameters that YAML cuts at the comma is to be quoted."""
    (folder / "cup.yaml").write_text(f"name: cup\n{text}\nrounds: 1\nbots: [random, greedy]\n")
    said = refused(folder, "run", "cup.yaml")
    assert len(said.splitlines()) == 1, said
    assert "quote it" in said
    assert quoted in said


def test_play_with_fault_names_commands_that_show_more(folder: Path) -> None:
    """They are ready to be copied: ``arena check``, and what shows this match with its seed."""
    (folder / "a bot.py").write_text(program(asked="if decision == '2': actions = ['z']"))
    game = "leaves(tree=u)"
    done = arena(folder / "home", "play", game, "./a bot.py", "random", cwd=folder)
    assert done.returncode == 0
    (seed,) = re.findall(r"^  seed (\d+)$", done.stdout, re.MULTILINE)
    for words in (f"arena check './a bot.py' '{game}'", f"--seed {seed} --watch --log"):
        assert words in done.stderr
    (fault,) = [line for line in done.stdout.splitlines() if '"z" is not legal' in line]
    assert fault.count("expected") == 1
    assert "arena check" not in refused(folder, "play", game, "random", "random", code=0)
