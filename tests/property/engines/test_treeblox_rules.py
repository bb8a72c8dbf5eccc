"""Treeblox agrees with a second writing of its rules that keeps nothing up to date."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

import engines

Cell = tuple[int, int, int]
GROUND = {(x, y, 0) for x in range(4) for y in range(4)}
STEPS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


@dataclass
class Table:
    """The cubes on the table, and the course of the turn; all else is looked up when needed."""

    cubes: dict[Cell, tuple[int, str]] = field(default_factory=dict)  # cell → player, B or L
    phase: str = "first"
    player: int = 0
    rate: int = 1
    placed: int = 0  # cubes of this turn
    empty_before: bool = False

    def stock(self, player: int, kinds: str = "BL") -> int:
        return sum(16 - [*self.cubes.values()].count((player, kind)) for kind in kinds)

    def active(self, player: int) -> int:
        leaves = [cell for cell, cube in self.cubes.items() if cube == (player, "L")]
        return sum(
            not any((x, y, higher) in self.cubes for higher in range(z + 1, 20))
            for x, y, z in leaves
        )

    def available(self, player: int) -> list[Cell]:
        beside = {
            (x + dx, y + dy, z + dz)
            for (x, y, z), cube in self.cubes.items()
            if cube == (player, "B")
            for dx, dy, dz in STEPS
        }
        cells = {cell for cell in GROUND | beside if cell not in self.cubes and cell[2] >= 0}
        return sorted(cells, key=lambda cell: cell[::-1])

    def legal(self) -> list[str]:
        if self.phase == "over":
            return []
        kinds = "L" if self.phase == "first" else "BL"
        actions = [
            kind + ".".join(map(str, cell))
            for kind in kinds
            if self.stock(self.player, kind)
            for cell in self.available(self.player)
        ]
        return actions + ["pass"] * (self.phase == "main")

    def begin(self, player: int) -> None:
        self.player, self.placed = player, 0
        self.rate = 1 if self.active(player) < 3 else 2

    def play(self, action: str) -> None:
        if action == "pass":
            if not self.placed and self.empty_before:
                self.phase = "over"
            self.empty_before = not self.placed
            self.begin(1 - self.player)
            return
        x, y, z = map(int, action[1:].split("."))
        me, other = self.player, 1 - self.player
        self.cubes[x, y, z] = (me, action[0])
        self.placed += 1
        if self.phase == "first":
            self.phase = "main" if me else "first"
            self.begin(other)
        elif not self.active(0) or not self.active(1):
            self.phase = "over"
        elif self.phase == "final":
            if not self.stock(me) or not self.available(me):
                self.phase = "over"
        elif not self.stock(me):
            self.phase = "final" if self.available(other) else "over"
            self.begin(other)
        elif self.placed == self.rate:
            self.empty_before = False
            self.begin(other)

    def text(self) -> str:
        if self.phase == "over":
            head = "- over 0 -"
        elif self.phase == "main":
            left = min(self.stock(self.player), self.rate - self.placed)
            passing = "stop" if self.placed else "end" if self.empty_before else "idle"
            head = f"{self.player} main {left} {passing}"
        else:
            left = self.stock(self.player) if self.phase == "final" else 1
            head = f"{self.player} {self.phase} {left} -"
        lists = []
        for wanted in ((0, "B"), (0, "L"), (1, "B"), (1, "L")):
            cells = [cell for cell, cube in self.cubes.items() if cube == wanted]
            cells.sort(key=lambda cell: cell[::-1])
            lists.append(",".join(".".join(map(str, cell)) for cell in cells) or "-")
        return " ".join([head, *lists])


@pytest.mark.parametrize("seed", range(24))
def test_random_game_agrees_with_the_rules_written_again(seed: int) -> None:
    """Every observation, list of legal actions and score of a random game is what the rules say.

    In a third of the games leaves are rare, so that trees spread and ends by light come up; in
    another third passing is, so that stocks run out.
    """
    rng, table = random.Random(seed), Table()
    state = engines.load_game("treeblox").new_initial_state()
    rare = ("", "L", "p")[seed % 3]
    while True:
        assert state.observation(None) == table.text()
        assert state.scores() == (table.active(0), table.active(1))
        legal = table.legal()
        if not legal:
            break
        assert state.legal_actions(table.player) == tuple(legal)
        wanted = [action for action in legal if action[0] != rare] or legal
        action = rng.choice(legal if rng.random() < 0.1 else wanted)
        state = state.apply_action(table.player, action)
        table.play(action)
    assert state.is_terminal()
