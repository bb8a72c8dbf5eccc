"""Three tiny games of the shapes that the arena's own games lack or mix with much else.

``pebbles`` has three players in turn, ``auction`` two who bid at once, ``draws`` hidden hands and
private events. They are plug-ins: the fixture ``small_games`` makes ``load_game`` find them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from engines.core.base import Drops, ValueState, fields, joined, natural, numbers
from engines.core.chance import below, shuffled
from engines.core.errors import BadSetup, IllegalAction
from engines.core.interface import Event, Game, GameType, Parameter, State

# pebbles: take 1 to 3 stones from a heap in turn; every stone counts 1, the last one 5.


class Heap(NamedTuple):
    stones: int
    taken: tuple[int, ...]
    turn: int


class Pebbles(Game):
    """Setup and observation ``STONES TAKEN PLAYER``, e.g. ``9 0,0,0 0``; PLAYER ``-`` when over."""

    name = "pebbles"
    title = "Pebbles"
    PARAMETERS = (
        Parameter("players", range(2, 5), "how many play", default=3),
        Parameter("heap", range(1, 31), "stones at the start", default=9),
    )

    def check_parameters(self) -> None:
        most = int(self.parameters["heap"])  # a stone each time
        self.type = GameType("sequential", "sampled", "perfect", most)

    def count_players(self) -> int:
        return int(self.parameters["players"])

    def setup(self, seed: int) -> str:
        zeros = joined([0] * self.num_players)
        return f"{self.parameters['heap']} {zeros} {below(random.Random(seed), self.num_players)}"

    def read(self, text: str) -> PebblesState:
        stones, taken, player = fields(text, 3, "STONES TAKEN PLAYER")
        left, turn = numbers(stones, 1)[0], natural(player)
        if (turn is None or turn >= self.num_players) if left else player != "-":
            raise BadSetup(f"player {player} cannot be to act")
        return PebblesState(self, Heap(left, numbers(taken, self.num_players), turn or 0))


class PebblesState(ValueState[Heap]):
    __slots__ = ()

    def players_to_act(self) -> tuple[int, ...]:
        return (self.position.turn,) if self.position.stones else ()

    def legal_actions(self, player: int) -> tuple[str, ...]:
        return tuple(f"take:{n}" for n in range(1, min(3, self.position.stones) + 1))

    def after(self, player: int, action: str) -> PebblesState:
        stones, taken, _ = self.position
        number = natural(action.removeprefix("take:"))
        if action != f"take:{number}" or not number or number > min(3, stones):
            raise IllegalAction(f"expected take:1 to take:{min(3, stones)}")
        gain = number + 4 * (number == stones)
        taken = tuple(have + gain * (p == player) for p, have in enumerate(taken))
        following = (player + 1) % len(taken) if number < stones else 0
        heap = Heap(stones - number, taken, following)
        return self.moved(heap, Event(None, f"left {heap.stones}"))

    def scores(self) -> tuple[float, ...]:
        return self.position.taken

    def seen(self, player: int | None) -> str:
        stones, taken, turn = self.position
        return f"{stones} {joined(taken)} {turn if stones else '-'}"


# auction: for one prize after another both bid a card at once; the higher bid wins it.


class Sale(NamedTuple):
    prizes: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    bids: tuple[int | None, ...]
    won: tuple[int, ...]


class Auction(Game):
    """Setup and observation ``PRIZES HAND/HAND BID/BID WON,WON``.

    A bid is ``.`` while it is owed, and ``?`` to the other player, owed or made.
    """

    name = "auction"
    title = "Auction"
    type = GameType("simultaneous", "sampled", "imperfect", 6)  # three prizes, two bids each
    num_features = 2

    def setup(self, seed: int) -> str:
        return f"{joined(shuffled(random.Random(seed), (1, 2, 3)))} 1,2,3/1,2,3 ./. 0,0"

    def read(self, text: str) -> AuctionState:
        prizes, hands, bids, won = fields(text, 4, "PRIZES HAND/HAND BID/BID WON,WON")
        bid_texts, cards = bids.split("/"), tuple(numbers(hand) for hand in hands.split("/"))
        if len(bid_texts) != 2 or "." not in bid_texts or len(cards) != 2:
            raise BadSetup("expected two hands and two bids, at least one of them owed")
        sale = Sale(
            numbers(prizes),
            cards,
            tuple(None if bid == "." else numbers(bid, 1)[0] for bid in bid_texts),
            numbers(won, 2),
        )
        for bid, hand in zip(sale.bids, cards, strict=True):
            if len(hand) != len(sale.prizes) or (bid is not None and bid not in hand):
                raise BadSetup("expected a card for every prize, and bids from the hands")
        return AuctionState(self, sale)

    def sample_state(self, observation: str, player: int, rng: random.Random) -> State:
        self.check_viewer(player)
        return self.new_initial_state(observation.replace("?", "."))


class AuctionState(ValueState[Sale]):
    __slots__ = ()

    def players_to_act(self) -> tuple[int, ...]:
        owed = [p for p, bid in enumerate(self.position.bids) if bid is None]
        return tuple(owed) if self.position.prizes else ()

    def legal_actions(self, player: int) -> tuple[str, ...]:
        return tuple(f"bid:{card}" for card in self.position.hands[player])

    def after(self, player: int, action: str) -> AuctionState:
        if action not in self.legal_actions(player):  # at most three, a listing costs nothing
            raise IllegalAction(f"expected bid:C with C of {joined(self.position.hands[player])}")
        card = int(action.removeprefix("bid:"))
        bids = tuple(card if p == player else bid for p, bid in enumerate(self.position.bids))
        first, second = bids
        if first is None or second is None:
            return AuctionState(self.game, self.position._replace(bids=bids))
        prizes, hands, _, won = self.position
        gains = (prizes[0] * (first > second), prizes[0] * (second > first))
        sale = Sale(
            prizes[1:],
            tuple(tuple(c for c in hand if c != b) for hand, b in zip(hands, bids, strict=True)),
            (None, None),
            (won[0] + gains[0], won[1] + gains[1]),
        )
        return AuctionState(self.game, sale, news=(Event(None, f"bids {first}/{second}"),))

    def scores(self) -> tuple[float, ...]:
        return self.position.won

    def features(self, player: int) -> tuple[float, ...]:
        return self.position.won  # whole numbers, which a feature may be

    def seen(self, player: int | None) -> str:
        prizes, hands, bids, won = self.position
        shown = ["." if bid is None else str(bid) for bid in bids]
        if player is not None:
            shown[1 - player] = "?"
        return f"{joined(prizes)} {'/'.join(map(joined, hands))} {'/'.join(shown)} {joined(won)}"


# draws: two cards for each seat and one more; in turn, twice round, a player keeps the card held or
# swaps it, face down, for the top of the deck (the old one goes below). The highest card wins.


class Table(NamedTuple):
    hands: tuple[int, ...]
    deck: tuple[int, ...]
    turn: int


class Draws(Game):
    """Setup: a deal (the cards in order), or as observed ``HANDS DECK TURN``; ``?`` is hidden.

    TURN counts the turns taken by all; player ``TURN % players`` acts. What a player chose is
    nobody else's business.
    """

    name = "draws"
    title = "Draws"
    PARAMETERS = (Parameter("players", range(2, 4), "how many play", default=2),)

    def count_players(self) -> int:
        return int(self.parameters["players"])

    def check_parameters(self) -> None:
        self.type = GameType("sequential", "sampled", "imperfect", 2 * self.num_players)

    def _cards(self) -> range:
        return range(1, 2 * self.num_players + 2)

    def setup(self, seed: int) -> str:
        return joined(shuffled(random.Random(seed), self._cards()))

    def read(self, text: str) -> DrawsState:
        n = self.num_players
        if " " not in text:
            cards = numbers(text)
            hands, deck, turn = cards[:n], cards[n:], 0
        else:
            parts = fields(text, 3, "HANDS DECK TURN")
            hands, deck = numbers(parts[0], n), numbers(parts[1])
            turn = numbers(parts[2], 1)[0]
        if sorted(hands + deck) != [*self._cards()] or len(hands) != n or turn > 2 * n:
            raise BadSetup(f"expected the cards 1 to {self._cards()[-1]} once each")
        deal = tuple(Event(p, f"hand {card}") for p, card in enumerate(hands))
        return DrawsState(self, Table(hands, deck, turn), news=() if " " in text else deal)

    def read_left(self, text: str, drops: Drops) -> DrawsState:
        state = DrawsState(self, self.read(text).position, drops)
        if " " not in text or skip_dropped(state.position, drops) != state.position:
            raise BadSetup(f"this is no turn of those who are left: {text}")
        return state

    def sample_state(self, observation: str, player: int, rng: random.Random) -> State:
        self.check_viewer(player)
        hands = fields(Drops.split(observation, self.num_players)[0], 3, "HANDS DECK TURN")[0]
        own = hands.split(",")[player]
        hidden = iter(shuffled(rng, (c for c in self._cards() if str(c) != own)))
        return self.new_initial_state(
            "".join(str(next(hidden)) if letter == "?" else letter for letter in observation)
        )


def skip_dropped(table: Table, drops: Drops) -> Table:
    """Return the table with the turns of dropped players gone by, unless the game is over."""
    n, turn = len(table.hands), table.turn
    while drops.total() < n - 1 and turn < 2 * n and drops.has(turn % n):
        turn += 1
    return table._replace(turn=turn)


class DrawsState(ValueState[Table]):
    __slots__ = ()

    def players_to_act(self) -> tuple[int, ...]:
        n, turn = self.game.num_players, self.position.turn
        return (turn % n,) if turn < 2 * n else ()

    def legal_actions(self, player: int) -> tuple[str, ...]:
        return "keep", "swap"

    def after(self, player: int, action: str) -> DrawsState:
        if action not in ("keep", "swap"):
            raise IllegalAction("expected keep or swap")
        hands, deck, turn = self.position
        news = [Event(None, f"turn {turn + 1}")]
        if action == "swap":
            drawn, deck = deck[0], (*deck[1:], hands[player])
            hands = (*hands[:player], drawn, *hands[player + 1 :])
            news.append(Event(player, f"drew {drawn}"))
        table = skip_dropped(Table(hands, deck, turn + 1), self.drops)
        return DrawsState(self.game, table, self.drops, tuple(news))

    def without(self, player: int, drops: Drops) -> DrawsState:
        return DrawsState(self.game, skip_dropped(self.position, drops), drops)

    def action_seen(self, viewer: int, player: int, action: str) -> str:
        return action if viewer == player else "?"

    def scores(self) -> tuple[float, ...]:
        return self.position.hands

    def seen(self, player: int | None) -> str:
        hands, deck, turn = self.position
        seen = [c if player in (None, p) else "?" for p, c in enumerate(hands)]
        hidden = deck if player is None else "?" * len(deck)
        return f"{joined(seen)} {joined(hidden)} {turn}"


ENTRY_POINTS: Mapping[str, type[Game]] = {"pebbles": Pebbles, "auction": Auction, "draws": Draws}
