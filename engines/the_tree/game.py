"""The rules with their parameters fixed: players, whether to play on, and the size of hands."""

from __future__ import annotations

from engines.core.chance import generator, shuffled
from engines.core.drops import Drops
from engines.core.errors import BadParameter
from engines.core.interface import GameType, Parameter
from engines.core.typed import TYPE_CHECKING
from engines.the_tree.sampling import sample
from engines.the_tree.state import TheTreeState
from engines.the_tree.table import Rules
from engines.the_tree.text import read_setup
from engines.the_tree.tiles import TILE_TEXTS, tiles_text

if TYPE_CHECKING:
    import random


class TheTree(Rules):
    """The Tree for 1 to 4 players."""

    name = "the_tree"
    title = "The Tree"
    PARAMETERS = (
        Parameter("players", range(1, 5), "number of players", 2),
        Parameter("play_on", ("no", "yes"), "whether the others go on when someone is out"),
        Parameter("hand", range(2, 37), "tiles dealt to each player", 9),
        Parameter("above", ("any", "half"), "may a tile lie exactly above one, or half aside only"),
    )

    def count_players(self) -> int:
        return int(self.parameters["players"])

    def check_parameters(self) -> None:
        self.play_on = self.parameters["play_on"] == "yes"
        self.half = self.parameters["above"] == "half"
        self.hand = int(self.parameters["hand"])
        most = len(TILE_TEXTS) // self.num_players
        if self.hand > most:
            raise BadParameter(
                f"hand={self.hand}: expected a whole number from 2 to {most} "
                f"for {self.num_players} players"
            )
        self.type = self._type()

    def _type(self) -> GameType:
        """Return the facts, as the rules page counts them ("The end")."""
        n, tiles = self.num_players, len(TILE_TEXTS)
        kept = 0 if n == 1 else 1 if self.play_on else n - 1  # at least, by those who are not out
        most = tiles - 1 - kept  # each action places a tile, but the first tile goes unasked
        if n == 1 and self.hand == tiles:  # every tile is in the one hand
            return GameType("sequential", "deterministic", "perfect", most)
        return GameType("sequential", "sampled", "imperfect", most)

    def setup(self, seed: int) -> str:
        """Deal the shuffled tiles: the first hand to player 0, and so on; the rest in order."""
        tiles = shuffled(generator(seed), range(len(TILE_TEXTS)))
        dealt = self.num_players * self.hand
        hands = [sorted(tiles[i : i + self.hand]) for i in range(0, dealt, self.hand)]
        return f"{'/'.join(map(tiles_text, hands))} {tiles_text(tiles[dealt:])}"

    def read_left(self, text: str, drops: Drops) -> TheTreeState:
        """Return the position of a deal or of a position."""
        return TheTreeState(self, *read_setup(self, text, drops))

    def sample_state(self, observation: str, player: int, rng: random.Random) -> TheTreeState:
        """Draw a state that looks so to the player, uniformly over the hidden tiles."""
        return sample(self, observation, player, rng)
