"""What engines keep to be quick says the same as what it is made of."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines
from engines.arborius.grid import AHEAD, cell_at, in_one_piece
from engines.arborius.position import Board

NEIGHBOURS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


@st.composite
def boards(draw: st.DrawFn) -> list[int]:
    """Draw the cells of a contiguous board; small offsets make holes likely."""
    cells = [(0, 0)]
    for where, step in draw(
        st.lists(st.tuples(st.integers(0, 40), st.sampled_from(NEIGHBOURS)), max_size=14)
    ):
        x, y = cells[where % len(cells)]
        if (x + step[0], y + step[1]) not in cells:
            cells.append((x + step[0], y + step[1]))
    return [cell_at(x, y) for x, y in cells]


@given(boards())
def test_boards_split_where_a_walk_says_so(cells: list[int]) -> None:
    """Vacating a cell, alone or for the one in front of it, splits a board or not."""
    flat = Board.of(dict.fromkeys(cells, (0,)))
    for board in (flat, flat.with_stack(cells[0], (0, 1))):  # the same cells: one knows the other's
        for gone in cells:
            assert board.splits(gone) != in_one_piece(set(cells) - {gone})
            for step in AHEAD:
                after = (set(cells) | {gone + step}) - {gone}
                assert board.splits(gone, gone + step) != in_one_piece(after)


@pytest.mark.parametrize("game", ["arborius", "leaves", "treeblox", "the_tree"])
def test_a_list_changes_nothing(game: str) -> None:
    """An action leads to the same state, listed before or not."""
    rules, rng = engines.load_game(game), random.Random(5)
    state = rules.new_initial_state()
    for _ in range(60):
        if state.is_terminal():
            break
        (player,) = state.players_to_act()
        again = rules.new_initial_state(state.observation(None))
        action = rng.choice(state.legal_actions(player))
        state = state.apply_action(player, action)
        assert again.apply_action(player, action) == state
