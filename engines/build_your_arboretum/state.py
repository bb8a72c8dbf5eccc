"""A position of Build Your Arboretum, as every engine shows one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress

from engines.build_your_arboretum.counting import count_sequences
from engines.build_your_arboretum.moves import (
    count_moves,
    do,
    list_moves,
    move_text,
    nth_move,
    read_move,
)
from engines.build_your_arboretum.picture import board_text, headline, things_named
from engines.build_your_arboretum.playout import play_out
from engines.build_your_arboretum.svg import draw_svg
from engines.build_your_arboretum.table import BID, FIRST, PLAY, Table
from engines.build_your_arboretum.text import HIDDEN, observe
from engines.build_your_arboretum.words import action_words, event_words, prompt
from engines.core.chance import below
from engines.core.drawing import Seat, label, with_outcomes
from engines.core.drops import NO_DROPS, Drops
from engines.core.interface import WATCHER, Event, Game, State, View, require_turn
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from engines.core.interface import Viewer


_NO_BID = "bid:-"
_NO_BIDS = (Event(None, "bids -/-"),)


class ArboretumState(State):
    """A table that is never changed again, who was dropped, and what was announced on the way."""

    __slots__ = ("_events", "_totals", "drops", "game", "table")

    game: Game

    def __init__(
        self,
        game: Game,
        table: Table,
        drops: Drops = NO_DROPS,
        events: tuple[Event, ...] = (),
    ) -> None:
        self.game = game
        self.table = table
        self.drops = drops
        self._events = events
        self._totals: tuple[int, int] | None = None

    def players_to_act(self) -> tuple[int, ...]:
        """Return who owes an action: both, or the one who has not bid, while bids are made."""
        table = self.table
        if table.phase == PLAY:
            return (table.turns[0] >> 1,)
        if table.phase == BID:
            return tuple([player for player in (0, 1) if table.bids[player] is None])
        return (self._advantage(),) if table.phase == FIRST else ()

    def _advantage(self) -> int:
        return int(self.game.parameters["advantage"])

    def legal_actions(self, player: int) -> tuple[str, ...]:
        """Return the actions in the documented order; 53,195 bids with 13 parrots, so beware."""
        table = self.table
        plays = table.phase == PLAY and table.turns[0] >> 1 == player
        if not plays and player not in self.players_to_act():
            return ()
        return list_moves(table, player)

    def count_legal(self, player: int) -> int:
        """Return the number of legal actions, without listing."""
        return count_moves(self.table, player) if player in self.players_to_act() else 0

    def sample_action(self, player: int, rng: random.Random) -> str:
        """Draw a legal action uniformly, without listing; the player must owe one."""
        require_turn(self, player)
        table = self.table
        return move_text(nth_move(table, player, below(rng, count_moves(table, player))))

    def after(self, player: int, action: str) -> ArboretumState:
        """Return the state after an action of a player who owes one."""
        table = self.table
        move = read_move(table, player, action)
        log: list[str] = []
        table = table.copy(log)
        do(table, player, move)
        table.log = None
        events = tuple([Event(None, text) for text in log]) if log else ()
        return ArboretumState(self.game, table, self.drops, events)

    def scores(self) -> tuple[float, ...]:
        """Return the two totals, as if the round and the game ended now."""
        if self._totals is None:
            self._totals = self.table.totals()
        return self._totals

    def ranks(self) -> tuple[int, ...]:
        """Return the ranks: level totals go to the player with the advantage."""
        first, second = self.scores()
        standing = [-first, -second]
        if first == second:
            standing[self._advantage()] -= 1
        return self.drops.ranks([int(place) for place in standing])

    def seen(self, player: int | None) -> str:
        """Return the 15 fields: the deck and the opponent's bid as ``?`` for a player."""
        return observe(self.table, player)

    def public(self) -> str:
        """Return the fields with the deck and both bids as ``?``."""
        return observe(self.table, WATCHER)

    def events(self) -> tuple[Event, ...]:
        """Return what was announced on the way into this state, to both players."""
        return self._events

    def action_seen(self, viewer: int, player: int, action: str) -> str:
        """Return the action: when both bids are in, they are revealed.

        That ends the bidding, unless both are empty and the next round's begins at once. Of a
        state in which a bid is still owed nobody should ask; there the opponent's bid is ``?``.
        """
        if viewer == player or self.table.phase != BID or not action.startswith("bid:"):
            return action
        return action if action == _NO_BID and self._events[:1] == _NO_BIDS else HIDDEN

    def timeout_action(self, player: int) -> str | None:
        """Return the empty bid, ``skip``, or oneself as starting player; None if none is owed."""
        if player not in self.players_to_act():
            return None
        phase = self.table.phase
        return _NO_BID if phase == BID else "skip" if phase == PLAY else f"first:{player}"

    def without(self, player: int, drops: Drops) -> ArboretumState:
        """Return the state after a player has left: the game is over, the other one has won."""
        table = self.table.copy(None)
        table.stop()
        return ArboretumState(self.game, table, drops)

    def random_playout(self, rng: random.Random) -> tuple[float, ...]:
        """Play uniformly random actions to the end on one table that is changed in place."""
        table = self.table.copy(None)
        play_out(table, rng)
        return ArboretumState(self.game, table, self.drops).returns()

    def count_sequences(self, depth: int) -> int:
        """Count the action sequences of exactly this length, equal positions once."""
        return count_sequences(self.table, depth)

    def prompt(self, player: int, clicks: Sequence[str]) -> str:
        return prompt(self.table, player, clicks)

    def called(self, action: str) -> str:
        with suppress(ValueError):
            return action_words(action)
        return super().called(action)

    def tell(self, event: str) -> str:
        return event_words(event)

    def svg(self, view: View) -> str:
        """Draw the table with the players' names and the last action marked."""
        table, called = self.table, (label(0, view.names), label(1, view.names))
        player = view.player
        notes = self._with_outcome([f"{n} point{'s' * (n != 1)}" for n in table.totals()])
        seats = [Seat(called[who], notes[who], self._acts(who, player)) for who in (0, 1)]
        named = self._named(view)
        return draw_svg(table, seats, headline(table, called), player, named, view.choices)

    def _with_outcome(self, notes: list[str]) -> list[str]:
        """Add to what is said of each player who wins, once that is known."""
        return with_outcomes(notes, self.ranks()) if self.is_terminal() else notes

    def _acts(self, who: int, viewer: Viewer) -> bool:
        """Return whether a viewer is shown that a player acts: whoever has bid keeps it secret."""
        if self.table.phase == BID and viewer not in (None, who):
            return True
        return who in self.players_to_act()

    def _named(self, view: View) -> tuple[int, list[str]] | None:
        """Return who took the last action and what it names, unless the viewer may not know."""
        if view.last is None or view.last[0] not in (0, 1):
            return None
        who, action = view.last
        secret = self.table.phase == BID and action.startswith("bid:")
        if secret and view.player not in (None, who):
            return None
        named = things_named(action)
        return None if named is None else (who, named)

    def text(self, view: View) -> str:
        names = view.names
        called = self._with_outcome([label(0, names), label(1, names)]) if names else None
        named = self._named(view)
        marked = named[1] if named else ()
        return board_text(self.table, view.player, called, marked, color=view.color)

    def key(self) -> Hashable:
        return self.table.key(), self.drops
