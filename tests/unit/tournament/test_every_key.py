"""Every key of a tournament file is read, is decided upon, and stands on its page."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import arena
from arena.schedule.formats import find_format
from arena.tournament.change import PLAIN
from arena.tournament.format_keys import FORMAT_KEYS
from arena.tournament.parse import AS_THEY_ARE
from arena.tournament.shape import SHAPES
from arena.values.model import Tournament

FIELDS = {field.name for field in fields(Tournament)}
HOW_NOT_WHAT = {"name", "workers", "durability", "without", "anchor"}  # no part of the fingerprint
SPELT_ANEW = {"games", "bots", "seed", "clock", "opening", "memory_bytes", "stop"}  # by `canonical`
OF_FORMATS = {*FORMAT_KEYS} - {"rounds", "stop"}
SPELT_OTHERWISE = {"game", "games", "bots", "rounds", "clock", "opening", "memory", "workers"} | {
    *("stop", "without", "anchor")
}  # read by `build`, one by one


def test_every_field_counts_or_is_said_not_to() -> None:
    """A field that is in neither list would let matches by two rules be one tournament's."""
    assert {*PLAIN} | HOW_NOT_WHAT | SPELT_ANEW | OF_FORMATS == FIELDS


def test_every_key_of_the_file_is_read() -> None:
    """A key that is checked and not read would be ignored without a word."""
    assert {*AS_THEY_ARE} | SPELT_OTHERWISE == {*SHAPES[()]}


def test_every_key_of_a_format_is_taken_by_one() -> None:
    """There is a format for each key that only some of them take."""
    formats = map(find_format, ("round-robin", "gauntlet", "swiss", "knockout", "ladder"))
    assert {*FORMAT_KEYS} <= {key for format_ in formats for key in format_.keys}


def test_every_key_is_on_its_page() -> None:
    """The page has a row for each."""
    page = Path(arena.__file__).parents[1] / "docs/reference/tournament-file.md"
    rows = re.findall(r"(?m)^\| (`.*?) \|", page.read_text())
    assert {*SHAPES[()]} <= set(re.findall(r"`(\w+)`", " ".join(rows)))
