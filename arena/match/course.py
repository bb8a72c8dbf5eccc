"""The course of one match: the position, what led to it, and how it ended."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.values.model import Decision, Termination
from engines import State


class Course:
    """What was done so far, by whom.

    Attributes:
        state: the present position.
        to_act: who owes an action there, once the end was looked for; nobody if it is over.
        actions: what was done since the opening, ``None`` for a drop.
        decisions: how each of them was made.
        dropped: who was dropped.
        never_began: who was dropped before the game; they share the last rank.
        max_decisions: after so many it ends, if that is not ``None``.
        over: whether the match has ended, and ``by`` why.
    """

    def __init__(self, state: State, max_decisions: int | None) -> None:
        self.state = state
        self.to_act: tuple[int, ...] = ()
        self.actions: list[tuple[int, str | None]] = []
        self.asked = 0  # decisions, those of all players together
        self.dropped: set[int] = set()
        self.never_began: Collection[int] = ()
        self.over = False
        self.by = Termination.RULES
        self.max_decisions = max_decisions
        self.decisions: list[Decision] = []
        self._ranks: tuple[int, ...] = ()  # once it is over, as the next one
        self._scores: tuple[float, ...] | None = None
        self._last_fall: Termination | None = None  # of the drop that left one player at most

    def act(self, player: int, action: str, after: State, decision: Decision) -> None:
        """Carry out a player's answer, which leads to a state."""
        self.state = after
        self.actions.append((player, action))
        self.decisions.append(decision)

    def drop(self, player: int, code: Termination, decision: Decision) -> None:
        """Carry out the drop of a player."""
        self.state = self.state.drop_player(player)
        self.actions.append((player, None))
        self.decisions.append(decision)
        self.dropped.add(player)
        n = self.state.game.num_players
        if n - len(self.dropped) <= min(1, n - 1) and self._last_fall is None:
            self._last_fall = code

    def look_for_end(self) -> None:
        """See whether the game is over, or has gone on for long enough."""
        self.to_act = self.state.players_to_act()
        if not self.to_act:
            self.over = True
            self.by = self._last_fall or Termination.RULES
        elif self.max_decisions is not None and self.asked >= self.max_decisions:
            self.to_act = ()
            self.over = True
            self.by = Termination.MAXMOVES

    def ranks(self) -> tuple[int, ...]:
        """Return the final ranks; after ``max_decisions`` all that stayed share the first."""
        if not self._ranks:
            ranks: Sequence[int] = self.state.ranks()
            if self.by is Termination.MAXMOVES:
                ranks = [rank if p in self.dropped else 1 for p, rank in enumerate(ranks)]
            self._ranks = _share_last(ranks, self.never_began)
        return self._ranks

    def scores(self) -> tuple[float, ...] | None:
        """Return the scores if the rules ended the game, else ``None``."""
        if self._scores is None and self.by is Termination.RULES:
            self._scores = self.state.scores()
        return self._scores


def _share_last(ranks: Sequence[int], away: Collection[int]) -> tuple[int, ...]:
    """Rank those last, all together, who never began; everybody else as they are.

    >>> _share_last((2, 4, 1, 3), (1, 3))
    (2, 3, 1, 3)
    """
    if not away:
        return tuple(ranks)
    last = len(ranks) - len(away) + 1
    return tuple(last if player in away else rank for player, rank in enumerate(ranks))
