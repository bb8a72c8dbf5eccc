"""What a player may do: moves as text and as values, listed, counted, picked by their place, done.

All views follow one order, the documented one: ``nth_move(table, player, k)`` is the k-th of
``list_moves``. Texts are checked by reading them, never by looking them up in the list.
"""

from __future__ import annotations

from functools import cache

from engines.build_your_arboretum.bids import (
    Bid,
    bid_actions,
    bid_text,
    count_bids,
    nth_bid,
    read_bid,
)
from engines.build_your_arboretum.cards import (
    CARD_INDEX,
    CARDS,
    CELL_INDEX,
    CELLS,
    cards_text,
    cells_of,
    count_hires,
    hire_actions,
    hires,
    members,
    nth,
)
from engines.build_your_arboretum.table import BID, BOARD_SIZE, FIRST, NOBODY, PLAY, Table
from engines.core.errors import IllegalAction
from engines.core.text import quoted

CHOOSE, MAKE_BID, PLANT, DIG, TAKE, HIRE, START, SKIP = range(8)

Move = tuple[int, int, int] | tuple[int, Bid, int]
"""A kind and what it needs: a player, a bid, card and cell, card and discard (-1: none), a set."""

_START: Move = (START, 0, 0)
_SKIP: Move = (SKIP, 0, 0)

_LONGEST = 100
"""No action has as many characters: the longest bid is ``bid:`` and 18 groups of 2 with ``-``."""

_TAKE = tuple(f"take:{name}" for name in CARDS)
_START_OR_SKIP, _ONLY_SKIP = ("start", "skip"), ("skip",)

_EXPECTED = {
    0: "take:CARD, hire:CARD,..., start or skip",
    1: "plant:CARD:CELL, dig:CARD:CELL, start or skip",
}


def do(table: Table, player: int, move: Move) -> None:
    """Carry out a move that is legal."""
    kind, x, y = move
    if kind == MAKE_BID:
        assert isinstance(x, tuple)
        table.make_bid(player, x)
        return
    assert isinstance(x, int)
    if kind == PLANT:
        table.plant(x, y)
    elif kind == TAKE:
        table.take(x, y)
    elif kind == SKIP:
        table.skip()
    elif kind == HIRE:
        table.hire_for(x)
    elif kind == START:
        table.take_start()
    elif kind == DIG:
        table.dig_up(x, y)
    else:
        table.choose_first(x)


def move_text(move: Move) -> str:
    """Write a move as an action."""
    kind, x, y = move
    if isinstance(x, tuple):
        return f"bid:{bid_text(x)}"
    if kind == PLANT:
        return f"plant:{CARDS[x]}:{CELLS[y]}"
    if kind == DIG:
        return f"dig:{CARDS[x]}:{CELLS[y]}"
    if kind == TAKE:
        return f"take:{CARDS[x]}:{CARDS[y]}" if y >= 0 else f"take:{CARDS[x]}"
    if kind == HIRE:
        return f"hire:{cards_text(x)}"
    if kind == CHOOSE:
        return f"first:{x}"
    return "start" if kind == START else "skip"


def list_moves(table: Table, player: int) -> tuple[str, ...]:
    """Return the actions of a player who owes one, in the documented order, as text."""
    if table.phase == FIRST:
        return ("first:0", "first:1")
    if table.phase == BID:
        return bid_actions(table.usable(player))
    ending = _START_OR_SKIP if table.start == NOBODY else _ONLY_SKIP
    texts: list[str] = []
    if table.turns[0] & 1:
        cells = cells_of(table.soils[player])
        for card in members(table.offering):
            texts += map(_at_cells("plant", card).__getitem__, cells)
        if table.dig == NOBODY:
            for card in members(table.refuse):
                texts += map(_at_cells("dig", card).__getitem__, cells)
        return (*texts, *ending)
    board = table.boards[player]
    if board.bit_count() < BOARD_SIZE:
        texts = [_TAKE[card] for card in members(table.offering)]
    else:
        discards = [f":{CARDS[card]}" for card in members(board)]
        texts = [_TAKE[card] + end for card in members(table.offering) for end in discards]
    if table.hire == NOBODY:
        texts += hire_actions(board, table.parrots[player])
    return (*texts, *ending)


@cache
def _at_cells(verb: str, card: int) -> tuple[str, ...]:
    """Return the action for each of the 36 cells."""
    return tuple([f"{verb}:{CARDS[card]}:{cell}" for cell in CELLS])


def count_moves(table: Table, player: int) -> int:
    """Return the length of ``list_moves`` without listing."""
    if table.phase == PLAY:
        plain, special = _counts(table, player)
        return plain + special + (2 if table.start == NOBODY else 1)
    return 2 if table.phase == FIRST else count_bids(table.usable(player))


