"""Every key of a tournament file is read, is kept and counts, and stands on its page."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.schedule.formats import find_format
from arena.tournament.change import fingerprint
from arena.tournament.format_keys import FORMAT_KEYS
from arena.tournament.kept import BESIDE, HOW, config_of
from arena.tournament.parse import OTHERWISE
from arena.tournament.shape import SHAPES
from arena.values.model import BotEntry, Tournament

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "ladder", "compare")
DO_NOT_COUNT = {"name", "anchor"}
BOTS = (BotEntry("elm", ref="elm"), BotEntry("oak", ref="oak"))
# another value of a key that is no plain one
OTHERS: dict[str, Any] = {
    "bots": [{"name": "elm"}, {"name": "oak", "args": ["--x"]}],
    "opening": {"plies": 9},
    "stop": {"matches": 9},
    "challengers": 2,
    "apart": [["elm", "oak"]],
    "environments": {"oak": "another"},
    "programs": {"elm": "1", "oak": "another"},
    "rules": {"leaves": 2},
}


def kept(format_: str) -> dict[str, Any]:
    tournament = Tournament("t", ("leaves",), BOTS, format=format_)
    return config_of(tournament, {"elm": "1", "oak": "2"}, {"leaves": 1}, {"oak": "3"})


def test_every_key_is_kept_or_is_said_not_to_be() -> None:
    """Only what runs differ in is not kept; ``closed`` comes when a tournament is ended."""
    found = {key for name in FORMATS for key in kept(name)}
    assert found | {"game", "closed", *HOW} == {*SHAPES[()], *BESIDE}


@pytest.mark.parametrize("format_", FORMATS)
def test_every_value_that_is_kept_counts_or_is_said_not_to(format_: str) -> None:
    """One that does not count would let matches by two rules be one tournament's."""
    config = kept(format_)
    for key in config.keys() - {"games"}:
        other = config | {key: OTHERS.get(key, "another")}
        assert (fingerprint(other) == fingerprint(config)) is (key in DO_NOT_COUNT), key


def test_every_key_of_the_file_is_read() -> None:
    """A key that is checked and not read would be ignored without a word."""
    assert {*SHAPES[()]} - OTHERWISE <= {field.name for field in fields(Tournament)}
    assert {*SHAPES[()]} >= OTHERWISE


def test_every_key_of_a_format_is_taken_by_one() -> None:
    """There is a format for each key that only some of them take."""
    assert {*FORMAT_KEYS} <= {key for name in FORMATS for key in find_format(name).keys}


def test_every_key_is_on_its_page() -> None:
    """The page has an item for each."""
    page = Path(arena.__file__).parents[1] / "docs/reference/tournament-file.md"
    rows = re.findall(r"(?m)^- (`.*?) \(", page.read_text())
    assert {*SHAPES[()]} <= set(re.findall(r"`(\w+)`", " ".join(rows)))
