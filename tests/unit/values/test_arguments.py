"""What callers of the Python API hand in: paths in every form; a wrong type is a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import BotEntry

CUP = "name: cup\ngame: leaves\nrounds: 1\nseed: 1\nbots: [random, random-sh]\n"
RANDOM = BotEntry("random", ref="random")


class Pathy:
    """A path of another library."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


FORMS: dict[str, Callable[[Path], Any]] = {"text": str, "Path": Path, "path-like": Pathy}


@pytest.mark.slow
def test_paths_in_every_form(tmp_path: Path) -> None:
    """A text, a Path and anything like a path are the same to every function that takes one."""
    (tmp_path / "cup.yaml").write_text(CUP)
    for form in FORMS.values():
        every_function(form, tmp_path)


def every_function(as_form: Callable[[Path], Any], tmp_path: Path) -> None:
    """Hand a path in one form to each; the tournament is played once, and then it is finished."""
    tournament = arena.read_tournament(as_form(tmp_path / "cup.yaml"))
    home = as_form(tmp_path / "home")
    arena.run_tournament(tournament, home)
    assert len(arena.read_leaderboard(home).rows) == 2
    assert arena.read_crosstable(home).bots
    ids = [match for match, wrong in arena.verify_all((), home) if not wrong]
    assert len(ids) == 2
    record = arena.find_record(ids[0], home)
    file = tmp_path / "match.json"
    file.write_text(arena.format_record(record))
    assert arena.find_record(as_form(file), home) == record
    assert [wrong for _, wrong in arena.verify_all([as_form(file)], home)] == [[]]
    assert arena.reproduce(ids[0], home).difference is None
    assert arena.play_once("leaves", [RANDOM, RANDOM], home, seed=1).record.scores
    bot = tmp_path / "bot.py"
    bot.write_text((Path(arena.__file__).parents[1] / "bots/kit/python/bot.py").read_text())
    assert arena.submit(as_form(bot), "mine", home).version == 1
