"""What engines keep to be quick says the same as what it is made of."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines
from engines.arborius.grid import AHEAD, Rings, add_cell, cell_at, in_one_piece, splits, take_cell
from engines.build_your_arboretum.bids import bid_actions, bid_text, list_bids
from engines.build_your_arboretum.cards import cards_text, cells_of, hire_actions, hires, members
from engines.the_tree.grid import anchor_at, placed_text, read_placed

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


def rings_of(cells: list[int]) -> tuple[Rings, int]:
    rings: Rings = {}
    return rings, sum(add_cell(rings, cell) for cell in cells)


@given(boards())
def test_boards_split_where_a_walk_says_so(cells: list[int]) -> None:
    """Vacating a cell, alone or for the one in front of it, splits a board or not."""
    rings, euler = rings_of(cells)
    for gone in cells:
        assert splits(rings, euler, gone) != in_one_piece(set(cells) - {gone})
        for step in AHEAD:
            after = (set(cells) | {gone + step}) - {gone}
            assert splits(rings, euler, gone, gone + step) != in_one_piece(after)


@given(boards(), st.randoms(use_true_random=False))
def test_cells_taken_away_leave_no_trace(cells: list[int], rng: random.Random) -> None:
    """Rings and pieces less holes depend on the cells alone, whatever was added and taken."""
    rings, euler = rings_of(cells)
    gone = rng.sample(cells, rng.randrange(len(cells)))
    for cell in gone:
        euler -= take_cell(rings, cell)
    assert (rings, euler) == rings_of([cell for cell in cells if cell not in gone])


@pytest.mark.parametrize("usable", [0, 1, 2, 5, 8, 14])
def test_bids_are_listed_as_they_are_written(usable: int) -> None:
    """Lists of few parrots, which are kept, and of many, which are not, are in order."""
    assert list(bid_actions(usable)) == [f"bid:{bid_text(bid)}" for bid in list_bids(usable)]


@given(st.sets(st.integers(0, 63), max_size=7), st.integers(0, 17))
def test_hires_are_listed_as_they_are_written(cards: set[int], parrots: int) -> None:
    """The texts are those of the sets, in their order."""
    board = sum(1 << card for card in cards)
    texts = [f"hire:{cards_text(chosen)}" for chosen in hires(sorted(cards), parrots)]
    assert list(hire_actions(board, parrots)) == texts


@given(st.integers(0, (1 << 36) - 1))
def test_cells_of_a_soil(soil: int) -> None:
    """Byte by byte or bit by bit, the members are the same."""
    assert cells_of(soil) == members(soil)


@given(st.integers(-36, 36), st.integers(0, 35), st.integers(0, 63))
def test_placements_are_read_as_they_are_written(x: int, y: int, way: int) -> None:
    """Each cell of the grid and each way of a tile have one text."""
    anchor = anchor_at(x, y)
    assert anchor is not None
    assert read_placed(placed_text(anchor, way)) == (anchor, way)


@pytest.mark.parametrize("text", ["12@-0:1", "12@01:1", "82@0:1", "12@0:36", "12@0", "12@0:1:", ""])
def test_other_texts_are_no_placements(text: str) -> None:
    """What is not canonical, or off the grid, is not read."""
    assert read_placed(text) is None


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
