"""Sixty stones: a game of exactly sixty decisions, to compare with sixty plies of chess.

Both drop a stone into one of six columns (``a`` to ``f``) of ten places in turn, until all are
full; nobody wins. Setup and observation: how many stones are in each column, and who is to act
next: ``3,0,10,0,0,1 0``.
"""

from __future__ import annotations

from engines.core.base import ValueState, fields, joined
from engines.core.errors import BadSetup, IllegalAction
from engines.core.interface import Game, GameType

__all__ = ["Sixty"]

LETTERS, HEIGHT = "abcdef", 10
PLACES = len(LETTERS) * HEIGHT


class Sixty(Game):
    """Six columns of ten places, two players, no lines."""

    name = "sixty"
    title = "Sixty stones"
    type = GameType("sequential", "deterministic", "perfect", PLACES)

    def setup(self, seed: int) -> str:
        """Return the empty board: nothing here is random."""
        return "0,0,0,0,0,0 0"

    def read(self, text: str) -> SixtyState:
        board, player = fields(text, 2, "COLUMNS PLAYER")
        known = {str(height): height for height in range(HEIGHT + 1)}
        columns = tuple([known.get(word, -1) for word in board.split(",")])
        if len(columns) != len(LETTERS) or min(columns) < 0 or player != str(sum(columns) % 2):
            raise BadSetup(f'expected six numbers up to 10, and who is next: "{text}"')
        return SixtyState(self, columns)


class SixtyState(ValueState[tuple[int, ...]]):
    """How many stones each column holds, and the drops."""

    __slots__ = ()

    def players_to_act(self) -> tuple[int, ...]:
        stones = sum(self.position)
        return () if stones == PLACES else (stones % 2,)

    def legal_actions(self, player: int) -> tuple[str, ...]:
        """Return the columns that have room, from left to right."""
        return tuple([x for x, held in zip(LETTERS, self.position, strict=True) if held < HEIGHT])

    def after(self, player: int, action: str) -> SixtyState:
        if action not in self.legal_actions(player):
            raise IllegalAction("expected a column from a to f that has room")
        columns = list(self.position)
        columns[LETTERS.index(action)] += 1
        return self.moved(tuple(columns))

    def scores(self) -> tuple[float, ...]:
        return (0.0, 0.0)

    def seen(self, player: int | None) -> str:
        return f"{joined(self.position)} {sum(self.position) % 2}"
