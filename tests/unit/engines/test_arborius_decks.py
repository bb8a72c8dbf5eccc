"""Deck files and parameters of Arborius (docs/rules/arborius.md, head and section 3)."""

from __future__ import annotations

import pytest

import engines
from engines import BadSetup
from engines.arborius.decks import read_deck_file, setup_lines, shipped_decks

FILE = """
# two decks, one after the other
tile oak
tile ivy-2 enter;exit.stack   # a comment
deck first oak*3 ivy-2

deck second ivy-2 oak
"""


def test_setup_lines_start_a_game_with_these_decks() -> None:
    """Each deck gives the line of a new game in which both players use it."""
    lines = setup_lines(read_deck_file(FILE, "my.decks"))
    assert lines["second"] == (
        "turn=0 phase=turn actor=0 w=ivy-2[enter;exit.stack],oak b=ivy-2[enter;exit.stack],oak "
        "root=0,0:w0N|1,1:b0S dead=- used=- hit=- run=- offer=- give=- result=-"
    )
    for line in lines.values():
        assert engines.load_game("arborius").new_initial_state(line).observation(None) == line


def test_all_mistakes_are_shown_at_once() -> None:
    """Each on a line of its own; a tile with a bad ability is not missed by the decks."""
    with pytest.raises(BadSetup) as caught:
        read_deck_file("tile a spin\ndeck x a\ndeck y b\n", "f")
    lines = str(caught.value).split("\n")
    assert [line.split(" ")[0] for line in lines] == ["f:1:", "f:3:"]


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


# parameters
