"""The table: everything that lies on it, and what the rules do to it; changed in place.

A ``Table`` trusts its caller: moves are checked in ``moves`` before they come here. States copy a
table before they change it, playouts run on one copy to the end.
"""

from __future__ import annotations

from engines.build_your_arboretum.bids import Bid, bid_text
from engines.build_your_arboretum.cards import (
    ADJACENT,
    EMPTY,
    EMPTY_GARDEN,
    EVERY_CELL,
    NEIGHBOURS,
    PURSE,
    cards_text,
    count_hires,
    members,
)
from engines.build_your_arboretum.scoring import ScoreLine, score_lines, totals
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

FIRST, BID, PLAY, OVER = range(4)

PHASES = ("first", "bid", "play", "over")

NOBODY: Final = -1

LAST_ROUND = 11

BOARD_SIZE = 7

PARROTS = 6

FIRST_BID = 5
"""The most parrots the starting player may bid in round 1."""

OFFERED = (0, 5, 5, 5, 5, 5, 6, 6, 6, 7, 7, 7)
"""How many cards a round brings."""


def deck_size(round_: int) -> int:
    """Return how many cards the deck has left once a round has begun (0: before the first).

    >>> deck_size(0), deck_size(1), deck_size(11)
    (64, 59, 0)
    """
    return sum(OFFERED[round_ + 1 :])


