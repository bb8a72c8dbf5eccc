"""What lies on the table: the tree, the hands, the supply, who is out and who was dropped."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.drawing import label
from engines.core.drops import Drops
from engines.core.interface import Game
from engines.core.typed import NamedTuple
from engines.the_tree.grid import Board

OVER = -1  # in place of the player to act when the game is over


class Rules(Game):
    """What positions ask of their game.

    Attributes:
        play_on: whether the others go on for the next places when someone is out.
        hand: tiles dealt to each player.
        half: whether no tile may lie exactly above another.
    """

    play_on: bool
    hand: int
    half: bool


class Table(NamedTuple):
    """A position without whose turn it is.

    Attributes:
        board: the tree; not to be changed.
        placed: ``anchor << 6 | way`` of each placed tile, in any order.
        hands: one set of ways a player.
        supply: tiles in drawing order.
        out: players out, first to last.
        drops: players dropped.
    """

    board: Board
    placed: tuple[int, ...]
    hands: tuple[int, ...]
    supply: tuple[int, ...]
    out: tuple[int, ...]
    drops: Drops

    def still_in(self) -> list[int]:
        """Return the players neither out (whose hand is empty) nor dropped, ascending."""
        drops = self.drops
        return [p for p, hand in enumerate(self.hands) if hand and not drops.has(p)]

    def next_in(self, player: int) -> int:
        """Return the next player in order who is still in; somebody must be."""
        hands, drops = self.hands, self.drops
        while True:
            player = (player + 1) % len(hands)
            if hands[player] and not (drops.groups and drops.has(player)):
                return player

    def is_decided(self, *, play_on: bool) -> bool:
        """Return whether enough players are out or dropped to end the game."""
        if self.out and not play_on:
            return True
        return len(self.still_in()) <= (1 if len(self.hands) > 1 else 0)

    def why_over(self, names: Sequence[str], *, play_on: bool) -> str:
        """Say why the game is over, as it must be: everybody may know it."""
        left = self.still_in()
        if not self.is_decided(play_on=play_on):
            nobody = "" if self.out else "; nobody wins"
            return f"blocked, as the supply is empty and nobody can place a tile{nobody}"
        if self.out and (not play_on or len(self.hands) == 1):
            out = label(self.out[0], names)
            return f"{out} {'are' if out == 'you' else 'is'} out of tiles"
        last = label(left[0], names) if left else ""
        return f"only {last} {'are' if last == 'you' else 'is'} left" if left else "nobody is left"

    def is_stuck(self) -> bool:
        """Return whether the supply is empty and nobody still in can place."""
        return not self.supply and not any(
            self.board.placements(self.hands[p]) for p in self.still_in()
        )

    def scores(self) -> tuple[int, ...]:
        """Return the number of players for the first one out, one less for the next; else 0."""
        n = len(self.hands)
        scores = [0] * n
        for place, player in enumerate(self.out):
            if not self.drops.has(player):
                scores[player] = n - place
        return tuple(scores)

    def laid(self) -> list[tuple[int, int]]:
        """Return anchor and way of the placed tiles, by row, then by x."""
        return [(tile >> 6, tile & 63) for tile in sorted(self.placed)]
