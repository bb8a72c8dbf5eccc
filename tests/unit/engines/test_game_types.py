"""The type of each game: facts that its rules page gives, for every parameter that matters."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from support.engine_play import at_random
from support.own_games import own_games
from support.ran import PYTHON, printed

import engines
from engines import GameType
from engines.core.interface import UNSTATED

OPEN = ("sequential", "deterministic", "perfect")  # as three of the pages begin
HIDDEN = ("sequential", "sampled", "imperfect")

TYPES = [
    # "11 turns, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1. With single ... 20 turns"; an action is a turn
    ("leaves", (*OPEN, 11)),
    ("leaves(turns=free)", (*OPEN, 11)),
    ("leaves(turns=single)", (*OPEN, 20)),
    ("leaves(tree=u,push=any)", (*OPEN, 11)),
    ("leaves(tree=plus,push=any,turns=single)", (*OPEN, 20)),
    # 2 cubes of first; 60 of main with two passes each; the one that empties a stock, with one
    # pass; the last of all 64 cubes, in final
    ("treeblox", (*OPEN, 2 + 60 * 3 + 2 + 1)),
    # 36 tiles, one of them placed unasked; what the others hold at least when the game ends
    ("the_tree", (*HIDDEN, 36 - 1 - 1)),
    ("the_tree(hand=18)", (*HIDDEN, 34)),  # no supply, but the other hand
    ("the_tree(players=3)", (*HIDDEN, 36 - 1 - 2)),
    ("the_tree(players=4)", (*HIDDEN, 36 - 1 - 3)),
    ("the_tree(play_on=yes)", (*HIDDEN, 34)),
    ("the_tree(players=3,play_on=yes)", (*HIDDEN, 36 - 1 - 1)),
    ("the_tree(players=4,play_on=yes)", (*HIDDEN, 36 - 1 - 1)),
    ("the_tree(players=1)", (*HIDDEN, 35)),  # the supply
    ("the_tree(players=1,play_on=yes)", (*HIDDEN, 35)),
    ("the_tree(players=1,hand=35)", (*HIDDEN, 35)),
    ("the_tree(players=1,hand=36)", (*OPEN, 35)),  # all tiles in one hand: one deal, all seen
    # the cap counts turns; how many actions a turn has depends on the decks
    ("arborius", (*OPEN, None)),
    ("arborius(deck=tiny,max_turns=1)", (*OPEN, None)),
    # who starts; eleven rounds of two bids and at most nine turns
    ("build_your_arboretum", ("simultaneous", "sampled", "imperfect", 122)),
    # a stone for each of six times seven places
    ("connect_four", ("sequential", "deterministic", "perfect", 42)),
    ("build_your_arboretum(advantage=1)", ("simultaneous", "sampled", "imperfect", 122)),
]


@pytest.mark.parametrize("name", sorted({text.partition("(")[0] for text, _ in TYPES}))
def test_scores_are_written_alike(name: str) -> None:
    """A whole score is an integer in every game, as records have it, from the start to the end."""
    states = at_random(engines.load_game(name).new_initial_state(), random.Random(1))
    assert {type(score) for state in states for score in state.scores()} == {int}


@pytest.mark.parametrize(("text", "facts"), TYPES)
def test_type_of_a_game(text: str, facts: tuple[object, ...]) -> None:
    """The type states what the rules page says; copies of the game state the same."""
    game = engines.load_game(text)
    assert isinstance(game.type, GameType)
    assert game.type == facts
    for other in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other.type == facts


def test_no_game_of_ours_leaves_its_type_out() -> None:
    """Every game that comes with the project has a row above."""
    assert {text.partition("(")[0] for text, _ in TYPES} >= {*own_games()}
    assert not [n for n in own_games() if engines.load_game(n).type is UNSTATED]


# a bot that loads a game imports that game, and little of the standard library

# what is dear to import, and what only mistakes, deals and pictures need
DEAR = {"typing", "random", "difflib", "pathlib", "inspect", "ipaddress", "importlib.resources"}
NAMED = """
import sys
before = set(sys.modules)
import engines
engines.load_game(sys.argv[1]).new_initial_state
print(*sorted(set(sys.modules) - before))
"""
OURS = ("arborius", "build_your_arboretum", "leaves", "the_tree", "treeblox")


def imported(game: str) -> set[str]:
    """Return the modules that loading a game adds to those of a bare start."""
    return set(printed(PYTHON, "-c", NAMED, game).split())


@pytest.mark.parametrize("game", OURS)
def test_a_game_imports_little(game: str) -> None:
    """Neither dear modules nor another game come along with one."""
    found = imported(game)
    assert f"engines.{game}" in found
    assert not found & DEAR
    assert {name.split(".")[1] for name in found if name.startswith("engines.")} == {"core", game}


# a game is shared by all who load it, so nobody can change it


@pytest.mark.parametrize("name", own_games())
def test_a_game_never_changes(name: str) -> None:
    """No attribute can be set again or taken away, and no parameter changed."""
    game = engines.load_game(name)
    for attribute in ("name", "title", "rules_version", "num_players", "parameters", "type"):
        with pytest.raises(AttributeError, match="a game never changes"):
            setattr(game, attribute, getattr(game, attribute))
    with pytest.raises(AttributeError, match="a game never changes"):
        del game.parameters
    with pytest.raises(TypeError):
        game.parameters["x"] = "y"  # type: ignore[index]
    assert engines.load_game(name) is game
    assert str(game) == name