class Table:
    """One position of a game, without who plays it and how it came about.

    Attributes:
        round: 0 (before the first) … 11.
        phase: ``FIRST``, ``BID``, ``PLAY`` or ``OVER``.
        starter: the starting player of this round, after the last one in ``OVER``; -1 in ``FIRST``.
        dig, hire, start: who took the special this round, or -1.
        parrots: of players 0 and 1, as all lists here.
        offering, refuse, removed: sets of cards, as bits.
        deck: the cards to come, the next one first.
        gardens: a card or ``EMPTY`` for each of 36 cells.
        soils: the cells where a card may be planted, as bits (follows from ``gardens``).
        boards: sets of cards.
        purses: the numbers on the boards, as ``PURSE`` adds them up (follows from ``boards``).
        bids: in ``BID``, the bids made, ``None`` where one is owed.
        turns: in ``PLAY``, the turns to come, first the one to be taken now.
        log: the announcements so far, or ``None`` if nobody listens.
    """

    __slots__ = (
        "bids",
        "boards",
        "deck",
        "dig",
        "gardens",
        "hire",
        "log",
        "offering",
        "parrots",
        "phase",
        "purses",
        "refuse",
        "removed",
        "round",
        "soils",
        "start",
        "starter",
        "turns",
    )

    def __init__(self, deck: bytes) -> None:
        """Lay out the start of a game: everything empty but the deck."""
        self.round = 0
        self.phase = FIRST
        self.starter = NOBODY
        self.dig = self.hire = self.start = NOBODY
        self.parrots = [PARROTS, PARROTS]
        self.offering = self.refuse = self.removed = 0
        self.deck = deck
        self.gardens = [EMPTY_GARDEN, EMPTY_GARDEN]
        self.soils = [EVERY_CELL, EVERY_CELL]
        self.boards = [0, 0]
        self.purses = [0, 0]
        self.bids: list[Bid | None] = [None, None]
        self.turns: Turns = ()
        self.log: list[str] | None = None

    def copy(self, log: list[str] | None) -> Table:
        """Return a table that can be changed without changing this one."""
        new = Table.__new__(Table)
        new.round = self.round
        new.phase = self.phase
        new.starter = self.starter
        new.dig = self.dig
        new.hire = self.hire
        new.start = self.start
        new.parrots = self.parrots[:]
        new.offering = self.offering
        new.refuse = self.refuse
        new.removed = self.removed
        new.deck = self.deck
        new.gardens = self.gardens[:]
        new.soils = self.soils[:]
        new.boards = self.boards[:]
        new.purses = self.purses[:]
        new.bids = self.bids[:]
        new.turns = self.turns
        new.log = log
        return new

    def key(self) -> tuple[object, ...]:
        """Return what makes two positions equal."""
        return (
            self.round,
            self.phase,
            self.starter,
            self.dig,
            self.hire,
            self.start,
            *self.parrots,
            self.offering,
            self.refuse,
            self.removed,
            self.deck,
            *self.gardens,
            *self.boards,
            *self.bids,
            self.turns,
        )

    def derive(self) -> None:
        """Work out ``soils`` and ``purses`` again from ``gardens`` and ``boards``."""
        for player in (0, 1):
            planted = [cell for cell, card in enumerate(self.gardens[player]) if card != EMPTY]
            around = 0
            for cell in planted:
                around |= ADJACENT[cell]
            for cell in planted:
                around &= ~(1 << cell)
            self.soils[player] = around if planted else EVERY_CELL
            self.purses[player] = sum(PURSE[card] for card in members(self.boards[player]))

    def usable(self, player: int) -> int:
        """Return how many parrots a player may bid."""
        parrots = self.parrots[player]
        if self.round == 1 and player == self.starter:
            return min(parrots, FIRST_BID)
        return parrots

    def next_starter(self) -> int:
        """Return who would start the next round if this one ended now."""
        return self.starter if self.start == NOBODY else self.start

    def score(self) -> list[ScoreLine]:
        """Return the score line by line if the game ended now."""
        return score_lines(self.parrots, self.next_starter(), self.boards, self.gardens)

    def totals(self) -> tuple[int, int]:
        """Return the two players' points if the game ended now."""
        return totals(self.parrots, self.next_starter(), self.boards, self.gardens)

    # The moves, in the order of the rules. Each ends where somebody has a choice again.

    def choose_first(self, starter: int) -> None:
        """Name the starting player of round 1."""
        self.starter = starter
        self._begin_round()

    def make_bid(self, player: int, bid: Bid) -> None:
        """Take a bid; the second one reveals both."""
        self.bids[player] = bid
        first, second = self.bids
        if first is not None and second is not None:
            self.reveal(first, second)

    def reveal(self, first: Bid, second: Bid) -> None:
        """Turn both bids up and make the turn track."""
        self.bids = [None, None]
        self.turns = turn_track((first, second), self.starter)
        self.phase = PLAY
        if self.log is not None:
            self.log.append(f"bids {bid_text(first)}/{bid_text(second)}")
            self.log.append(f"turns {turns_text(self.turns)}")
        self.settle()

    def plant(self, card: int, cell: int) -> None:
        """Plant a card of the offering."""
        self.offering ^= 1 << card
        self._put(card, cell)

    def dig_up(self, card: int, cell: int) -> None:
        """Plant a card of the refuse: the special action ``dig``."""
        self.refuse ^= 1 << card
        self.dig = self.turns[0] >> 1
        self._put(card, cell)

    def take(self, card: int, discard: int) -> None:
        """Put a card of the offering on the ad board, and one of the board back (-1: none)."""
        player = self.turns[0] >> 1
        change = 1 << card
        purse = self.purses[player]
        if discard >= 0:
            change |= 1 << discard
            purse -= PURSE[discard]
        self.purses[player] = purse + PURSE[card]
        self.offering ^= change
        self.boards[player] ^= change
        self.turns = self.turns[1:]
        self.settle()

    def hire_for(self, cards: int) -> None:
        """Pay for one more parrot with cards of the ad board: the special action ``hire``."""
        player = self.turns[0] >> 1
        self.offering |= cards
        self.boards[player] ^= cards
        self.purses[player] -= sum([PURSE[card] for card in members(cards)])
        self.parrots[player] += 1
        self.hire = player
        self.turns = self.turns[1:]
        self.settle()

    def take_start(self) -> None:
        """Claim the start of the next round: the special action ``start``."""
        self.start = self.turns[0] >> 1
        self.turns = self.turns[1:]
        self.settle()

    def skip(self) -> None:
        """Give up all turns of the player to move."""
        self._strike(self.turns[0] >> 1)
        self.settle()

    def settle(self) -> None:
        """Do everything that nobody decides: forced skips, and the end of the round."""
        while self.turns:
            player = self.turns[0] >> 1
            if self.start == NOBODY or self._can_act(player, self.turns[0] & 1):
                return
            if self.log is not None:
                self.log.append(f"forced-skip {player}")
            self._strike(player)
        self._end_round()

    def stop(self) -> None:
        """End the game where it stands, as when a player has left it."""
        self.starter = self.next_starter()
        self.dig = self.hire = self.start = NOBODY
        self.bids = [None, None]
        self.turns = ()
        self.phase = OVER

    # Steps of the moves.

    def _put(self, card: int, cell: int) -> None:
        player = self.turns[0] >> 1
        garden = self.gardens[player]
        bit = 1 << cell
        soil = self.soils[player]
        if soil == EVERY_CELL:
            soil = ADJACENT[cell]
        else:
            # the new neighbours, except those that have a card already
            soil ^= bit
            for other in NEIGHBOURS[cell]:
                if garden[other] == EMPTY:
                    soil |= 1 << other
        self.soils[player] = soil
        self.gardens[player] = garden[:cell] + card.to_bytes() + garden[cell + 1 :]
        self.turns = self.turns[1:]
        self.settle()

    def _can_act(self, player: int, garden: int) -> bool:
        """Return whether something other than ``start`` fits the plan of the player's turn."""
        if garden:
            cards = self.offering | (self.refuse if self.dig == NOBODY else 0)
            return bool(cards and self.soils[player])
        if self.offering:
            return True
        return self.hire == NOBODY and count_hires(self.purses[player], self.parrots[player]) > 0

    def _strike(self, player: int) -> None:
        self.turns = tuple([turn for turn in self.turns if turn >> 1 != player])

    def _begin_round(self) -> None:
        self.round += 1
        size = OFFERED[self.round]
        for card in self.deck[:size]:
            self.offering |= 1 << card
        self.deck = self.deck[size:]
        self.phase = BID
        if self.log is not None:
            self.log.append(
                f"round {self.round} starter {self.starter} parrots "
                f"{self.parrots[0]}/{self.parrots[1]} offer {cards_text(self.offering)}"
            )

    def _end_round(self) -> None:
        gone = self.refuse
        self.removed |= gone
        self.refuse = self.offering
        self.offering = 0
        self.starter = self.next_starter()
        self.dig = self.hire = self.start = NOBODY
        if self.log is not None:
            self.log.append(
                f"end {self.round} starter {self.starter} removed {cards_text(gone)} "
                f"refuse {cards_text(self.refuse)}"
            )
        if self.round < LAST_ROUND:
            self._begin_round()
            return
        self.phase = OVER
        if self.log is not None:
            self.log += [f"score {what} {first}/{second}" for what, first, second in self.score()]
            self.log.append("total {}/{}".format(*self.totals()))


