"""Deck files and parameters of Arborius (docs/rules/arborius.md, head and section 3)."""

from __future__ import annotations

import pytest

import engines
from engines import BadSetup
from engines.arborius.decks import shipped_decks

FILE = """
# two decks, one after the other
tile oak
tile ivy-2 enter;exit.stack   # a comment
deck first oak*3 ivy-2

deck second ivy-2 oak
"""


def test_a_game_tells_its_decks_and_reads_deck_files() -> None:
    """Through the interface of every game; a game without decks has none and reads none."""
    game = engines.load_game("arborius(deck=tiny)")
    assert game.decks() == shipped_decks()
    lines = game.deck_setups(FILE, "my.decks")
    assert list(lines) == ["first", "second"]
    for line in lines.values():
        assert game.new_initial_state(line).observation(None) == line
    assert engines.load_game("leaves").decks() == {}
    with pytest.raises(BadSetup, match="leaves is played without decks"):
        engines.load_game("leaves").deck_setups(FILE, "my.decks")


def test_the_published_decks_are_shipped() -> None:
    """The three decks of the page are there as it has them, and more of our own."""
    decks = shipped_decks()
    assert decks["plain"] == ("circle", "circle", "circle", "triangle", "triangle")
    assert [tile.partition("[")[0] for tile in decks["tiny"]] == [
        "circle",
        "soldier",
        "horse",
        "mask",
    ]
    assert len(decks["starter"]) == 10
    assert [*decks][:3] == ["starter", "plain", "tiny"]
    assert len(decks) > 4
