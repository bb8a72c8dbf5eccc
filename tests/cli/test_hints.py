"""What the command line answers to the slips that people make: what to type instead."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena

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


def test_more_bots_than_players(folder: Path) -> None:
    """Where a parameter makes the number of players fit, the message says which."""
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
def test_unquoted_game(folder: Path, text: str, quoted: str) -> None:
    """A game with several parameters in a list, which YAML cuts at the comma, is to be quoted."""
    (folder / "cup.yaml").write_text(f"name: cup\n{text}\nrounds: 1\nbots: [random, greedy]\n")
    said = refused(folder, "run", "cup.yaml")
    assert len(said.splitlines()) == 1, said
    assert "quote it" in said
    assert quoted in said


@pytest.mark.slow
def test_a_bot_at_fault(folder: Path) -> None:
    """The command that says more of it comes with the verdict, ready to be copied."""
    (folder / "a bot.py").write_text(KIT.replace("play", "plya"))
    game = "leaves(tree=u)"
    words = ("play", game, "./a bot.py", "random", "--clock", "first=0ms,move=200ms")
    done = arena(folder / "home", *words, cwd=folder)
    assert done.returncode == 0
    assert f"arena check './a bot.py' '{game}'" in done.stderr
    assert "arena check" not in refused(folder, "play", game, "random", "random", code=0)


def test_a_match_that_was_only_played(folder: Path) -> None:
    """Its id leads nowhere; what keeps a match is named."""
    done = arena(folder / "home", "play", "leaves", "random", "random", cwd=folder)
    match = done.stdout.split()[1].rstrip(":")
    for command in ("log", "show", "explain", "reproduce"):
        assert "--record" in refused(folder, command, match)


def test_folder_without_a_main_file(folder: Path) -> None:
    """A folder or archive with no file that could be the bot is answered by what is in it."""
    place = folder / "handed-in"
    place.mkdir()
    (place / "player.py").write_text(KIT)
    (place / "report.pdf").write_bytes(b"%PDF")
    said = refused(folder, "play", "leaves", "./handed-in", "random")
    assert "player.py" in said
    assert "report.pdf" in said
    assert "bot.py" in said
    shutil.make_archive(str(folder / "handed-in"), "zip", place)
    assert "player.py" in refused(folder, "submit", "handed-in.zip", "--name", "ada")
