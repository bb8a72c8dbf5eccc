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


WRONG: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
    "a report's folder": (lambda: arena.write_report(".", 3), ("folder", "3")),  # type: ignore[arg-type]
    "a file": (lambda: arena.read_tournament(3), ("path", "3")),  # type: ignore[arg-type]
    "a home": (lambda: arena.read_leaderboard(3), ("home", "3")),  # type: ignore[arg-type]
    "bytes": (lambda: arena.read_leaderboard(b"h"), ("home", "bytes")),  # type: ignore[arg-type]
    "a tournament": (
        lambda: arena.run_tournament("cup.yaml", "h"),  # type: ignore[arg-type]
        ("tournament", "read_tournament", "cup.yaml"),
    ),
    "a tournament's name": (
        lambda: arena.read_leaderboard("h", Path("cup")),  # type: ignore[arg-type]
        ("tournament", "text", "Path"),
    ),
    "a game": (
        lambda: arena.play_once(3, [RANDOM], "h", seed=1),  # type: ignore[arg-type]
        ("game", "3"),
    ),
    "a bot": (
        lambda: arena.play_once("leaves", [RANDOM, 7], "h", seed=1),  # type: ignore[list-item]
        ("bots", "BotEntry", "7"),
    ),
    "bots in one text": (
        lambda: arena.play_once("leaves", "greedy random", "h", seed=1),
        ("bots", "list", "greedy random"),
    ),
    "a seed": (
        lambda: arena.play_once("leaves", [RANDOM, RANDOM], "h", seed="1"),  # type: ignore[arg-type]
        ("seed", "whole number", "'1'"),
    ),
    "a clock": (
        lambda: arena.play_once("leaves", [RANDOM], "h", seed=1, clock=5),  # type: ignore[arg-type]
        ("clock", "Clock", "5"),
    ),
    "a bot to check": (lambda: arena.check_bot(7, "h"), ("bot", "BotEntry", "7")),  # type: ignore[arg-type]
    "a bot to submit": (lambda: arena.submit(None, "x", "h"), ("path", "None")),  # type: ignore[arg-type]
    "a name to submit": (
        lambda: arena.submit("x.py", Path("h"), "h"),  # type: ignore[arg-type]
        ("name", "text", "Path"),
    ),
    "a match": (lambda: arena.find_record(12, "h"), ("match", "12")),  # type: ignore[arg-type]
    "matches in one text": (
        lambda: list(arena.verify_all("1ac9", "h")),
        ("matches", "list", "1ac9"),
    ),
    "a record's text": (lambda: arena.parse_record(b"{}"), ("text", "bytes")),  # type: ignore[arg-type]
    "a record": (lambda: arena.format_record("{}"), ("record", "Record", "{}")),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_type_is_a_sentence(what: str) -> None:
    """A wrong type is a ``TypeError`` that names the argument, what is expected, and what came."""
    call, words = WRONG[what]
    with pytest.raises(TypeError) as caught:
        call()
    said = str(caught.value)
    assert "expected" in said
    for word in words:
        assert word in said, said
