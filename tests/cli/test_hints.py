"""What the command line answers to the slips that people make: what to type instead."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena

from arena.session.choose import problem_with

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


def test_near_name_as_typed(folder: Path) -> None:
    """A near name is offered the way the path was typed."""
    below = folder / "below"
    said = arena(folder / "home", "play", "leaves", "../my_bto.py", "random", cwd=below).stderr
    assert 'did you mean "../my_bot.py"?' in said
    said = refused(folder, "play", "leaves", "my_bto.py", "random")
    assert 'did you mean "my_bot.py"?' in said
    said = refused(folder, "play", "leaves", str(folder / "my_bto.py"), "random")
    assert "my_bot.py" in said


def test_name_of_a_file_without_its_suffix(folder: Path) -> None:
    """A file that would be a bot with its suffix is offered."""
    assert '"my_bot.py"' in refused(folder, "play", "leaves", "my_bot", "random")


def test_bad_record_is_named(folder: Path) -> None:
    """A file that is no record is named, whatever is wrong with it."""
    for text in ("{\n", "[]\n", json.dumps({"format": 7}) + "\n"):
        (folder / "bad.json").write_text(text)
        for command in ("show", "verify", "reproduce"):
            assert "bad.json" in refused(folder, command, "bad.json")


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


def test_capital_verb(folder: Path) -> None:
    """A verb in capitals is answered by the verb, and by what to do about it."""
    (folder / "loud.py").write_text(KIT.replace("ready", "Ready"))
    said = arena(folder / "home", "play", "leaves", "loud.py", "random", cwd=folder).stdout
    assert "verbs are lower case: ready" in said
    checked = refused(folder, "check", "loud.py", "leaves", code=1)
    assert "verbs are lower case: ready" in checked
    assert "standard error" not in checked
    (folder / "late.py").write_text(KIT.replace("play", "PLAY"))
    checked = refused(folder, "check", "late.py", "leaves", code=1)
    assert "verbs are lower case: play" in checked
    assert "standard error" not in checked


@pytest.mark.parametrize("path", ["oak.lua", "./bots"])
def test_another_language(folder: Path, path: str) -> None:
    """A bot in a language that is not built in needs a bot.yaml, and the page about it is named."""
    (folder / "oak.lua").write_text("x\n")
    (folder / "bots").mkdir()
    (folder / "bots" / "oak.lua").write_text("x\n")
    (folder / "bots" / "notes.txt").write_text("x\n")
    for command in (["play", "leaves", path, "random"], ["submit", path, "--name", "oak"]):
        said = refused(folder, *command)
        assert "bot.yaml" in said
        assert "docs/reference/bots.md" in said
        assert "chmod" not in said
    checked = refused(folder, "check", path, code=1)
    assert "bot.yaml" in checked
    assert "chmod" not in checked


NETWORK = """
import urllib.request
urllib.request.urlopen("http://packages.example.com/")
"""


@pytest.mark.slow
@pytest.mark.parametrize("level", ["bwrap", "landlock"])
def test_build_that_wants_the_network(folder: Path, level: str) -> None:
    """A build that fails for want of a network is told that it has none, at levels that hide it."""
    if problem_with(level) is not None:
        pytest.skip(f"{level} does not work here")
    place = folder / "mine"
    place.mkdir()
    (place / "bot.py").write_text(KIT)
    (place / "fetch.py").write_text(NETWORK)
    (place / "bot.yaml").write_text(
        "name: mine\nlanguage: python\nbuild: [python3, fetch.py]\nstart: [python3, bot.py]\n"
    )
    said = refused(folder, "play", "leaves", "./mine", "random", "--sandbox", level)
    assert "no network" in said
    checked = refused(folder, "check", "./mine", "leaves", "--sandbox", level, code=1)
    assert "no network" in checked
    (place / "fetch.py").write_text("raise SystemExit('a mistake')\n")
    said = refused(folder, "play", "leaves", "./mine", "random", "--sandbox", level)
    assert "a mistake" in said
    assert "network" not in said


def test_option_that_is_no_number(folder: Path) -> None:
    """A number that is none is answered by what is expected."""
    said = refused(folder, "play", "leaves", "random", "random", "--seed", "abc")
    assert "whole number" in said
    assert "'abc'" in said


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


def test_virtual_environment_in_a_bot(folder: Path) -> None:
    """A virtual environment in a bot's folder is answered by how packages come along instead."""
    place = folder / "handed-in"
    (place / ".venv" / "bin").mkdir(parents=True)
    (place / "bot.py").write_text(KIT)
    (place / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (place / ".venv" / "bin" / "python").symlink_to("/usr/bin/env")
    said = refused(folder, "play", "leaves", "./handed-in", "random")
    assert "virtual environment" in said
    assert "pip install --target" in said
