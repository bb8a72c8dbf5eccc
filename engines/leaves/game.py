"""The game of Leaves: its parameters and setups."""

from __future__ import annotations

from collections.abc import Mapping

from engines.core.drops import Drops
from engines.core.interface import GameType, Parameter
from engines.core.typed import TYPE_CHECKING
from engines.leaves.moves import (
    RuledGame,
    Rules,
)
from engines.leaves.state import LeavesState
from engines.leaves.text import read_position

if TYPE_CHECKING:
    pass


_STARTS = {"line": b"#/#/#/#/#", "plus": b".#./###/.#.", "u": b"#.#/###"}
_HAND = 10


class Leaves(RuledGame):
    """Two players push leaves into one tree; leaves that touch a log at the end count."""

    name = "leaves"
    title = "Leaves"
    PARAMETERS = (
        Parameter("tree", ("line", "plus", "u"), "the five logs at the start"),
        Parameter("push", ("one", "any"), "how far a leaf is pushed: one cell, or as you like"),
        Parameter(
            "turns",
            ("clockwise", "single", "free"),
            "second leaf from the next side clockwise; one leaf a turn, from the side clockwise"
            " of the one before; both leaves from any side",
        ),
    )

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(parameters)
        self.rules = Rules(self.parameters["push"] == "any", str(self.parameters["turns"]))

    def check_parameters(self) -> None:
        # 20 leaves one by one, or 1, 2, 2, ..., 2, 1 of them
        most = 20 if self.parameters["turns"] == "single" else 11
        self.type = GameType("sequential", "deterministic", "perfect", most)

    def setup(self, seed: int) -> str:
        """Return the setup: the same for every seed, as nothing is random."""
        return f"{_STARTS[str(self.parameters['tree'])].decode()} 0 {_HAND},{_HAND} 1 *"

    def new_initial_state(self, setup: str | None = None) -> LeavesState:
        """Return the position of a setup ``BOARD PLAYER HAND0,HAND1 COUNT FROM[ drop=P,…]``."""
        text, drops = Drops.split(self.setup(0) if setup is None else setup, 2)
        position = read_position(text, single=self.rules.turns == "single", over=bool(drops.groups))
        return LeavesState(self, *position, drops)
