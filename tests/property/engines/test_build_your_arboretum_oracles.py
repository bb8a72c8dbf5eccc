"""Build Your Arboretum's clever parts against plain ones that follow the page word by word."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.arboretum_naive import CELLS, SUITS, best
from support.engine_play import at_random

import engines
from engines.build_your_arboretum.cards import (
    CARDS,
    EMPTY,
    EMPTY_GARDEN,
    PURSE,
    count_hires,
    hires,
    members,
)
from engines.build_your_arboretum.moves import count_moves, list_moves, move_text, nth_move
from engines.build_your_arboretum.scoring import best_paths
from engines.build_your_arboretum.text import read_position


@given(st.sets(st.integers(0, 63), max_size=7), st.integers(0, 17))
def test_hires_are_the_sets_that_are_enough(board: set[int], parrots: int) -> None:
    """Every set of cards that adds up to parrots + 1 is there, few cards first, then by list."""
    cards = sorted(board)
    plain = [
        list(chosen)
        for size in range(1, len(cards) + 1)
        for chosen in combinations(cards, size)
        if sum(card % 8 + 1 for card in chosen) >= parrots + 1
    ]
    assert [members(chosen) for chosen in hires(cards, parrots)] == plain
    assert count_hires(sum(PURSE[card] for card in cards), parrots) == len(plain)


@st.composite
def gardens(draw: st.DrawFn) -> bytes:
    """Draw an arboretum; its cards lie close, and of few suits, so that paths are long."""
    garden = bytearray(EMPTY_GARDEN)
    rng = draw(st.randoms(use_true_random=False))
    cards = rng.sample(range(8 * draw(st.integers(1, 8))), draw(st.integers(0, 8)))
    cells = [cell for cell in range(36) if cell // 6 < 4 and cell % 6 < 4]
    cards += [card for card in rng.sample(range(64), 20) if card not in cards]
    for card, cell in zip(cards, rng.sample(cells, rng.randint(0, 16)), strict=False):
        garden[cell] = card
    return bytes(garden)


@given(gardens())
def test_best_path_is_the_best_of_all(garden: bytes) -> None:
    """One walk over the cells finds what trying every path finds, for every suit."""
    named = {CELLS[cell]: CARDS[card] for cell, card in enumerate(garden) if card != EMPTY}
    assert list(best_paths(garden)) == [best(named, suit) for suit in SUITS]


@pytest.mark.parametrize("seed", range(3))
def test_places_agree_with_the_list_all_game_long(seed: int) -> None:
    """At every node of a random game the k-th move is the k-th of the list, for every k."""
    game = engines.load_game("build_your_arboretum")
    for state in at_random(game.new_initial_state(game.setup(seed)), random.Random(seed)):
        table = read_position(state.observation(None))
        for player in state.players_to_act():
            if table.usable(player) < 9:
                listed = list_moves(table, player)
                places = range(count_moves(table, player))
                assert tuple(move_text(nth_move(table, player, k)) for k in places) == listed
