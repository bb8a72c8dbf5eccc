"""Numbers for learners: every action has a place, and a position has as many numbers as stated."""

from __future__ import annotations

import random

import pytest
from support.engine_play import at_random

import engines

NAMED = [
    "connect_four",
    "leaves",
    "leaves(tree=plus)",
    "leaves(tree=u,turns=free)",
    "leaves(turns=single)",
    "treeblox",
]


@pytest.mark.parametrize("text", NAMED)
def test_every_legal_action_has_a_name(text: str) -> None:
    """Random games never leave the list, and features have the stated length all game long."""
    game = engines.load_game(text)
    names = game.action_names()
    assert names is not None
    known = {*names}
    assert len(known) == len(names)
    for seed in range(6):
        for state in at_random(game.new_initial_state(), random.Random(seed)):
            for player in (0, 1):
                assert known.issuperset(state.legal_actions(player))
                assert len(state.features(player)) == game.num_features > 0


def test_the_longest_games_have_names_for_their_lines() -> None:
    """All pushes from one side: the tree gets as long as it can, 25 rows."""
    game = engines.load_game("leaves(turns=single)")
    state = game.new_initial_state("#/#/#/#/#/a/a/a/a/a/a/a/a/a/a/b/b/b/b/b/b/b/b/b 1 0,1 1 *")
    assert {*state.legal_actions(1)} <= {*(game.action_names() or ())}
    assert engines.load_game("treeblox").action_names() is not None


def test_what_has_no_bound_has_no_names() -> None:
    """Games whose actions are too many say so."""
    for text in ("the_tree", "arborius", "build_your_arboretum", "leaves(push=any)"):
        game = engines.load_game(text)
        assert game.action_names() is None
        assert game.num_features == 0
        assert game.new_initial_state().features(0) == ()


def test_features_of_connect_four() -> None:
    """The own stones come first, from the bottom of column a; the last number says who is next."""
    state = engines.load_game("connect_four").new_initial_state("xo/x/-/-/-/-/- 1")
    own, other = state.features(0)[:42], state.features(0)[42:84]
    assert [n for n, stone in enumerate(own) if stone] == [0, 6]
    assert [n for n, stone in enumerate(other) if stone] == [1]
    assert state.features(0)[84] == 0.0
    assert state.features(1) == (*other, *own, 1.0)


def test_features_of_leaves() -> None:
    """Logs, own and other leaves in a box of 25 by 21, then hands and the turn."""
    state = engines.load_game("leaves").new_initial_state("a#/.#/.b 1 9,10 2 *")
    seen, plane = state.features(1), 25 * 21
    assert [n for n, log in enumerate(seen[:plane]) if log] == [1, 22]
    assert [n for n, leaf in enumerate(seen[plane : 2 * plane]) if leaf] == [43]
    assert [n for n, leaf in enumerate(seen[2 * plane : 3 * plane]) if leaf] == [0]
    assert seen[3 * plane :] == (10, 9, 2, 1, 1, 1, 1, 1)


def test_features_of_treeblox() -> None:
    """A branch is 1 and a leaf 2, the other's are negative; stocks and active leaves follow."""
    game = engines.load_game("treeblox")
    state = game.new_initial_state("0 main 1 idle 1.1.0 1.1.1 - 2.2.0")
    mine, theirs = state.features(0), state.features(1)
    assert [number for number in mine[:-11] if number] == [1, -2, 2]
    assert [number for number in theirs[:-11] if number] == [-1, 2, -2]
    assert mine[-11:] == (15, 15, 16, 15, 1, 1, 1, 1, 1, 1, 0)
