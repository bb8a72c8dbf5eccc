"""Connect Four by its rules page: docs/rules/connect-four.md."""

from __future__ import annotations

from support.engine_play import play

import engines
from engines import perft

EMPTY = engines.load_game("connect_four").new_initial_state()


def test_sequences_are_as_many_as_there_are() -> None:
    """7 to the power of the depth, less those that put a seventh stone into one column."""
    assert [perft(EMPTY, depth) for depth in (1, 2, 3)] == [7, 49, 343]
    assert perft(play(EMPTY, *"aaaa"), 3) == 7**3 - 1
    assert play(EMPTY, *"aaaaaa").legal_actions(0) == ("b", "c", "d", "e", "f", "g")


def test_examples_of_the_page() -> None:
    """A line of four ends the game for the player that made it, three do not."""
    assert [play(EMPTY, *columns).observation(None) for columns in ("d", "dd")] == [
        "-/-/-/x/-/-/- 1",
        "-/-/-/xo/-/-/- 0",
    ]
    end = play(EMPTY, *"abababa")
    assert end.observation(None) == "xxxx/ooo/-/-/-/-/- 1"
    assert (end.players_to_act(), end.scores(), end.ranks()) == ((), (1.0, 0.0), (1, 2))
    before = EMPTY.game.new_initial_state("xxx/ooo/-/-/-/-/- 0")
    assert before.players_to_act() == (0,)
    assert before.apply_action(0, "a") == end