Turns = tuple[int, ...]

MOST_TURNS = 9

TURNS = ("0b", "0g", "1b", "1g")

TURN_INDEX = {text: turn for turn, text in enumerate(TURNS)}


def turn_track(bids: tuple[Bid, Bid], starter: int) -> Turns:
    """Return the turns that two bids earn, at most 9.

    The largest groups go first; among groups of one size the players alternate, the starting
    player first, and who has none left is passed over.

    >>> turns_text(turn_track(((3,), (2,)), 1))
    '1b,0g'
    """
    first = (*bids[starter], 0)  # 0, a group of size 0, ends the list
    second = (*bids[1 - starter], 0)
    first_turn, second_turn = 2 * starter, 2 - 2 * starter
    turns: list[int] = []
    i = j = 0
    group, other = first[0], second[0]
    while (size := max(group, other) >> 1) and len(turns) < MOST_TURNS:
        while group >> 1 == size or other >> 1 == size:
            if group >> 1 == size:
                turns.append(first_turn | group & 1)
                i += 1
                group = first[i]
            if other >> 1 == size:
                turns.append(second_turn | other & 1)
                j += 1
                other = second[j]
    return tuple(turns[:MOST_TURNS])


def turns_text(turns: Turns) -> str:
    """Write turns, the next one first; ``-`` if there is none."""
    return ",".join([TURNS[turn] for turn in turns]) or "-"
