"""A position as one line of 15 fields: the whole truth, or what one player may know."""

from __future__ import annotations

from engines.build_your_arboretum.bids import bid_text
from engines.build_your_arboretum.cards import CARDS, cards_text, garden_text
from engines.build_your_arboretum.table import BID, PHASES, PLAY, Table
from engines.build_your_arboretum.track import turns_text

__all__ = ["HIDDEN", "OWED", "observe"]

HIDDEN = "?"
OWED = "."

_WHO = ("0", "1", "-")
"""Who took a special, by index; -1, the last, is nobody."""


def observe(table: Table, player: int | None) -> str:
    """Write the 15 fields as a player sees them, or for ``None`` as they are."""
    phase = table.phase
    if player is None:
        deck = ",".join([CARDS[card] for card in table.deck])
    else:
        deck = ",".join(HIDDEN * len(table.deck))
    bids = "-"
    if phase == BID:
        shown = [OWED if bid is None else bid_text(bid) for bid in table.bids]
        if player is not None:
            shown[1 - player] = HIDDEN
        bids = "/".join(shown)
    specials = "---"
    if phase == PLAY:
        specials = _WHO[table.dig] + _WHO[table.hire] + _WHO[table.start]
    return (
        f"{table.round} {PHASES[phase]} {_WHO[table.starter]} {specials} "
        f"{table.parrots[0]}/{table.parrots[1]} {cards_text(table.offering)} "
        f"{cards_text(table.refuse)} {cards_text(table.removed)} {deck or '-'} "
        f"{garden_text(table.gardens[0])} {garden_text(table.gardens[1])} "
        f"{cards_text(table.boards[0])} {cards_text(table.boards[1])} "
        f"{bids} {turns_text(table.turns) if phase == PLAY else '-'}"
    )
