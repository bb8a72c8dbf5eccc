"""The positions of Leaves, and the course of play."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress

from engines.core.drawing import Seat, called, does, label, with_outcomes
from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import IllegalAction
from engines.core.interface import State, View, require_turn
from engines.core.typed import TYPE_CHECKING
from engines.leaves.clicks import clicks
from engines.leaves.moves import (
    RuledGame,
    Turn,
    count,
    listing,
    place,
    random_turn,
    sequences,
    size_after,
    turn_sizes,
)
from engines.leaves.picture import Landing, draw_text, landings
from engines.leaves.playout import play_out
from engines.leaves.svg import draw_svg
from engines.leaves.text import parse_turn, position_text, turn_text
from engines.leaves.tree import LEAF, SIDES, held
from engines.leaves.words import prompt, turn_words

if TYPE_CHECKING:
    import random

_ANY_SIDE = "*"
_TO_ACT = ((0,), (1,), ())


class LeavesState(State):
    """A tree, and whose turn it is.

    ``player`` is -1 when the game is over; ``leaves`` is what this turn places; ``side`` is where
    its first leaf must come from, ``*`` for any side and ``-`` when the game is over.
    """

    __slots__ = ("_before", "board", "drops", "game", "hands", "leaves", "player", "side")

    game: RuledGame

    def __init__(
        self,
        game: RuledGame,
        board: bytes,
        player: int,
        hands: tuple[int, int],
        leaves: int,
        side: str,
        drops: Drops = NO_DROPS,
        before: bytes | None = None,
    ) -> None:
        """Take a position; ``before`` is the tree before the last turn, which pictures mark."""
        self.game = game
        self.board = board
        self.player = player
        self.hands = hands
        self.leaves = leaves
        self.side = side
        self.drops = drops
        self._before = before

    def key(self) -> Hashable:
        return self.board, self.player, self.hands, self.leaves, self.side, self.drops

    def _sides(self) -> str:
        return SIDES if self.side == _ANY_SIDE else self.side

    def players_to_act(self) -> tuple[int, ...]:
        return _TO_ACT[self.player]

    def legal_actions(self, player: int) -> tuple[str, ...]:
        if player != self.player or player < 0:
            return ()
        return tuple(listing(self.board, self._sides(), self.leaves, self.game.rules))

    def count_legal(self, player: int) -> int:
        if player != self.player or player < 0:
            return 0
        return count(self.board, self._sides(), self.leaves, self.game.rules)

    def sample_action(self, player: int, rng: random.Random) -> str:
        require_turn(self, player)
        rules = self.game.rules
        return turn_text(random_turn(self.board, self._sides(), self.leaves, rules, rng), rules)

    def after(self, player: int, action: str) -> LeavesState:
        rules = self.game.rules
        turn = parse_turn(action, self.leaves, rules)
        if self.side not in (_ANY_SIDE, turn[0].side):
            raise IllegalAction(f"this leaf comes from {self.side}, not from {turn[0].side}")
        board = self.board
        for placement in turn:
            board = place(board, placement, LEAF[player])
        left = self.hands[player] - self.leaves
        hands = (self.hands[0], left) if player else (left, self.hands[1])
        following, leaves = size_after(rules, player, hands)
        if not leaves:
            return LeavesState(self.game, board, -1, hands, 0, "-", before=self.board)
        side = rules.second_sides(turn[0].side) if rules.turns == "single" else _ANY_SIDE
        return LeavesState(self.game, board, following, hands, leaves, side, before=self.board)

    def scores(self) -> tuple[float, ...]:
        return held(self.board)

    def seen(self, player: int | None) -> str:
        return position_text(self.board, self.player, self.hands, self.leaves, self.side)

    def without(self, player: int, drops: Drops) -> LeavesState:
        return LeavesState(self.game, self.board, -1, self.hands, 0, "-", drops)

    def random_playout(self, rng: random.Random) -> tuple[float, ...]:
        if self.player < 0:
            return self.returns()
        first, second = self.random_score(rng)
        return (1.0, -1.0) if first > second else (-1.0, 1.0) if first < second else (0.0, 0.0)

    def random_score(self, rng: random.Random) -> tuple[int, int]:
        """Play uniformly random turns to the end and return the score."""
        rules = self.game.rules
        plan = turn_sizes(rules, self.player, self.hands, self.leaves)
        return play_out(self.board, plan, self._sides(), rules, rng)

    def count_sequences(self, depth: int) -> int:
        if depth == 0:
            return 1
        if self.player < 0:
            return 0
        rules = self.game.rules
        plan = [n for _, n in turn_sizes(rules, self.player, self.hands, self.leaves)]
        if depth > len(plan):
            return 0
        return sequences(self.board, self._sides(), plan[:depth], rules)

    def features(self, player: int) -> tuple[float, ...]:
        """Return the logs, the player's leaves and the other's, by rows of the largest box.

        Then the leaves in hand, one's own first, those of this turn, whether it is the player's,
        and for each side whether its first leaf may come from there.
        """
        if not self.game.num_features:
            return ()
        (height, width), planes = self.game.box, ("#", "ab"[player], "ba"[player])
        rows = [row.ljust(width, ".")[:width] for row in self.board.decode().split("/")]
        cells = "".join(rows).ljust(height * width, ".")[: height * width]
        shown = [float(cell == tile) for tile in planes for cell in cells]
        sides = [float(side in self._sides()) for side in SIDES]
        hands = self.hands[player], self.hands[1 - player]
        return (*shown, *map(float, (*hands, self.leaves, self.player == player)), *sides)

    def prompt(self, player: int, clicks: Sequence[str]) -> str:
        return prompt(self.leaves, self.side, self.game.rules, clicks)

    def called(self, action: str) -> str:
        turn = self._turn(action)
        return turn_words(turn) if turn else super().called(action)

    def svg(self, view: View) -> str:
        notes = self._notes()
        seats = [Seat(label(p, view.names), notes[p], p == self.player) for p in (0, 1)]
        picks = clicks(self.board, view.choices, self.leaves, self.game.rules)
        return draw_svg(self.board, seats, self._status(view.names), self._landed(view.last), picks)

    def text(self, view: View) -> str:
        legend = None
        if view.names:
            legend = [f"{called(p, view.names)}: {note}" for p, note in enumerate(self._notes())]
        marked = self._landed(view.last)
        return draw_text(
            self.board, self.hands, self._status(view.names), legend, marked, color=view.color
        )

    def _notes(self) -> list[str]:
        """Say what each player has, and at the end who won."""
        count = held(self.board)
        if self.player >= 0:
            return [f"{count[p]} held, {self.hands[p]} in hand" for p in (0, 1)]
        return with_outcomes([f"{number} held" for number in count], self.ranks())

    def _landed(self, last: tuple[int, str] | None) -> list[Landing]:
        """Return where the leaves of the last turn lie, if it can be read."""
        if last is None or last[0] not in (0, 1):
            return []
        turn = self._turn(last[1])
        return landings(self._before, self.board, turn, LEAF[last[0]]) if turn else []

    def _turn(self, action: str) -> Turn | None:
        """Read a turn of any number of leaves, ``None`` if it is none."""
        for leaves in (2, 1):
            with suppress(IllegalAction):
                return parse_turn(action, leaves, self.game.rules)
        return None

    def _status(self, names: Sequence[str]) -> str:
        """Say whose turn it is, or how the game stands at its end."""
        if self.player < 0:
            first, second = held(self.board)
            gone = "".join(f", {label(p, names)} left" for p in (0, 1) if self.drops.has(p))
            return f"over, {first}-{second}{gone}"
        number = "1 leaf" if self.leaves == 1 else f"{self.leaves} leaves"
        begin = "" if self.side == _ANY_SIDE else f" from {self.side}"
        return f"{does(label(self.player, names), 'places')} {number}{begin}"
