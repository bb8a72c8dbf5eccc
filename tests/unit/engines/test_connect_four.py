"""Connect Four by its rules page: docs/rules/connect-four.md."""

from __future__ import annotations

import engines
from engines import State, perft

GAME = engines.load_game("connect_four")


def played(columns: str) -> State:
    """Return the position after stones in these columns."""
    state: State = GAME.new_initial_state()
    for number, column in enumerate(columns):
        state = state.apply_action(number % 2, column)
    return state


def test_sequences_are_as_many_as_there_are() -> None:
    """7 to the power of the depth, less those that put a seventh stone into one column."""
    state = GAME.new_initial_state()
    assert [perft(state, depth) for depth in (1, 2, 3)] == [7, 49, 343]
    assert perft(played("aaaa"), 3) == 7**3 - 1
    assert played("aaaaaa").legal_actions(0) == ("b", "c", "d", "e", "f", "g")


def test_examples_of_the_page() -> None:
    """A line of four ends the game for the player that made it, three do not."""
    state = GAME.new_initial_state()
    texts = [(state := state.apply_action(n, "d")).observation(None) for n in (0, 1)]
    assert texts == ["-/-/-/x/-/-/- 1", "-/-/-/xo/-/-/- 0"]
    end = played("abababa")
    assert end.observation(None) == "xxxx/ooo/-/-/-/-/- 1"
    assert (end.players_to_act(), end.scores(), end.ranks()) == ((), (1.0, 0.0), (1, 2))
    before = GAME.new_initial_state("xxx/ooo/-/-/-/-/- 0")
    assert before.players_to_act() == (0,)
    assert before.apply_action(0, "a") == end
