"""The game of Leaves: its parameters and setups."""

from __future__ import annotations

from collections.abc import Mapping

from engines.core.drops import Drops
from engines.core.interface import GameType, Parameter
from engines.leaves.moves import RuledGame, Rules, turns_within
from engines.leaves.state import LeavesState
from engines.leaves.text import read_position

_STARTS = {"line": "#/#/#/#/#", "plus": ".#./###/.#.", "u": "#.#/###"}
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
        rows = _STARTS[str(self.parameters["tree"])].split("/")
        # a leaf makes the box longer by a cell, if it is pushed by one
        self.box = len(rows) + 2 * _HAND, len(rows[0]) + 2 * _HAND
        self.num_features = 3 * self.box[0] * self.box[1] + 8 if self._by_one() else 0

    def _by_one(self) -> bool:
        return self.parameters["push"] == "one"

    def action_names(self) -> tuple[str, ...] | None:
        """Return the turns of one leaf, then those of two, if leaves are pushed by one."""
        return turns_within(self.box, self.rules) if self._by_one() else None

    def setup(self, seed: int) -> str:
        """Return the setup: the same for every seed, as nothing is random."""
        return f"{_STARTS[str(self.parameters['tree'])]} 0 {_HAND},{_HAND} 1 *"

    def read_left(self, text: str, drops: Drops) -> LeavesState:
        """Return the position of ``BOARD PLAYER HAND0,HAND1 COUNT FROM``, over after a drop."""
        position = read_position(text, single=self.rules.turns == "single", over=bool(drops.groups))
        return LeavesState(self, *position, drops)
