"""What the command line answers to the slips that people make: what to type instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.arena_command import arena, messages, refused
from support.bot_programs import program


def test_number_of_bots_that_fits_parameter_is_named(tmp_path: Path) -> None:
    """If another ``players=`` would fit the bots, the message names that game."""
    said = refused(tmp_path, "play", "the_tree", *["random"] * 4)
    assert '"the_tree(players=4)"' in said
    said = refused(tmp_path, "play", "the_tree(players=4)", "random", "random")
    assert '"the_tree"' in said or '"the_tree(players=2)"' in said
    assert "players=" not in refused(tmp_path, "play", "the_tree", *["random"] * 9)
    assert "players=" not in refused(tmp_path, "play", "leaves", *["random"] * 3)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("games: [leaves(tree=u,push=any)]", '"leaves(tree=u,push=any)"'),
        ("games: [treeblox, leaves(tree=u, push=any), the_tree]", '"leaves(tree=u,push=any)"'),
    ],
)
def test_unquoted_game_in_list_is_to_be_quoted(tmp_path: Path, text: str, quoted: str) -> None:
    """A game with several parameters that YAML cuts at the comma is to be quoted."""
    (tmp_path / "cup.yaml").write_text(f"name: cup\n{text}\nrounds: 1\nbots: [random, greedy]\n")
    said = refused(tmp_path, "run", "cup.yaml", cwd=tmp_path)
    assert len(said.splitlines()) == 1, said
    assert "quote it" in said
    assert quoted in said


def test_play_with_fault_names_commands_that_show_more(tmp_path: Path) -> None:
    """They are ready to be copied: ``arena check``, and what shows this match with its seed."""
    (tmp_path / "a bot.py").write_text(program(asked="if decision == '2': actions = ['z']"))
    game = "leaves(tree=u)"
    done = arena(tmp_path / "home", "play", game, "./a bot.py", "random", cwd=tmp_path)
    assert done.returncode == 0
    (seed,) = re.findall(r"^  seed (\d+)$", done.stdout, re.MULTILINE)
    for words in (f"arena check './a bot.py' '{game}'", f"--seed {seed} --watch --log"):
        assert words in done.stderr
    (fault,) = [line for line in done.stdout.splitlines() if '"z" is not legal' in line]
    assert fault.count("expected") == 1
    assert "arena check" not in messages(tmp_path, "play", game, "random", "random")
