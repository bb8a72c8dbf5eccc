"""What a bot is shown of this machine: never the home, the cache, another bot, or what lies by."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, output, process, refused, tournament
from support.bot_files import write
from support.environments import PYTHON, bot, venv
from support.needs import working

from arena.bots.program import describe
from arena.sandbox import LEVELS

pytestmark = pytest.mark.slow

HIDING = ("bwrap", "landlock")


def log(home: Path) -> str:
    """Return what the bots of a home wrote to their logs."""
    ids = [line.split()[0] for line in output(home, "matches").splitlines()[1:]]
    assert ids
    return "".join(output(home, "log", match) for match in ids)


@pytest.mark.parametrize("within", [".", "lib/py*"])
@pytest.mark.parametrize("level", HIDING)
def test_a_home_below_the_arenas_environment(level: str, within: str, disk: Path) -> None:
    """What lies in the arena's virtual environment is shown to no bot, libraries or not."""
    working(level)
    place = venv(disk / "venv")
    cup = next(place.glob(within)) / "cup" if within != "." else place / "cup"
    cup.mkdir()
    (cup / "secret").write_text("the seed\n")
    spy = bot(cup / "spy", "python3", f"{place}/{within}/c*/se*")
    start, path = (place / PYTHON, "-m", "arena"), f"{ROOT}:{sysconfig.get_path('purelib')}"
    words = ("run", _file(cup, spy), "--sandbox", level, "--quiet")
    done = process(cup / ".arena", *words, start=start, cwd=cup, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    said = log(cup / ".arena")
    assert "log" in said
    assert "seed" not in said
    assert "hunter2" not in said


def test_no_bot_is_started_by_another_bot(disk: Path) -> None:
    """A bot whose start names the copy of another in the home or the cache never plays as it."""
    home = disk / "cup" / ".arena"
    victim = write(disk / "victim" / "bot", "#!/bin/sh\nexit 3\n", 0o755).parent
    digest = describe(victim).hash.removeprefix("sha256:")
    arena(home, "run", _file(disk, victim), "--quiet")
    copy = home / "bots" / "_run" / digest / "bot"
    assert os.access(copy, os.X_OK)
    thief = bot(disk / "thief", copy)
    for words in (
        ("play", "leaves", thief, "random"),
        ("check", thief, "leaves"),
        ("submit", thief),
        ("run", _file(disk, thief), "--new"),
    ):
        done = arena(home, *words)
        assert done.returncode in (1, 2), words
        assert "arena environments add" in done.stdout + done.stderr


@pytest.mark.parametrize("level", LEVELS)
def test_a_named_environment(level: str, disk: Path) -> None:
    """A bot that names a Python beside others' settings is refused, until its folder is named.

    Then it plays, by a link to another interpreter, and can read the whole folder; a bot that does
    not name it cannot, where bots are isolated.
    """
    working(level)
    home = disk / "cup" / ".arena"
    place = venv(disk / "site")
    pattern = f"{place}/conf/*"
    reader = bot(disk / "reader", place / PYTHON, pattern)
    words = ("run", _file(disk, reader), "--sandbox", level, "--allow-unsafe", "--quiet")
    said = refused(home, *words)
    assert all(word in said for word in (PYTHON, "arena environments add NAME DIR"))
    output(home, "environments", "add", "site", place)
    output(home, *words)
    assert "hunter2" in log(home)
    other = disk / "cup" / "other"
    words = ("run", _file(disk, bot(disk / "spy", "python3", pattern)), *words[2:])
    output(other, *words)
    assert ("hunter2" in log(other)) == (level not in HIDING)


def _file(disk: Path, run: Path) -> Path:
    """Write a tournament of a bot."""
    return tournament(disk, f"[random, {{name: {run.name}, run: {run}}}]", rounds=1, seed=1)
