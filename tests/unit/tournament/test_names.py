"""Which names tournaments and entrants may have."""

from __future__ import annotations

import pytest
from support.hostile_names import HOSTILE

from arena.tournament.names import (
    check_entrant_name,
    check_path_as_name,
    check_reference,
    check_tournament_name,
    same_look,
    same_name,
)
from arena.values.errors import UsageError


@pytest.mark.parametrize(
    "name", ["a", "greedy@2", "random-js", "Oak_1.3", "érable", "木", "x" * 64]
)
def test_names_that_are_fine(name: str) -> None:
    """Printable characters without spaces are a name, of a tournament too."""
    assert check_entrant_name(name) == name
    assert check_tournament_name(name) == name


@pytest.mark.parametrize("name", [*"/\\|+,;\"'`", ".hidden", "a\u00a0b", "木" * 33])
def test_names_that_are_none(name: str) -> None:
    """Separators of ours, what cannot be seen, and what is too wide are refused."""
    with pytest.raises(UsageError):
        check_entrant_name(name)
    with pytest.raises(UsageError):
        check_tournament_name(name)


@pytest.mark.parametrize(
    ("one", "other"), [("Oak", "oak"), ("STRASSE", "straße"), ("e\u0301", "\u00c9")]
)
def test_names_that_people_take_for_one(one: str, other: str) -> None:
    """Case and composition do not tell two names apart."""
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
def test_names_that_look_alike(one: str, other: str) -> None:
    """Letters of other scripts that are drawn like Latin ones do not tell two names apart."""
    assert same_look(one) == same_look(other)
    assert same_name(one) != same_name(other) or one.casefold() == other.casefold()


@pytest.mark.parametrize(
    ("one", "other"), [("oak", "0ak"), ("bot1", "botl"), ("дуб", "dub"), ("木", "本"), ("é", "e")]
)
def test_names_that_can_be_told_apart(one: str, other: str) -> None:
    """Digits, accents and letters that are drawn differently do."""
    assert same_look(one) != same_look(other)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_hostile_names_are_refused_shortly(name: str) -> None:
    """No name of the corpus is taken, and what is told of it can be seen."""
    for check in (check_entrant_name, check_tournament_name, check_reference):
        with pytest.raises(UsageError) as caught:
            check(name)
        assert str(caught.value).isprintable() or name in ("a/b", "/etc/passwd", "../x")
        assert len(str(caught.value)) < 300


def test_a_path_is_told_how_to_be_given() -> None:
    """A path where a bot's name is expected is answered with the way to write it."""
    with pytest.raises(UsageError, match=r'\{name: …, run: "bots/x\.py"\}'):
        check_reference("bots/x.py")


def test_a_path_can_be_a_name() -> None:
    """An entrant without a name is called by its path, if that has no separator of ours."""
    assert check_path_as_name("../bots/x.py") == "../bots/x.py"
    for path in ("a+b.py", "my bots/x.py", "-x/y.py"):
        with pytest.raises(UsageError):
            check_path_as_name(path)
