"""The game of Treeblox as a whole: its name, and the positions it begins with."""

from __future__ import annotations

from engines.core.interface import Game, GameType
from engines.treeblox.state import TreebloxState
from engines.treeblox.text import DEFAULT, read_setup


class Treeblox(Game):
    """Treeblox for two: player 0 is Dark, player 1 Light. There are no parameters."""

    name = "treeblox"
    title = "Treeblox"
    type = GameType("sequential", "deterministic", "perfect", 185)

    def setup(self, seed: int) -> str:
        """Return the empty board: nothing is dealt, whatever the seed."""
        return DEFAULT

    def new_initial_state(self, setup: str | None = None) -> TreebloxState:
        return read_setup(self, DEFAULT if setup is None else setup)
