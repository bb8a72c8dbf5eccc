"""Sixty stones: a game of exactly sixty decisions, to compare with sixty plies of chess.

Both drop a stone into one of six columns (``a`` to ``f``) of ten places in turn, until all are
full; nobody wins. Setup and observation: how many stones are in each column, and who is to act
next: ``3,0,10,0,0,1 0``.
"""

from __future__ import annotations

from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import BadSetup, IllegalAction
from engines.core.interface import Game, GameType, State, require_turn
from engines.core.text import fields

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

    def new_initial_state(self, setup: str | None = None) -> SixtyState:
        text, drops = Drops.split(self.setup(0) if setup is None else setup, 2)
        board, player = fields(text, 2, "COLUMNS PLAYER")
        known = {str(height): height for height in range(HEIGHT + 1)}
        columns = tuple([known.get(word, -1) for word in board.split(",")])
        if len(columns) != len(LETTERS) or min(columns) < 0 or player != str(sum(columns) % 2):
            raise BadSetup(f'expected six numbers up to 10, and who is next: "{text}"')
        return SixtyState(self, columns, drops)


class SixtyState(State):
    """How many stones each column holds, and who was dropped."""

    __slots__ = ("columns", "drops", "game", "stones")

    def __init__(self, game: Game, columns: tuple[int, ...], drops: Drops = NO_DROPS) -> None:
        self.game, self.columns, self.drops = game, columns, drops
        self.stones = sum(columns)

    def players_to_act(self) -> tuple[int, ...]:
        return () if self.drops.groups or self.stones == PLACES else (self.stones % 2,)

    def legal_actions(self, player: int) -> tuple[str, ...]:
        """Return the columns that have room, from left to right."""
        if player not in self.players_to_act():
            return ()
        return tuple([x for x, held in zip(LETTERS, self.columns, strict=True) if held < HEIGHT])

    def apply_action(self, player: int, action: str) -> SixtyState:
        if action not in self.legal_actions(player):
            require_turn(self, player)
            raise IllegalAction("expected a column from a to f that has room")
        columns = list(self.columns)
        columns[LETTERS.index(action)] += 1
        return SixtyState(self.game, tuple(columns))

    def scores(self) -> tuple[float, ...]:
        return (0.0, 0.0)

    def ranks(self) -> tuple[int, ...]:
        return self.drops.ranks((1, 1))

    def drop_player(self, player: int) -> SixtyState:
        if player not in (0, 1):
            raise ValueError(f"there is no player {player}")
        # with two players the first drop ends the game, so a second one shares its node
        return SixtyState(self.game, self.columns, self.drops.add(player, same_node=True))

    def observation(self, player: int | None) -> str:
        held = ",".join(map(str, self.columns))
        return f"{held} {self.stones % 2}{self.drops.field(2)}"

    def __str__(self) -> str:
        return self.observation(None)

    def to_svg(self, player: int | None = None) -> str:
        head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 140 20">'
        return f'{head}<text y="15">{self}</text></svg>'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SixtyState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.game, self.columns, self.drops