def nth_move(table: Table, player: int, place: int) -> Move:
    """Return the move at a place of ``list_moves``, counted from 0, without listing."""
    if table.phase == FIRST:
        return (CHOOSE, place, 0)
    if table.phase == BID:
        return (MAKE_BID, nth_bid(table.usable(player), place), 0)
    plain, special = _counts(table, player)
    if place < plain:
        if table.turns[0] & 1:
            soil = table.soils[player]
            card, cell = divmod(place, soil.bit_count())
            return (PLANT, nth(table.offering, card), nth(soil, cell))
        board = table.boards[player]
        if board.bit_count() < BOARD_SIZE:
            return (TAKE, nth(table.offering, place), -1)
        card, discard = divmod(place, BOARD_SIZE)
        return (TAKE, nth(table.offering, card), nth(board, discard))
    place -= plain
    if place < special:
        if table.turns[0] & 1:
            soil = table.soils[player]
            card, cell = divmod(place, soil.bit_count())
            return (DIG, nth(table.refuse, card), nth(soil, cell))
        return (HIRE, hires(members(table.boards[player]), table.parrots[player])[place], 0)
    return _START if place == special and table.start == NOBODY else _SKIP


def read_move(table: Table, player: int, text: str) -> Move:
    """Read the action of a player who owes one.

    Raises:
        IllegalAction: it is no action, or not legal here; says what was expected.
    """
    if len(text) > _LONGEST:
        raise IllegalAction(f"{quoted(text)}: no action has {len(text)} characters")
    word, colon, rest = text.partition(":")
    if table.phase == BID:
        if word != "bid" or not colon:
            raise IllegalAction(f"{quoted(text)}: expected a bid, as bid:3b-2g or bid:-")
        return (MAKE_BID, read_bid(rest, table.usable(player)), 0)
    if table.phase == FIRST:
        if text not in ("first:0", "first:1"):
            raise IllegalAction(f"{quoted(text)}: expected first:0 or first:1")
        return (CHOOSE, int(rest), 0)
    if text == "skip":
        return _SKIP
    if text == "start":
        if table.start != NOBODY:
            raise IllegalAction(f"start was taken this round by player {table.start}")
        return _START
    plan = table.turns[0] & 1
    words = rest.split(":")
    if plan:
        if word == "plant" and len(words) == 2:
            return (PLANT, *_planting(table, player, words, table.offering, "offering"))
        if word == "dig" and len(words) == 2:
            if table.dig != NOBODY:
                raise IllegalAction(f"dig was taken this round by player {table.dig}")
            return (DIG, *_planting(table, player, words, table.refuse, "refuse"))
    else:
        if word == "take" and colon and len(words) <= 2:
            return (TAKE, *_taking(table, player, words))
        if word == "hire" and colon:
            return (HIRE, _hiring(table, player, rest), 0)
    name = ("bulletin", "garden")[plan]
    raise IllegalAction(f"{quoted(text)}: the plan is {name}, expected {_EXPECTED[plan]}")


def _counts(table: Table, player: int) -> tuple[int, int]:
    """Return how many moves are plain (plant or take) and how many are dig or hire."""
    offered = table.offering.bit_count()
    if table.turns[0] & 1:
        cells = table.soils[player].bit_count()
        return offered * cells, table.refuse.bit_count() * cells if table.dig == NOBODY else 0
    if table.boards[player].bit_count() == BOARD_SIZE:
        offered *= BOARD_SIZE
    if table.hire != NOBODY:
        return offered, 0
    return offered, count_hires(table.purses[player], table.parrots[player])


def _card(name: str, among: int, place: str) -> int:
    card = CARD_INDEX.get(name)
    if card is None:
        raise IllegalAction(f"{quoted(name)} is no card: expected P1 to W8")
    if not among >> card & 1:
        raise IllegalAction(f"{name} is not in the {place}, which is {cards_text(among)}")
    return card


def _planting(
    table: Table, player: int, words: list[str], cards: int, place: str
) -> tuple[int, int]:
    card = _card(words[0], cards, place)
    cell = CELL_INDEX.get(words[1])
    if cell is None:
        raise IllegalAction(f"{quoted(words[1])} is no cell: expected A1 to F6")
    if not table.soils[player] >> cell & 1:
        raise IllegalAction(
            f"nothing can be planted at {words[1]}: expected an empty cell beside a planted one"
        )
    return card, cell


def _taking(table: Table, player: int, words: list[str]) -> tuple[int, int]:
    card = _card(words[0], table.offering, "offering")
    board = table.boards[player]
    full = board.bit_count() == BOARD_SIZE
    if len(words) == 1:
        if full:
            raise IllegalAction("the ad board is full: expected a card to discard, take:CARD:CARD")
        return card, -1
    if not full:
        raise IllegalAction("the ad board is not full: expected take:CARD, without a discard")
    return card, _card(words[1], board, "ad board")


def _hiring(table: Table, player: int, names: str) -> int:
    if table.hire != NOBODY:
        raise IllegalAction(f"hire was taken this round by player {table.hire}")
    chosen = 0
    total = 0
    for name in names.split(","):
        card = _card(name, table.boards[player], "ad board")
        if chosen >> card:
            raise IllegalAction(f"{name} is out of order: expected each card once, ascending")
        chosen |= 1 << card
        total += (card & 7) + 1
    needed = table.parrots[player] + 1
    if total < needed:
        raise IllegalAction(f"the cards add up to {total}, expected at least {needed}")
    return chosen
