"""The game Arborius: its parameters (rules, before section 1) and its positions."""

from __future__ import annotations

from collections.abc import Mapping

from engines.arborius.decks import read_deck_file, shipped_decks, start_line
from engines.arborius.moves import at_turn_start, end_conditions
from engines.arborius.position import Limits
from engines.arborius.state import ArboriusState, result_of_drops
from engines.arborius.text import read
from engines.core.drops import Drops
from engines.core.errors import BadSetup
from engines.core.interface import Game, GameType, Parameter

# read when the game is first named: a deck is a line in decks.txt, and its name a parameter's value
_DECKS = tuple(shipped_decks())


class Arborius(Game):
    """Arborius, "Game of Trees": tiles stack, and hold boards of tiles inside."""

    name = "arborius"
    title = "Arborius"
    rules_version = 2  # 1 used any number of abilities in one turn, and ended in a draw at the cap
    # no length: the cap counts turns, and how many actions a turn can have depends on the decks
    type = GameType("sequential", "deterministic", "perfect", None)
    PARAMETERS = (
        Parameter("deck", _DECKS, "the deck of both players"),
        Parameter("deck0", _DECKS, "player 0's deck, if not that of both"),
        Parameter("deck1", _DECKS, "player 1's deck, if not that of both"),
        Parameter("max_turns", range(1, 1_000_000), "the game ends after so many turns", 200),
        Parameter("cap", ("tiles", "draw"), "what that end means: more tiles win, or a draw"),
    )

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        """Fix the parameters; ``deck0`` and ``deck1`` are ``deck`` if they are left out."""
        given = dict(parameters or {})
        if "deck" in given:
            given = {"deck0": given["deck"], "deck1": given["deck"], **given}
        super().__init__(given)
        self._limits = Limits(int(self.parameters["max_turns"]), str(self.parameters["cap"]))

    def __str__(self) -> str:
        """Return the canonical name; a player's deck is shown if it is not ``deck``."""
        defaults = {p.name: p.default_value() for p in self.PARAMETERS}
        defaults["deck0"] = defaults["deck1"] = self.parameters["deck"]
        shown = [f"{k}={v}" for k, v in self.parameters.items() if v != defaults[k]]
        return f"{self.name}({','.join(shown)})" if shown else self.name

    def setup(self, seed: int) -> str:
        """Return the start: nothing is drawn, so every seed gives it."""
        decks = shipped_decks()
        return start_line(*(decks[str(self.parameters[key])] for key in ("deck0", "deck1")))

    def decks(self) -> dict[str, tuple[str, ...]]:
        """Return the tiles of each shipped deck, ``name`` or ``name[ability]``."""
        return dict(shipped_decks())

    def deck_setups(self, text: str, source: str) -> dict[str, str]:
        """Read a deck file (section 3); a setup for each deck, with which both players begin."""
        decks = read_deck_file(text, source)
        return {name: start_line(tiles, tiles) for name, tiles in decks.items()}

    def read(self, text: str) -> ArboriusState:
        """Return the position of a setup; at a turn's start the game may be over at once."""
        pos = read(text, self._limits)
        if pos.result == "-" and at_turn_start(pos):
            end_conditions(pos)
        return ArboriusState(self, pos)

    def read_left(self, text: str, drops: Drops) -> ArboriusState:
        """Return a position that ended as who left decides, whatever stood on the boards."""
        rest, mark, result = text.rpartition(" result=")
        decided = result_of_drops(drops)
        if not mark or result not in ("-", decided):
            raise BadSetup(f'expected "result={decided}" before drop=, found "{text[-20:]}"')
        pos = read(f"{rest} result=-", self._limits)
        pos.result = decided
        return ArboriusState(self, pos, drops)
