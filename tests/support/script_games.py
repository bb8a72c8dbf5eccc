"""A game for scripts of matches whose every result can be worked out in one's head.

``sums``: in each round every player adds a number to its own sum, in turn or all at once; the
largest sum wins.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from engines.core.base import ValueState, check_player, joined, numbers
from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import IllegalAction
from engines.core.interface import Event, Game, GameType, Parameter
from engines.core.text import fields, natural


class Sheet(NamedTuple):
    """The round, from 1; the sums; who has still to act in this round; the round of each fall."""

    round: int
    sums: tuple[int, ...]
    owing: tuple[int, ...]
    last_fall: int = 0


class Sums(Game):
    """Setup and observation ``ROUND SUM,SUM``; a sum that is hidden is ``?``.

    ``add:N`` is legal for N from 0 to ``top``. With ``late=zero`` the rules play ``add:0`` for a
    player that is out of time.
    """

    name = "sums"
    title = "Sums"
    PARAMETERS = (
        Parameter("players", range(1, 5), "how many play", default=2),
        Parameter("rounds", range(1, 21), "how often everybody adds", default=1),
        Parameter("at", ("turn", "once"), "in turn, or all at once"),
        Parameter("sight", ("open", "hidden"), "who sees what others add"),
        Parameter("late", ("none", "zero"), "what the rules play for a player out of time"),
        Parameter("top", range(1, 30001), "the largest number", default=9),
    )

    def count_players(self) -> int:
        return int(self.parameters["players"])

    def check_parameters(self) -> None:
        at_once = self.parameters["at"] == "once"
        hidden = self.parameters["sight"] == "hidden"
        self.type = GameType(
            "simultaneous" if at_once else "sequential",
            "deterministic",
            "imperfect" if hidden else "perfect",
            None,
        )

    def setup(self, seed: int) -> str:
        return f"1 {joined([0] * self.num_players)}"

    def read(self, text: str) -> SumsState:
        first, sums = fields(text, 2, "ROUND SUMS")
        everybody = tuple(range(self.num_players))
        sheet = Sheet(numbers(first, 1)[0], numbers(sums, self.num_players), everybody)
        return SumsState(self, sheet)


class SumsState(ValueState[Sheet]):
    __slots__ = ()

    def players_to_act(self) -> tuple[int, ...]:
        if self.position.round > int(self.game.parameters["rounds"]):
            return ()
        owing = self.position.owing
        return owing if self.game.type.dynamics == "simultaneous" else owing[:1]

    def legal_actions(self, player: int) -> tuple[str, ...]:
        return tuple(f"add:{n}" for n in range(self.count_legal(player)))

    def count_legal(self, player: int) -> int:
        return int(self.game.parameters["top"]) + 1 if player in self.players_to_act() else 0

    def sample_action(self, player: int, rng: random.Random) -> str:
        return f"add:{rng.randrange(self.count_legal(player))}"

    def after(self, player: int, action: str) -> SumsState:
        number = natural(action.removeprefix("add:"))
        top = int(self.game.parameters["top"])
        if number is None or number > top or action != f"add:{number}":
            raise IllegalAction(f"expected add:0 to add:{top}")
        sums = tuple(s + number * (p == player) for p, s in enumerate(self.position.sums))
        return self._acted(player, self.position._replace(sums=sums), self.drops)

    def drop_player(self, player: int) -> SumsState:
        check_player(self, player)
        sheet = self.position
        alone = len(self.left()) <= 1
        together = self.game.type.dynamics == "simultaneous" and sheet.last_fall == sheet.round
        drops = self.drops.add(player, same_node=alone or together)
        return self._acted(player, sheet._replace(last_fall=sheet.round), drops)

    def _acted(self, player: int, sheet: Sheet, drops: Drops = NO_DROPS) -> SumsState:
        """Take a player from those who have still to act; the last one ends the round."""
        news = [Event(player, f"sum {sheet.sums[player]}")] if not drops.has(player) else []
        owing = tuple(p for p in sheet.owing if p != player)
        if not owing:
            news.append(Event(None, f"round {sheet.round}"))
            left = [p for p in range(len(sheet.sums)) if not drops.has(p)]
            sheet = sheet._replace(round=sheet.round + 1)
            owing = tuple(left)
        return SumsState(self.game, sheet._replace(owing=owing), drops, tuple(news))

    def action_seen(self, viewer: int, player: int, action: str) -> str:
        return "?" if self._hides() and viewer != player else action

    def timeout_action(self, player: int) -> str | None:
        return "add:0" if self.game.parameters["late"] == "zero" else None

    def _hides(self) -> bool:
        return self.game.type.information == "imperfect"

    def scores(self) -> tuple[float, ...]:
        return self.position.sums

    def seen(self, player: int | None) -> str:
        masked = player is not None and self._hides()
        shown = ["?" if masked and p != player else s for p, s in enumerate(self.position.sums)]
        return f"{self.position.round} {joined(shown)}"
