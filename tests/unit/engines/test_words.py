"""Sentences for people: what to choose next, what an action did, what happened."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest
from support.engine_play import at_random

import engines
from engines.core.drawing import named

SETUPS = {
    "leaves": "#/#/#/#/# 0 10,10 2 *",
    "leaves(push=any)": "##/## 0 10,10 2 *",
    "the_tree": "11@0:0 12,23/34,45 - 0 -",
    "treeblox": "0 main 1 idle - 1.1.0 - 2.2.0",
}


def at(game: str) -> engines.State:
    return engines.load_game(game).new_initial_state(SETUPS.get(game))


def arboretum(*actions: str) -> engines.State:
    game = engines.load_game("build_your_arboretum")
    state = game.new_initial_state()
    for action in actions:
        state = state.apply_action(state.players_to_act()[0], action)
    return state


@pytest.mark.parametrize(
    ("game", "clicks", "words"),
    [
        ("connect_four", [], "column"),
        ("leaves", [], "where the first leaf enters"),
        ("leaves", ["north side, column 1"], "second leaf enters"),
        ("leaves", ["north side, column 1"], "north side, column 1"),
        ("leaves(push=any)", [], "where the first leaf enters"),
        ("leaves(push=any)", ["north side, column 1"], "cell that the first leaf"),
        ("leaves(push=any)", ["north side, column 1", "row 1, column 1"], "the second leaf enters"),
        ("treeblox", [], "a branch or a leaf, or pass"),
        ("treeblox", ["branch"], "cell for the branch"),
        ("the_tree", [], "tile of your hand"),
        ("the_tree", ["hand: tile 1 2"], "for the 1 of the tile 1-2"),
        (
            "the_tree",
            ["hand: tile 1 2", "column 0, row 1"],
            "beside it for the 2",
        ),
        ("arborius", [], "one of your tiles"),
        ("arborius", ["w0 circle"], "w0 circle"),
    ],
)
def test_a_prompt_says_what_comes_next(game: str, clicks: Sequence[str], words: str) -> None:
    """Each click leads to the next question, until the action is complete."""
    state = at(game)
    assert words in state.prompt(state.players_to_act()[0], clicks)


def test_the_arboretum_asks_for_what_is_owed() -> None:
    """Who starts, then groups of a bid, then a card and where it goes."""
    state = arboretum()
    assert "who starts" in state.prompt(0, ())
    state = arboretum("first:0")
    assert "up to 5 parrots" in state.prompt(0, ())  # the starting player of round 1
    said = state.prompt(0, ["2 garden", "1 bulletin"])
    assert "2 garden, 1 bulletin; parrots left: 2" in said
    assert "Add a group" in said
    assert "Really bid nothing" in state.prompt(0, ["bid nothing"])
    state = arboretum("first:0", "bid:1g", "bid:1b")
    assert "card to plant" in state.prompt(0, ())
    assert "Really give up all your turns" in state.prompt(0, ["skip"])
    assert "cell of your arboretum for P1" in state.prompt(0, ["offering: P1"])
    state = state.apply_action(0, "plant:P1:C3")
    assert "ad board" in state.prompt(1, ())


@pytest.mark.parametrize(
    ("game", "action", "words"),
    [
        ("connect_four", "d", ["column d"]),
        ("leaves", "E4-2", ["row 4", "east", "then", "column 2", "south"]),
        ("leaves(push=any)", "N1:2-1:1", ["column 1", "2 cells far", "row 1", "east"]),
        ("treeblox", "B1.0.0", ["a branch", "1.0.0"]),
        ("treeblox", "pass", ["passes"]),
        ("the_tree", "12@-1:1", ["places 1 and 2", "column -1", "row 1"]),
        ("arborius", "move:w0:1", ["w0 circle", "move"]),
        ("build_your_arboretum", "take:P5:W5", ["takes P5 and discards W5"]),
        ("build_your_arboretum", "plant:P5:A1", ["plants P5 at A1"]),
        ("build_your_arboretum", "bid:3b-2g", ["3 bulletin, 2 garden"]),
        ("build_your_arboretum", "bid:-", ["bids nothing"]),
        ("build_your_arboretum", "first:1", ["starting player: {1}"]),
        ("build_your_arboretum", "hire:P1,P6", ["hires", "P1, P6"]),
    ],
)
def test_an_action_is_said_without_its_subject(game: str, action: str, words: list[str]) -> None:
    """Verb and object; who did it is put before it."""
    said = at(game).called(action)
    assert all(word in said for word in words), said
    assert not said[0].isupper()
    assert not said.endswith(".")


@pytest.mark.parametrize("game", engines.game_names())
def test_what_is_not_known_is_something_hidden(game: str) -> None:
    """An action of which nothing may be known is said so, and nonsense stays as it is."""
    state = engines.load_game(game).new_initial_state()
    assert "something hidden" in state.called("?")
    assert "no-such-action" in state.called("no-such-action")
    assert state.tell("no-such-event") == "no-such-event"


@pytest.mark.parametrize(
    ("game", "event", "told"),
    [
        ("the_tree", "draw 1", "elm could not place and drew a tile"),
        ("the_tree", "pass 0", "oak passed"),
        ("the_tree", "hand 11,25", "hand was dealt: 1-1, 2-5"),
        ("the_tree", "start 1 00@0:0", "elm began with the tile 0-0"),
        ("the_tree", "drew 16", "drawn is 1-6"),
        ("the_tree", "out 1 1", "elm placed the last tile of the hand: place 1"),
        ("build_your_arboretum", "bids 2g-1b/-", "oak bid 2 garden, 1 bulletin"),
        ("build_your_arboretum", "turns 0b,1g", "oak bulletin, elm garden"),
        ("build_your_arboretum", "total 12/30", "oak has 12 points and elm has 30 points"),
        ("arborius", "over b", "elm won"),
        ("arborius", "turn 7 1", "turn 7 of elm"),
        ("arborius", "dead w0", "w0 circle died"),
    ],
)
def test_an_event_is_told_with_names(game: str, event: str, told: str) -> None:
    """Numbers of players become what they are called."""
    assert told in named(at(game).tell(event), ["oak", "elm"])


def test_every_event_of_a_game_is_told() -> None:
    """In random games of the three games with events, every event becomes a sentence."""
    for name in ("the_tree", "build_your_arboretum", "arborius"):
        game = engines.load_game(name)
        for state in at_random(game.new_initial_state(game.setup(3)), random.Random(3), 300):
            for event in state.events():
                assert state.tell(event.text) != event.text


@pytest.mark.parametrize("name", engines.game_names())
@pytest.mark.parametrize("me", [0, 1])
def test_no_picture_calls_a_named_player_by_number(name: str, me: int) -> None:
    """Where the players have names, all of a random game's pictures use them."""
    game = engines.load_game(name)
    start = game.new_initial_state(game.setup(1))
    names = ["you", "elm"] if me == 0 else ["elm", "you"]
    for ply, state in enumerate(at_random(start, random.Random(me), 400)):
        if ply % 20 == 0 or state.is_terminal():
            picture = state.draw(me, names=names)
            assert not re.search("player [01]|you wins|you places", picture)
            text = state.draw_text(me, names=names)  # OpenSpiel's are its own, without names
            assert name == "openspiel" or all(who in text for who in names)
    title = start.drop_player(me).draw(me, names=names).partition("</title>")[0]
    assert "player" not in title
    assert name != "leaves" or title.endswith("over, 0-0, you left")
