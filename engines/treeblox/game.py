"""The game of Treeblox as a whole: its name, and the positions it begins with."""

from __future__ import annotations

from engines.core.drops import Drops
from engines.core.interface import Game, GameType
from engines.treeblox.state import TreebloxState
from engines.treeblox.text import DEFAULT, every_action, read_position


class Treeblox(Game):
    """Treeblox for two: player 0 is Dark, player 1 Light. There are no parameters."""

    name = "treeblox"
    title = "Treeblox"
    type = GameType("sequential", "deterministic", "perfect", 185)
    num_features = 5168 + 11  # cells in reach, and what is not on the board

    def action_names(self) -> tuple[str, ...]:
        return every_action()

    def setup(self, seed: int) -> str:
        """Return the empty board: nothing is dealt, whatever the seed."""
        return DEFAULT

    def read_left(self, text: str, drops: Drops) -> TreebloxState:
        return TreebloxState(self, *read_position(text, dropped=bool(drops.groups)), drops)
