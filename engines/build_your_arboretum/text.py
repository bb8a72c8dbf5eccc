"""Setups read back and checked in full: a deck, a position of 15 fields, or a player's view.

The fields are those that ``observation`` writes. A list must stand in the order in which it is
written there: a position has one spelling.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engines.build_your_arboretum.bids import Bid, bid_text, read_bid
from engines.build_your_arboretum.cards import (
    ADJACENT,
    CARD_INDEX,
    CARDS,
    CELL_INDEX,
    EMPTY_GARDEN,
    cards_text,
    garden_text,
    members,
)
from engines.build_your_arboretum.table import (
    BID,
    BOARD_SIZE,
    FIRST,
    LAST_ROUND,
    MOST_TURNS,
    NOBODY,
    OVER,
    PARROTS,
    PHASES,
    PLAY,
    TURN_INDEX,
    Table,
    Turns,
    deck_size,
    turns_text,
)
from engines.core.chance import shuffled
from engines.core.errors import BadSetup, IllegalAction
from engines.core.text import fields, natural
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from engines.core.interface import Viewer

_SHAPE = (
    "ROUND PHASE STARTER SPECIALS PARROTS OFFERING REFUSE REMOVED DECK "
    "GARDEN0 GARDEN1 BOARD0 BOARD1 BIDS TURNS"
)

HIDDEN = "?"
OWED = "."

_ALL_CARDS = (1 << 64) - 1

_ACTING = ("0", "1", "-")  # who took a special, by index; -1, the last, is nobody
_WHO = {"-": NOBODY, "0": 0, "1": 1}


def read_deck(text: str) -> bytes:
    """Read a deck: all 64 cards in the order of their reveal; raises ``BadSetup``."""
    cards = _deck(text)
    if len(set(cards)) != len(CARDS) or len(cards) != len(CARDS):
        missing = [name for index, name in enumerate(CARDS) if index not in cards]
        raise BadSetup(
            f"a deck has each of the 64 cards once; this one has {len(cards)} cards"
            + (f" and lacks {missing[0]}" if missing else "")
        )
    return cards


def read_position(text: str, *, dropped: bool = False) -> Table:
    """Read a position as ``observe`` writes it for ``None``; a forced skip that is due is done.

    Raises:
        BadSetup: a field is not written so, or the fields do not go together.
    """
    words = fields(text, 15, _SHAPE)
    table, seen = _read_table(words, dropped=dropped)
    deck = b"" if words[8] == "-" else _deck(words[8])
    for card in deck:
        seen = _once(seen, card)
    _check_deck_size(table, len(deck))
    table.deck = deck
    if table.phase == PLAY:
        table.settle()
    return table


def complete_view(view: str, player: int, rng: random.Random, *, dropped: bool) -> Table:
    """Read what a player sees; draw the deck among the cards that the player cannot see.

    All orders are equally likely. The opponent's bid, ``?``, is taken as owed: were both bids in,
    they would have been revealed.

    Raises:
        BadSetup: no position looks like this to the player.
    """
    seen, unseen = _read_view(view, player, dropped)
    table = seen.copy(None)
    table.deck = bytes(shuffled(rng, unseen)[: len(seen.deck)])
    return table


@lru_cache(4)  # a search draws from one view again and again
def _read_view(view: str, player: int, dropped: bool) -> tuple[Table, tuple[int, ...]]:
    """Read what a player sees: a table with any deck that may be there, and the unseen cards."""
    words = fields(view, 15, _SHAPE)
    size = 0 if words[8] == "-" else len(words[8].split(","))
    if size and words[8] != ",".join(HIDDEN * size):
        raise BadSetup(f'a player sees "?" for each card of the deck, not "{words[8]}"')
    if words[1] == PHASES[BID]:
        bids = words[13].split("/")
        if len(bids) != 2 or bids[1 - player] != HIDDEN:
            raise BadSetup(f'player {player} sees the other bid as "?", not "{words[13]}"')
        bids[1 - player] = OWED
        words[13] = "/".join(bids)
    table, seen = _read_table(words, dropped=dropped)
    _check_deck_size(table, size)
    unseen = members(_ALL_CARDS & ~seen)
    if len(unseen) < size:
        raise BadSetup(f"{size} cards in the deck, but only {len(unseen)} are out of sight")
    table.deck = bytes(unseen[:size])
    if observe(table, player) != view:
        raise BadSetup(f"player {player} never sees a position written so: {view}")
    return table, tuple(unseen)


def _read_table(words: list[str], *, dropped: bool) -> tuple[Table, int]:
    """Read all fields but the deck: the table without it, and the set of cards on it."""
    table = Table(b"")
    _read_phase(table, words, dropped)
    _read_specials(table, words[3])
    table.parrots = _parrots(words[4], table)
    seen = 0
    piles = [_cards(word) for word in words[5:8]]
    gardens = [_garden(word) for word in words[9:11]]
    boards = [_cards(word) for word in words[11:13]]
    for cards in (*piles, *[list(garden.values()) for garden in gardens], *boards):
        for card in cards:
            seen = _once(seen, card)
    table.offering, table.refuse, table.removed = map(_set, piles)
    for player in (0, 1):
        if len(boards[player]) > BOARD_SIZE:
            raise BadSetup(f"ad board {player} holds {len(boards[player])} cards, at most 7 fit")
        garden = bytearray(EMPTY_GARDEN)
        for cell, card in gardens[player].items():
            garden[cell] = card
        table.gardens[player] = bytes(garden)
        table.boards[player] = _set(boards[player])
    table.derive()
    if table.phase == BID:
        table.bids = _bids(table, words[13])
    else:
        _unused(words[13], "bids", "bid")
    if table.phase == PLAY:
        table.turns = _turns(words[14])
    else:
        _unused(words[14], "turns", "play")
    return table, seen


def _read_phase(table: Table, words: list[str], dropped: bool) -> None:
    round_ = natural(words[0])
    if round_ is None or round_ > LAST_ROUND:
        raise BadSetup(f'expected a round from 0 to {LAST_ROUND}, not "{words[0]}"')
    if words[1] not in PHASES:
        raise BadSetup(f'expected a phase, {", ".join(PHASES)}, not "{words[1]}"')
    phase = PHASES.index(words[1])
    if dropped and phase != OVER:
        raise BadSetup(f'once a player was dropped the phase is over, not "{words[1]}"')
    fits = {FIRST: round_ == 0, OVER: round_ == LAST_ROUND or dropped}
    if not fits.get(phase, round_ > 0):
        raise BadSetup(f"phase {words[1]} does not go with round {round_}")
    if words[2] not in _WHO or (words[2] == "-") != (round_ == 0):
        raise BadSetup(f'expected the starting player, 0 or 1 (- in round 0), not "{words[2]}"')
    table.round = round_
    table.phase = phase
    table.starter = _WHO[words[2]]


def _read_specials(table: Table, word: str) -> None:
    if len(word) != 3 or any(who not in _WHO for who in word):
        raise BadSetup(f'expected who took dig, hire and start, as "-0-", not "{word}"')
    if table.phase != PLAY:
        _unused(word, "specials", "play", "---")
    table.dig, table.hire, table.start = (_WHO[who] for who in word)


def _unused(word: str, field: str, phase: str, empty: str = "-") -> None:
    if word != empty:
        raise BadSetup(f'outside phase {phase} the {field} are "{empty}", not "{word}"')


def _parrots(word: str, table: Table) -> list[int]:
    """Read the numbers of parrots: at most six and one for each round begun, and for a hire in it.

    A game from a deck has one less. What may follow such a position can be read again.
    """
    parts = word.split("/")
    parrots = [number for number in map(natural, parts) if number is not None]
    if len(parts) != 2 or len(parrots) != 2:
        raise BadSetup(f'expected two numbers of parrots, as "6/6", not "{word}"')
    for player, number in enumerate(parrots):
        most = PARROTS + table.round + (table.phase == OVER or table.hire == player)
        if number > most:
            raise BadSetup(f"player {player} can have at most {most} parrots now, not {number}")
    return parrots


def _deck(word: str) -> bytes:
    return bytes([_card(name) for name in word.split(",")])


def _card(name: str) -> int:
    card = CARD_INDEX.get(name)
    if card is None:
        raise BadSetup(f'"{name[:20]}" is no card: expected P1 to W8')
    return card


def _cards(word: str) -> list[int]:
    cards = [] if word == "-" else [_card(name) for name in word.split(",")]
    if cards != sorted(set(cards)):
        raise BadSetup(f'expected each card once, in ascending order: "{word}"')
    return cards


def _garden(word: str) -> dict[int, int]:
    """Read an arboretum: the card of each planted cell."""
    garden: dict[int, int] = {}
    for part in [] if word == "-" else word.split(","):
        name, _, place = part.partition("@")
        cell = CELL_INDEX.get(place)
        if cell is None:
            raise BadSetup(f'"{part[:20]}" is no planted card: expected one as "P1@C3"')
        if garden and cell <= max(garden):
            raise BadSetup(f'expected each cell once, in ascending order: "{word}"')
        garden[cell] = _card(name)
    planted = _set(garden)
    piece = planted & -planted
    grown = 0
    while grown != piece:
        grown = piece
        for cell in members(grown):
            piece |= ADJACENT[cell] & planted
    if piece != planted:
        raise BadSetup(f'an arboretum is in one piece, this one is not: "{word}"')
    return garden


def _bids(table: Table, word: str) -> list[Bid | None]:
    parts = word.split("/")
    if len(parts) != 2:
        raise BadSetup(f'expected two bids, "." for one that is owed, as "./3b-2g": "{word}"')
    bids: list[Bid | None] = [None, None]
    for player, part in enumerate(parts):
        if part != OWED:
            try:
                bids[player] = read_bid(part, table.usable(player))
            except IllegalAction as error:
                raise BadSetup(f"the bid of player {player}: {error}") from None
    if OWED not in parts:
        raise BadSetup(f'once both bids are in, the phase is not bid: "{word}"')
    return bids


def _turns(word: str) -> Turns:
    turns = [TURN_INDEX.get(name) for name in word.split(",")]
    known = [turn for turn in turns if turn is not None]
    if len(known) != len(turns) or len(turns) > MOST_TURNS:
        raise BadSetup(f'expected 1 to {MOST_TURNS} turns to come, as "0b,1g", not "{word}"')
    return tuple(known)


def _check_deck_size(table: Table, size: int) -> None:
    if size != deck_size(table.round):
        raise BadSetup(
            f"after the start of round {table.round} the deck has {deck_size(table.round)} cards, "
            f"not {size}"
        )


def _set(indices: Iterable[int]) -> int:
    return sum(1 << index for index in indices)


def _once(seen: int, card: int) -> int:
    """Add a card to those seen; raises ``BadSetup`` if it was there."""
    if seen >> card & 1:
        raise BadSetup(f"{CARDS[card]} appears twice")
    return seen | 1 << card


def bid_seen(table: Table, who: int, viewer: Viewer) -> str:
    """Write a player's bid while bids are made, as a viewer sees it."""
    if viewer not in (None, who):
        return HIDDEN
    bid = table.bids[who]
    return OWED if bid is None else bid_text(bid)


def observe(table: Table, viewer: Viewer) -> str:
    """Write the 15 fields as a viewer sees them."""
    phase = table.phase
    if viewer is None:
        deck = ",".join([CARDS[card] for card in table.deck])
    else:
        deck = ",".join(HIDDEN * len(table.deck))
    bids = "-"
    if phase == BID:
        bids = "/".join([bid_seen(table, who, viewer) for who in (0, 1)])
    specials = "---"
    if phase == PLAY:
        specials = _ACTING[table.dig] + _ACTING[table.hire] + _ACTING[table.start]
    return (
        f"{table.round} {PHASES[phase]} {_ACTING[table.starter]} {specials} "
        f"{table.parrots[0]}/{table.parrots[1]} {cards_text(table.offering)} "
        f"{cards_text(table.refuse)} {cards_text(table.removed)} {deck or '-'} "
        f"{garden_text(table.gardens[0])} {garden_text(table.gardens[1])} "
        f"{cards_text(table.boards[0])} {cards_text(table.boards[1])} "
        f"{bids} {turns_text(table.turns) if phase == PLAY else '-'}"
    )
