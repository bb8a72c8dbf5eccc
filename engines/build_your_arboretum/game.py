"""The game Build Your Arboretum: its parameter, its deals, its positions."""

from __future__ import annotations

from engines.build_your_arboretum.cards import CARDS
from engines.build_your_arboretum.state import ArboretumState
from engines.build_your_arboretum.table import Table
from engines.build_your_arboretum.text import complete_view, read_deck, read_position
from engines.core.chance import generator, shuffled
from engines.core.drops import Drops
from engines.core.interface import Game, GameType, Parameter
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from typing import ClassVar


class BuildYourArboretum(Game):
    """Bid parrots for early turns, plant cards in paths, advertise for the right to score them.

    Rules: docs/rules/build-your-arboretum.md.
    """

    name: ClassVar[str] = "build_your_arboretum"
    title: ClassVar[str] = "Build Your Arboretum"
    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "advantage",
            range(2),
            "the player who chooses who starts round 1, and wins ties",
        ),
    )

    type = GameType("simultaneous", "sampled", "imperfect", 1 + 11 * (2 + 9))

    def setup(self, seed: int) -> str:
        """Return the shuffled deck that belongs to a seed."""
        return ",".join(shuffled(generator(seed), CARDS))

    def new_initial_state(self, setup: str | None = None) -> ArboretumState:
        """Return the position of a deck or a position text; by default the deck is ascending."""
        state = super().new_initial_state(",".join(CARDS) if setup is None else setup)
        assert isinstance(state, ArboretumState)
        return state

    def read(self, text: str) -> ArboretumState:
        deck = " " not in text
        return ArboretumState(self, Table(read_deck(text)) if deck else read_position(text))

    def read_left(self, text: str, drops: Drops) -> ArboretumState:
        """Return the position of a text with 15 fields."""
        return ArboretumState(self, read_position(text, dropped=True), drops)

    def sample_state(self, observation: str, player: int, rng: random.Random) -> ArboretumState:
        """Return a state that looks like this to the player, the deck's order drawn uniformly.

        The opponent's bid is taken as owed: a position with both bids in does not last.

        Raises:
            BadSetup: no position looks like this to the player, or there is no such player.
        """
        self.check_viewer(player)
        text, drops = Drops.split(observation, 2)
        table = complete_view(text, player, rng, dropped=bool(drops.groups))
        return ArboretumState(self, table, drops)
