"""The turns: placing, going out, extra turns, drawing and passing."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from engines.core.base import BaseState, Drops, View, check_player, require_text, require_turn
from engines.core.chance import below
from engines.core.errors import IllegalAction
from engines.core.interface import Event
from engines.core.typed import TYPE_CHECKING
from engines.the_tree.grid import NOTHING_BELOW, nth_bit, placed_text, read_placed
from engines.the_tree.moves import pass_turns
from engines.the_tree.picture import draw_text
from engines.the_tree.playout import play_out
from engines.the_tree.svg import draw_svg
from engines.the_tree.table import OVER, Rules, Table
from engines.the_tree.tiles import TILE_OF_WAY, TILE_TEXTS, WAYS_OF_TILE

if TYPE_CHECKING:
    import random


_PLACEMENT = r"([0-7])([0-7])@(0|-?[1-9][0-9]*):(0|[1-9][0-9]*)"


class TheTreeState(BaseState):
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
        return () if self.to == OVER else (self.to,)

    def is_terminal(self) -> bool:
        return self.to == OVER

    def count_legal(self, player: int) -> int:
        return self._placements.bit_count() if player == self.to else 0

    def legal_actions(self, player: int) -> tuple[str, ...]:
        if player != self.to:
            return ()
        if not self._known:
            anchors = self.table.board.anchors
            ordered = []
            fields = self._placements
            while fields:
                bit = fields.bit_length() - 1
                fields ^= 1 << bit
                way = bit & 63
                # a cell's index grows by y, then by x
                ordered.append((TILE_OF_WAY[way] << 12 | anchors[bit >> 6]) << 6 | way)
            ordered.sort()
            for key in ordered:
                anchor, way = key >> 6 & 0xFFF, key & 63
                self._known[placed_text(anchor, way)] = anchor, way
        return tuple(self._known)

    def sample_action(self, player: int, rng: random.Random) -> str:
        require_turn(self, player)
        bit = nth_bit(self._placements, below(rng, self._placements.bit_count()))
        return placed_text(self.table.board.anchors[bit >> 6], bit & 63)

    def apply_action(self, player: int, action: str) -> TheTreeState:
        if self.to == OVER:
            why = self.table.why_over(play_on=self.game.play_on)
            raise IllegalAction(f"the game is over: {why}")
        if player != self.to:
            require_turn(self, player)
        require_text(action)
        if listed := self._known.get(action):
            return self._place(*listed)
        read = read_placed(action)
        if read is None:
            raise IllegalAction(self._why_unread(action))
        anchor, way = read
        tile = TILE_OF_WAY[way]
        if not self.table.hands[player] & WAYS_OF_TILE[tile]:
            raise IllegalAction(f"tile {TILE_TEXTS[tile]} is not in the hand of player {player}")
        if not self.table.board.allows(anchor, way):
            reason = self.table.board.objection(anchor, way)
            raise IllegalAction(f"{action[:20]} cannot be placed: {reason}")
        return self._place(anchor, way)

    def _why_unread(self, action: str) -> str:
        """Say what is wrong with a text that names no place on the grid."""
        match = re.fullmatch(_PLACEMENT, action)
        if match is None:
            shown = action if len(action) <= 20 else action[:20] + "..."
            return (
                f"{shown!a} is no placement: expected LR@x:y, left and right symbol (0 to 7) "
                "and the cell of the left half, as in 12@0:1"
            )
        tile = TILE_OF_WAY[8 * int(match[1]) + int(match[2])]
        if not self.table.hands[self.to] & WAYS_OF_TILE[tile]:
            return f"tile {TILE_TEXTS[tile]} is not in the hand of player {self.to}"
        return f"{action[:20]} cannot be placed: {NOTHING_BELOW}"

    def without(self, player: int, drops: Drops) -> TheTreeState:
        table = self.table._replace(drops=drops)
        if self.to == OVER or table.is_decided(play_on=self.game.play_on):
            return TheTreeState(self.game, table, OVER)
        if player == self.to:
            return begin_turn(self.game, table, table.next_in(player), [])
        return TheTreeState(self.game, table, self.to)

    def scores(self) -> tuple[float, ...]:
        return self.table.scores()

    def ranks(self) -> tuple[int, ...]:
        return self.table.ranks()

    def observation(self, player: int | None) -> str:
        if player is not None:
            check_player(self, player)
        return self.table.text(self.to, player)

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
            self._place(anchor, way).count_sequences(depth - 1)
            for anchor, way in self._open_placements()
        )

    def svg(self, view: View) -> str:
        return draw_svg(self.table, self.to, self.game.play_on, view)

    def text(self, view: View) -> str:
        return draw_text(self.table, self.to, self.game.play_on, view)

    def key(self) -> Hashable:
        return self.to, self.table[2:], frozenset(self.table.placed)

    def _open_placements(self) -> Iterator[tuple[int, int]]:
        """Yield anchor and way of each legal placement, in no order that matters."""
        anchors = self.table.board.anchors
        fields = self._placements
        while fields:
            bit = fields.bit_length() - 1
            fields ^= 1 << bit
            yield anchors[bit >> 6], bit & 63

    def _place(self, anchor: int, way: int) -> TheTreeState:
        """Carry out a legal placement of the player to act."""
        old = self.table
        player = self.to
        extra = old.board.earns(anchor)
        board = old.board.copy()
        board.lay(anchor, way)
        hands = list(old.hands)
        hands[player] ^= WAYS_OF_TILE[TILE_OF_WAY[way]]
        placed = (*old.placed, anchor << 6 | way)
        table = Table(board, placed, tuple(hands), old.supply, old.out, old.drops)
        if not hands[player]:
            table = table._replace(out=(*old.out, player))
            events = [Event(None, f"out {player} {len(table.out)}")]
            if table.is_decided(play_on=self.game.play_on):
                return TheTreeState(self.game, table, OVER, tuple(events))
            return begin_turn(self.game, table, table.next_in(player), events)
        if extra:
            return begin_turn(self.game, table, player, [Event(None, f"extra {player}")])
        return begin_turn(self.game, table, table.next_in(player), [])


def begin_turn(game: Rules, table: Table, player: int, events: list[Event]) -> TheTreeState:
    """Begin a turn of a player still in, or of the next one that can place.

    Args:
        game: the rules.
        table: the position.
        player: the index of the player whose turn begins.
        events: what became known before; those of the passes are added.
    """
    table, player, placements = pass_turns(table, player, events)
    return TheTreeState(game, table, player, tuple(events), placements)
