"""Decisions of a match solved to the end, the last ones first: their trees are the smallest."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from arena.review.decisions import Asked
from arena.values.explained import Explained
from engines import Game, State
from engines.search import Solver
from engines.search.exact import Proof

MISSED = 2  # decisions in a row that were not solved: those before are larger still
FIRST = 2 / 3  # of the positions, for all decisions; the rest, for what a search finds
LINE = 5000  # positions for one line; most are known already


class Proofs:
    """What is proven of one player's decisions, with so many positions in all."""

    def __init__(self, game: Game, player: int, positions: int) -> None:
        self._game = game
        self._player = player
        self._positions = positions
        self._solver = Solver(game)

    @property
    def made(self) -> int:
        """How many positions were made so far."""
        return self._solver.made

    def solve(self, found: Sequence[Asked]) -> dict[int, Explained]:
        """Return what is known for certain of decisions, by position.

        If not all actions of a decision are solved, ``gain`` is left out, except that something
        better is known.
        """
        known = {}
        missed = 0
        for decision in reversed(found):
            left = int(FIRST * self._positions) - self.made
            if missed == MISSED or left <= 0:
                break
            proof = self._solver.prove(self._state(decision), decision.action, 3 * left // 4)
            missed = 0 if proof and proof.complete else missed + 1
            if proof is not None:
                known[decision.position] = self._explained(decision, proof)
        return known

    def compare(self, decision: Asked, best: str, share: float) -> Explained | None:
        """Compare a decision with what a search found, if a share of what is left is enough."""
        left = int(share * (self._positions - self.made))
        both = (decision.action, best)
        values = self._solver.values(self._state(decision), both, left)
        if values is None:
            return None
        return self._explained(decision, Proof(values[0], best, values[1], complete=False))

    def _explained(self, decision: Asked, proof: Proof) -> Explained:
        """Return what is proven of a decision.

        Nothing brings more than ``best`` if all was followed, or if that wins.
        """
        value, best, best_value, complete = proof
        if best is None and not complete:
            return Explained(*decision[:3], value, value)
        gain = best_value - value
        most = gain if complete or self._game.num_players == 1 else 1 - value
        surely = complete or (self._game.num_players > 1 and most == gain)
        return Explained(
            *decision[:3],
            value=max(value, best_value),
            action_value=value,
            best=best,
            best_value=None if best is None else best_value,
            gain=gain,
            low=gain,
            high=most,
            how="exact" if surely else "at least",
        )

    def with_lines(self, decision: Asked, found: Explained) -> Explained:
        """Return the explanation; if it is proven, with the lines of play that prove it."""
        if found.best is None or found.how == "search":
            return found
        state = self._state(decision)
        line = self._solver.line(state, found.best, LINE)
        reply = self._solver.line(state, decision.action, LINE)
        return replace(
            found,
            line=line.actions,
            line_value=self._own(line.value),
            reply=reply.actions,
            reply_value=self._own(reply.value),
        )

    def _own(self, value: float | None) -> float | None:
        return value if value is None or self._player == 0 else 1 - value

    def _state(self, decision: Asked) -> State:
        """Return the position as the player could know it; the solver sees if that is all of it."""
        return self._game.sample_state(decision.observation, self._player, random.Random(0))
