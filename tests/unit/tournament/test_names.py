"""Which names tournaments and entrants may have."""

from __future__ import annotations

import pytest
from support.hostile_names import HOSTILE
from support.told import told

from arena.tournament.names import (
    check_entrant_name,
    check_reference,
    check_tournament_name,
    same_look,
    same_name,
)
from arena.values.errors import UsageError


@pytest.mark.parametrize(
    "name", ["a", "greedy@2", "random-js", "Oak_1.3", "érable", "木", "x" * 64]
)
def test_printable_name_is_accepted(name: str) -> None:
    """Printable characters without spaces are a name of an entrant and of a tournament."""
    assert check_entrant_name(name) == name
    assert check_tournament_name(name) == name


@pytest.mark.parametrize("name", [*"/\\|+,;\"'`", ".hidden", "a\u00a0b", "木" * 33])
def test_invalid_name_is_refused(name: str) -> None:
    """A name with separators, with invisible characters, or too wide is refused."""
    for check in (check_entrant_name, check_tournament_name):
        told(UsageError, check, name)


@pytest.mark.parametrize(
    ("one", "other"), [("Oak", "oak"), ("STRASSE", "straße"), ("e\u0301", "\u00c9")]
)
def test_names_of_other_case_are_the_same(one: str, other: str) -> None:
    """Names that differ in case or composition of letters are the same name."""
    assert same_name(one) == same_name(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("oak", "\u043eak"),  # Cyrillic о
        ("OAK", "\u041e\u0410\u041a"),  # Cyrillic throughout
        ("oak", "\u03bf\u03b1\u03ba"),  # Greek throughout
        ("oak", "\uff4f\uff41\uff4b"),  # full width
        ("Oak", "\u043eAK"),
        ("\u041d\u0430k", "Hak"),
    ],
)
def test_lookalike_names_look_the_same(one: str, other: str) -> None:
    """Names with letters of other scripts that look like Latin ones look the same."""
    assert same_look(one) == same_look(other)
    assert same_name(one) != same_name(other) or one.casefold() == other.casefold()


@pytest.mark.parametrize(
    ("one", "other"), [("oak", "0ak"), ("bot1", "botl"), ("дуб", "dub"), ("木", "本"), ("é", "e")]
)
def test_different_names_look_different(one: str, other: str) -> None:
    """Names with other digits, accents or letters look different."""
    assert same_look(one) != same_look(other)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_hostile_name_is_refused_in_printable_text(name: str) -> None:
    """A hostile name is refused in less than 300 printable characters."""
    for check in (check_entrant_name, check_tournament_name, check_reference):
        said = told(UsageError, check, name)
        assert said.isprintable() or name in ("a/b", "/etc/passwd", "../x")
        assert len(said) < 300
