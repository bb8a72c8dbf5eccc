"""The places of entrants of which only so many matches are played at a time."""

from __future__ import annotations

from arena.progress.places import MOST_WAITING, Places
from arena.values.model import Bot, Entrant, Match


def places(**most: int | None) -> Places:
    """Return places for entrants with so many each."""
    bots = {name: Bot(name, 1, "sha256:0", ("x",), "/") for name in most}
    return Places({name: Entrant(name, bots[name], at_once=each) for name, each in most.items()})


def match(number: int, *seats: str) -> Match:
    return Match(number, "leaves", 0, 0, seats)


def test_match_waits_while_entrant_is_full() -> None:
    """A match waits while an entrant plays ``at_once`` matches, and is the next when one ends."""
    found = places(gpt=1, oak=None, elm=2)
    first, second, other = match(0, "gpt", "oak"), match(1, "elm", "gpt"), match(2, "oak", "elm")
    assert not found.has_to_wait(first)
    found.take(first)
    assert found.has_to_wait(second)
    assert not found.has_to_wait(other)
    found.take(other)
    assert found.next() is None
    found.give_back(first.seats)
    assert found.next() == second
    assert found.next() is None


def test_waiting_matches_are_bounded() -> None:
    """A bounded number of matches is put aside; then no more are looked at."""
    found = places(gpt=1, oak=None)
    found.take(match(0, "gpt", "oak"))
    for number in range(1, MOST_WAITING + 1):
        assert not found.is_full
        assert found.has_to_wait(match(number, "gpt", "oak"))
    assert found.is_full
    found.begin()
    assert not found.is_full
    assert not found.has_to_wait(match(1, "gpt", "oak"))
