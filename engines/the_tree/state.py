"""A position as every engine shows it: actions, observations and results in public words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress

from engines.core.chance import below
from engines.core.drops import Drops
from engines.core.errors import IllegalAction
from engines.core.interface import WATCHER, Event, State, View, require_turn
from engines.core.typed import TYPE_CHECKING
from engines.the_tree.grid import nth_bit
from engines.the_tree.moves import begin_turn, open_placements, place, refusal
from engines.the_tree.picture import draw_text
from engines.the_tree.playout import play_out
from engines.the_tree.svg import draw_svg
from engines.the_tree.table import OVER, Rules, Table
from engines.the_tree.text import listing, observe, placed_text, read_action
from engines.the_tree.words import action_words, event_words, prompt

if TYPE_CHECKING:
    import random

_TO_ACT = ((0,), (1,), (2,), (3,), ())  # the last for ``OVER``


class TheTreeState(State):
    """A position at which ``to`` owes a placement, or which is over (``to`` is ``OVER``)."""

    __slots__ = ("_events", "_known", "_placements", "drops", "game", "table", "to")

    game: Rules

    def __init__(
        self,
        game: Rules,
        table: Table,
        to: int,
        events: tuple[Event, ...] = (),
        placements: int = 0,
    ) -> None:
        """Take a position whose automatic steps are done; ``placements`` if they are known."""
        self.game = game
        self.table = table
        self.drops = table.drops
        self.to = to
        if not placements and to != OVER:
            placements = table.board.placements(table.hands[to])
        self._placements = placements
        self._events = events
        self._known: dict[str, tuple[int, int]] = {}  # anchor and way of the actions, once listed

    def players_to_act(self) -> tuple[int, ...]:
        return _TO_ACT[self.to]

    def count_legal(self, player: int) -> int:
        return self._placements.bit_count() if player == self.to else 0

    def legal_actions(self, player: int) -> tuple[str, ...]:
        if player != self.to:
            return ()
        if not self._known:
            self._known = listing(self.table.board, self._placements)
        return tuple(self._known)

    def sample_action(self, player: int, rng: random.Random) -> str:
        require_turn(self, player)
        bit = nth_bit(self._placements, below(rng, self._placements.bit_count()))
        return placed_text(self.table.board.anchors[bit >> 6], bit & 63)

    def after(self, player: int, action: str) -> TheTreeState:
        placed = self._known.get(action)
        if placed is None:
            placed = read_action(action)
            if reason := refusal(self.table, player, *placed):
                raise IllegalAction(f"{action[:20]}: {reason}")
        return self._placed(*placed)

    def _placed(self, anchor: int, way: int) -> TheTreeState:
        """Return the state after a legal placement of the player to act."""
        turn = place(self.table, self.to, anchor, way, play_on=self.game.play_on)
        return TheTreeState(self.game, *turn)

    def without(self, player: int, drops: Drops) -> TheTreeState:
        table = self.table._replace(drops=drops)
        if self.to == OVER or table.is_decided(play_on=self.game.play_on):
            return TheTreeState(self.game, table, OVER)
        if player == self.to:
            return TheTreeState(self.game, *begin_turn(table, table.next_in(player), []))
        return TheTreeState(self.game, table, self.to)

    def scores(self) -> tuple[float, ...]:
        return self.table.scores()

    def seen(self, player: int | None) -> str:
        return observe(self.table, self.to, player)

    def public(self) -> str:
        return observe(self.table, self.to, WATCHER)

    def events(self) -> tuple[Event, ...]:
        return self._events

    def random_playout(self, rng: random.Random) -> tuple[float, ...]:
        table = play_out(self.table, self.to, self.game.play_on, rng)
        return TheTreeState(self.game, table, OVER).returns()

    def count_sequences(self, depth: int) -> int:
        if depth == 0:
            return 1
        if depth == 1:
            return self._placements.bit_count()
        return sum(
            self._placed(*placed).count_sequences(depth - 1)
            for placed in open_placements(self.table, self._placements)
        )

    def prompt(self, player: int, clicks: Sequence[str]) -> str:
        return prompt(clicks)

    def called(self, action: str) -> str:
        with suppress(IllegalAction):
            return action_words(action)
        return super().called(action)

    def tell(self, event: str) -> str:
        return event_words(event)

    def svg(self, view: View) -> str:
        return draw_svg(self.table, self.to, self.game.play_on, view)

    def text(self, view: View) -> str:
        return draw_text(self.table, self.to, self.game.play_on, view)

    def key(self) -> Hashable:
        return self.to, self.table[2:], frozenset(self.table.placed)
