"""Build Your Arboretum's clever parts against plain ones that follow the page word by word."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines
from engines import IllegalAction
from engines.build_your_arboretum.bids import bid_text, count_bids, list_bids, nth_bid, read_bid
from engines.build_your_arboretum.cards import (
    EMPTY,
    EMPTY_GARDEN,
    PURSE,
    count_hires,
    hires,
    members,
)
from engines.build_your_arboretum.moves import count_moves, list_moves, move_text, nth_move
from engines.build_your_arboretum.scoring import best_path, rights
from engines.build_your_arboretum.table import turn_track
from engines.build_your_arboretum.text import read_position

Group = tuple[int, str]

PARROTS = st.integers(0, 9)


def all_bids(parrots: int, largest: int) -> list[tuple[Group, ...]]:
    """Make every bid, group by group, in no particular order."""
    bids: list[tuple[Group, ...]] = [()]
    for size in range(1, min(parrots, largest) + 1):
        rest = all_bids(parrots - size, size)
        bids += [((size, plan), *tail) for plan in "bg" for tail in rest]
    return bids


def words(bid: tuple[Group, ...]) -> str:
    """Write a bid as the page does."""
    return "-".join(f"{size}{plan}" for size, plan in bid) or "-"


@given(PARROTS)
def test_bids_are_all_bids_in_order(parrots: int) -> None:
    """The list is what the rules allow, sorted by the page's order; places and counts agree."""
    plain = sorted(
        all_bids(parrots, parrots),
        key=lambda bid: (len(bid), [size for size, _ in bid], "".join(plan for _, plan in bid)),
    )
    listed = list_bids(parrots)
    assert [bid_text(bid) for bid in listed] == [words(bid) for bid in plain]
    assert count_bids(parrots) == len(plain)
    assert [nth_bid(parrots, place) for place in range(len(plain))] == listed


@given(PARROTS, PARROTS, st.randoms(use_true_random=False))
def test_bids_are_read_as_written(parrots: int, usable: int, rng: random.Random) -> None:
    """A bid is read back from its text; with fewer parrots than it needs it is refused."""
    bid = nth_bid(parrots, rng.randrange(count_bids(parrots)))
    if sum(group >> 1 for group in bid) <= usable:
        assert read_bid(bid_text(bid), usable) == bid
    else:
        with pytest.raises(IllegalAction, match="parrots, at most"):
            read_bid(bid_text(bid), usable)


def plain_track(bids: list[list[Group]], starter: int) -> list[str]:
    """Make the turn track as the page's lines say."""
    turns = []
    for size in range(20, 0, -1):
        who = starter
        while any(group[0] == size for bid in bids for group in bid):
            mine = [group for group in bids[who] if group[0] == size]
            if mine:
                turns.append(f"{who}{mine[0][1]}")
                bids[who].remove(mine[0])
            who = 1 - who
    return turns[:9]


@given(st.integers(0, 17), st.integers(0, 17), st.integers(0, 1), st.randoms(use_true_random=False))
def test_turn_track_follows_the_page(
    first: int, second: int, starter: int, rng: random.Random
) -> None:
    """Two random bids make the turns that the page's lines make."""
    pair = [nth_bid(parrots, rng.randrange(count_bids(parrots))) for parrots in (first, second)]
    plain = plain_track([[(group >> 1, "bg"[group & 1]) for group in bid] for bid in pair], starter)
    turns = turn_track((pair[0], pair[1]), starter)
    assert [f"{turn >> 1}{'bg'[turn & 1]}" for turn in turns] == plain


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


def path_value(path: list[int], suit: int) -> int:
    """Return what a path of cards is worth, 0 if it is none of the suit."""
    if len(path) < 2 or path[0] // 8 != suit or path[-1] // 8 != suit:
        return 0
    double = len(path) >= 4 and all(card // 8 == suit for card in path)
    return len(path) * (1 + double) + (path[0] % 8 == 0) + 2 * (path[-1] % 8 == 7)


def plain_best(garden: bytes, suit: int) -> int:
    """Walk every rising path from every card."""
    best = 0
    paths = [[cell] for cell in range(36) if garden[cell] != EMPTY]
    while paths:
        path = paths.pop()
        best = max(best, path_value([garden[cell] for cell in path], suit))
        here = path[-1]
        for cell in range(36):
            beside = abs(cell // 6 - here // 6) + abs(cell % 6 - here % 6) == 1
            if beside and garden[cell] != EMPTY and garden[cell] % 8 > garden[here] % 8:
                paths.append([*path, cell])
    return best


@given(gardens())
def test_best_path_is_the_best_of_all(garden: bytes) -> None:
    """One walk over the cells finds what trying every path finds, for every suit."""
    for suit in range(8):
        assert best_path(garden, suit) == plain_best(garden, suit)


@given(st.integers(0, 255), st.integers(0, 255))
def test_rights_follow_the_page(first: int, second: int) -> None:
    """The larger sum, without an 8 that the other's 1 cancels, has the right; or both have."""
    second &= ~first  # no card lies on both boards
    boards = [[bit + 1 for bit in members(numbers)] for numbers in (first, second)]
    sums = [
        sum(number for number in boards[p] if number < 8 or 1 not in boards[1 - p]) for p in (0, 1)
    ]
    assert rights(first, second) == (sums[0] >= sums[1], sums[1] >= sums[0])


@pytest.mark.parametrize("seed", range(3))
def test_places_agree_with_the_list_all_game_long(seed: int) -> None:
    """At every node of a random game the k-th move is the k-th of the list, for every k."""
    rng = random.Random(seed)
    game = engines.load_game("build_your_arboretum")
    state: engines.State = game.new_initial_state(game.setup(seed))
    while players := state.players_to_act():
        table, _ = read_position(state.observation(None))
        for player in players:
            if table.usable(player) < 9:
                listed = list_moves(table, player)
                places = range(count_moves(table, player))
                assert tuple(move_text(nth_move(table, player, k)) for k in places) == listed
        state = state.apply_action(players[0], state.sample_action(players[0], rng))
