"""The board for a person, in text: both arboretums side by side, then what lies between them."""

from __future__ import annotations

from engines.build_your_arboretum.cards import CARDS, EMPTY, cards_text
from engines.build_your_arboretum.table import BID, FIRST, LAST_ROUND, NOBODY, OVER, PLAY, Table
from engines.build_your_arboretum.track import TURNS

__all__ = ["board_text", "headline"]

_WIDTH = 32
"""Columns that the left half takes."""


def headline(table: Table) -> str:
    """Say in a few words how far the game is and what happens next."""
    if table.phase == FIRST:
        return "before round 1: who starts?"
    if table.phase == OVER:
        first, second = table.totals()
        return f"over in round {table.round} of {LAST_ROUND}: {first} to {second} points"
    what = "bidding"
    if table.phase == PLAY:
        turn = table.turns[0]
        what = f"player {turn >> 1} takes a {('bulletin', 'garden')[turn & 1]} turn"
    return f"round {table.round} of {LAST_ROUND}: {what}"


def board_text(table: Table, viewer: int | None) -> str:
    """Draw the table; the deck is a number of cards, and a bid only made or owed.

    A player does not see even that much of the other one's bid.
    """
    lines = [headline(table), ""]
    lines.append(_halves([_player_line(table, player) for player in (0, 1)]))
    lines.append(_halves(["     A  B  C  D  E  F"] * 2))
    lines += [_halves([_row(garden, row) for garden in table.gardens]) for row in range(6)]
    lines.append(_halves([f"  ads {_list(board)}" for board in table.boards]))
    lines.append("")
    lines.append(f"offering {_list(table.offering)}")
    lines.append(f"refuse   {_list(table.refuse)}")
    lines.append(f"removed  {_list(table.removed)}")
    lines.append(f"deck     {len(table.deck)} cards")
    if table.phase == BID:
        made = ["owed" if bid is None else "made" for bid in table.bids]
        if viewer is not None:
            made[1 - viewer] = "?"
        lines.append(f"bids     0 {made[0]}, 1 {made[1]}")
    if table.phase == PLAY:
        lines.append(f"turns    {' '.join([TURNS[turn] for turn in table.turns])}")
        takers = [("dig", table.dig), ("hire", table.hire), ("start", table.start)]
        shown = [f"{name} {'free' if who == NOBODY else who}" for name, who in takers]
        lines.append(f"specials {', '.join(shown)}")
    return "\n".join(lines)


def _player_line(table: Table, player: int) -> str:
    starts = ", starts" if table.starter == player else ""
    return f"player {player}, parrots: {table.parrots[player]}{starts}"


def _row(garden: bytes, row: int) -> str:
    cards = [garden[6 * column + row] for column in range(6)]
    cells = [" ." if card == EMPTY else CARDS[card] for card in cards]
    return f"  {row + 1} {' '.join(cells)}"


def _list(cards: int) -> str:
    return cards_text(cards).replace(",", " ")


def _halves(parts: list[str]) -> str:
    return f"{parts[0]:{_WIDTH}}{parts[1]}".rstrip()
