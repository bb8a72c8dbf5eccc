"""Views of players and watchers: boards hide what the viewer may not know."""

from __future__ import annotations

import pickle
import random

import pytest
from support.engine_play import at_random

import engines

HIDING = {  # positions in which player 0 may not know everything
    "the_tree": "00@0:0 06,24,77/15,33 47,05 0 -",
    "build_your_arboretum": engines.load_game("build_your_arboretum").setup(3),
    "draws": "2,4,1,5,3",
    "auction": "1,2,3 1,2,3/1,2,3 ./2 0,0",
}


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize("game", HIDING)
@pytest.mark.parametrize("seed", range(5))
def test_boards_do_not_depend_on_hidden_things(game: str, seed: int) -> None:
    """Two positions that a player cannot tell apart are drawn the same for that player."""
    rules = engines.load_game(game)
    state = rules.new_initial_state(HIDING[game])
    other = rules.sample_state(state.observation(0), 0, random.Random(seed))
    assert other.text_board(0) == state.text_board(0)
    assert other.to_svg(0) == state.to_svg(0)


@pytest.mark.usefixtures("small_games")
def test_a_game_without_a_board_of_its_own_shows_no_secret() -> None:
    """Where something is hidden and a game draws only the truth, a player sees the observation."""
    draws = engines.load_game("draws").new_initial_state("2,4,1,5,3")
    assert draws.text_board(0) == "2,?\n?,?,?\n0"
    assert draws.text_board(None) == str(draws)
    pebbles = engines.load_game("pebbles").new_initial_state("9 0,0,0 0")
    assert pebbles.text_board(0) == str(pebbles) == "9\n0,0,0\n0"


@pytest.mark.parametrize("name", engines.game_names())
def test_a_watcher_sees_no_more_than_any_player(name: str) -> None:
    """All of a game that hides nothing; of the others what is hidden from nobody."""
    game = engines.load_game(name)
    for state in at_random(game.new_initial_state(game.setup(7)), random.Random(7), 40):
        seen = state.observation(engines.WATCHER)
        if game.type.information == "perfect":
            assert seen == state.observation(None)
            assert state.to_svg(engines.WATCHER) == state.to_svg()
        for player in (0, 1):
            assert seen.count("?") >= state.observation(player).count("?")


def test_a_watcher_sees_no_hand_and_no_bid() -> None:
    """Hands, the supply and both bids are covered, in the texts and in the pictures."""
    tree = engines.load_game("the_tree").new_initial_state(HIDING["the_tree"])
    assert tree.observation(engines.WATCHER) == "00@0:0 ?,?,?/?,? ?,? 0 -"
    assert "06" not in tree.text_board(engines.WATCHER)
    assert "<title>06</title>" not in tree.to_svg(engines.WATCHER)
    game = engines.load_game("build_your_arboretum")
    state = game.new_initial_state(game.setup(3)).apply_action(0, "first:0")
    for bidding in (state, state.apply_action(0, "bid:2g-1b")):
        assert bidding.observation(engines.WATCHER).split(" ")[13] == "?/?"
        assert "2g-1b" not in bidding.to_svg(engines.WATCHER)
        assert bidding.text_board(engines.WATCHER) == state.text_board(engines.WATCHER)


@pytest.mark.usefixtures("small_games")
def test_a_game_that_says_nothing_of_watchers_shows_them_nothing() -> None:
    """With hidden things there is no view by default; without, everything."""
    draws = engines.load_game("draws").new_initial_state()
    for look in (draws.observation, draws.text_board, draws.to_svg, draws.draw, draws.draw_text):
        with pytest.raises(engines.NoView):
            look(engines.WATCHER)
    pebbles = engines.load_game("pebbles").new_initial_state()
    assert pebbles.observation(engines.WATCHER) == pebbles.observation(None)


def test_the_watcher_is_one_value_of_its_own_type() -> None:
    """It is no player, and stays itself in another process."""
    assert not isinstance(engines.WATCHER, int | str | None)
    assert pickle.loads(pickle.dumps(engines.WATCHER)) is engines.WATCHER
    assert repr(engines.WATCHER) == "WATCHER"
