"""A watched match: everything to those who only watch, to people who play what they may know."""

from __future__ import annotations

import pytest

from arena.report.watch_text import watch_text
from engines import State, load_game

pytestmark = pytest.mark.usefixtures("small_games")


@pytest.fixture
def swapped() -> State:
    """Return a position of hidden hands in which player 0 has just swapped a 2 for a 1."""
    return load_game("draws").new_initial_state("2,4,1,5,3").apply_action(0, "swap")


def test_who_only_watches_sees_everything(swapped: State) -> None:
    """Without people the action and the whole board are shown, numbered on from before."""
    assert watch_text(swapped, [(0, "swap")], 7, ()) == "\n7. player 0: swap\n\n1,4\n5,3,2\n1"


def test_one_person_sees_what_that_player_may_know(swapped: State) -> None:
    """Their own action in full, that of others as far as it may be known, and their own board."""
    assert watch_text(swapped, [(0, "swap")], 1, (0,)) == "\n1. player 0: swap\n\n1,? ?,?,? 1"
    assert watch_text(swapped, [(0, "swap")], 1, (1,)) == "\n1. player 0: ?\n\n?,4 ?,?,? 1"


def test_several_people_see_what_all_of_them_may_know(swapped: State) -> None:
    """An action that one of them may not know is hidden, and so is a board that differs."""
    action, board = watch_text(swapped, [(0, "swap")], 1, (0, 1)).split("\n\n")
    assert action == "\n1. player 0: ?"
    assert "different boards" in board
    assert not set(board) & set("12345")
    heap = load_game("pebbles").new_initial_state("9 0,0,0 0").apply_action(0, "take:2")
    assert watch_text(heap, [(0, "take:2")], 1, (0, 2)) == "\n1. player 0: take:2\n\n7\n2,0,0\n1"


def test_actions_of_one_node_are_numbered_one_by_one() -> None:
    """Two bids made at once are two actions, known to all now; a drop is named."""
    begin = load_game("auction").new_initial_state("1,2,3 1,2,3/1,2,3 ./. 0,0")
    bids = begin.apply_action(0, "bid:1").apply_action(1, "bid:3")
    text = watch_text(bids, [(0, "bid:1"), (1, "bid:3")], 1, (0,))
    assert text.startswith("\n1. player 0: bid:1\n\n2. player 1: bid:3\n\n2,3 ")
    assert "\n3. player 0: dropped\n" in watch_text(bids.drop_player(0), [(0, None)], 3, (1,))


def test_bots_and_setups_cannot_move_the_terminal(swapped: State) -> None:
    """What an action is spelled with is escaped."""
    assert "\x1b" not in watch_text(swapped, [(0, "\x1b[2J")], 1, ())
