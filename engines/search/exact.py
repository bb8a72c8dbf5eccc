"""What actions are worth in perfect play, proven where the rest of a game is small enough.

Every action is followed to the end (alpha-beta search that remembers positions), so nothing is
guessed. It works for one or two players where nobody lacks knowledge of the position and players
decide one at a time.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import engines

DEPTH = 200  # actions that are followed at most
FEW = 12  # actions that are all tried for one that ends the game
STEP = 0.25  # is less than two results are apart
DRAWN = 20  # positions for each player, to see whether anything is hidden


class Unsolved(Exception):
    """The rest of the game is too large, or is none that can be solved."""


class Proof(NamedTuple):
    """What is proven of an action, in what it brings the player who decides.

    Attributes:
        value: the action's: 1 a win, 0 a loss; in a game for one, its points.
        best: another action that brings more, if one is known; the best if ``complete``.
        best_value: what that one brings; without one, ``value``.
        complete: no action brings more than ``best_value``.
    """

    value: float
    best: str | None
    best_value: float
    complete: bool


class Line(NamedTuple):
    """How a game goes on: players and actions, and what it brings player 0 if it ends there."""

    actions: tuple[tuple[int, str], ...]
    value: float | None


class Solver:
    """Solves positions of a game; it remembers them, so another one nearby is cheap.

    Args:
        game: its game.

    Attributes:
        made: how many positions were made so far, which is what takes the time.
    """

    def __init__(self, game: engines.Game) -> None:
        self.made = 0
        self._most = 0
        alone = game.num_players == 1
        self._solvable = game.num_players <= 2
        self._worst, self._top = (-math.inf, math.inf) if alone else (0.0, 1.0)
        self._known: dict[engines.State, tuple[float, float]] = {}  # at least, at most
        self._cuts: Counter[tuple[int, str]] = Counter()  # how often an action was good enough

    def prove(self, state: engines.State, action: str, positions: int) -> Proof | None:
        """Compare an action with all others; ``None`` if not even its own value is found.

        Args:
            state: the position before it.
            action: of the player to act.
            positions: how many are made, at most.
        """
        players = state.players_to_act()
        if len(players) != 1 or not self._allow(state, positions):
            return None
        player, best, complete = players[0], None, True
        try:
            value = best_value = self._value(self._after(state, player, action))
        except Unsolved:
            return None
        try:
            for other in self._ordered(state, player):
                if best_value == (self._worst if player else self._top):
                    break
                window = (self._worst, best_value) if player else (best_value, self._top)
                found = self._search(self._after(state, player, other), *window)
                if found < best_value if player else found > best_value:
                    best, best_value = other, found
        except Unsolved:
            complete = False
        if player:
            value, best_value = 1 - value, 1 - best_value
        return Proof(value, best, best_value, complete)

    def values(
        self, state: engines.State, actions: tuple[str, ...], positions: int
    ) -> list[float] | None:
        """Return what actions bring the player to act; ``None`` if that takes more positions."""
        players = state.players_to_act()
        if len(players) != 1 or not self._allow(state, positions):
            return None
        try:
            found = [self._value(self._after(state, players[0], action)) for action in actions]
        except Unsolved:
            return None
        return [1 - value for value in found] if players[0] else found

    def line(self, state: engines.State, action: str, positions: int) -> Line:
        """Return an action and perfect play after it: to the end, if so many positions do."""
        self._most = self.made + positions
        (player,) = state.players_to_act()
        found = [(player, action)]
        try:
            state = self._after(state, player, action)
            value = self._value(state)
            while players := state.players_to_act():
                action, state = self._keeping(state, players[0], value)
                found.append((players[0], action))
        except Unsolved:
            return Line(tuple(found), None)
        return Line(tuple(found), value)

    def _allow(self, state: engines.State, positions: int) -> bool:
        """Allow so many positions more; return whether there is any hope."""
        self._most = self.made + positions
        return self._solvable and is_known(state)

    def _value(self, state: engines.State) -> float:
        """Return what a position brings player 0."""
        return self._search(state, self._worst, self._top)

    def _keeping(
        self, state: engines.State, player: int, value: float
    ) -> tuple[str, engines.State]:
        """Return an action that keeps a position's value, and what follows; best, it ends there."""
        low, high = (value, value + STEP) if player else (value - STEP, value)
        after = {
            action: self._after(state, player, action) for action in self._ordered(state, player)
        }
        for action in sorted(after, key=lambda action: not after[action].is_terminal()):
            found = self._search(after[action], low, high)
            if found <= value if player else found >= value:
                return action, after[action]
        raise AssertionError("no action keeps the value of a position")

    def _search(self, state: engines.State, low: float, high: float, depth: int = 0) -> float:
        """Return what a position brings player 0, if that is between ``low`` and ``high``.

        Else a bound: at most ``low``, and it brings no more; or at least ``high``, and no less.
        """
        least, most = self._known.get(state, (self._worst, self._top))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        players = state.players_to_act()
        if not players:
            return value_of(state)
        if len(players) > 1 or depth > DEPTH:
            raise Unsolved
        player = players[0]
        best, alpha, beta = math.inf if player else -math.inf, low, high
        for action, after in self._children(state, player):
            found = self._search(after, alpha, beta, depth + 1)
            if player:
                best = min(best, found)
                beta = min(beta, best)
            else:
                best = max(best, found)
                alpha = max(alpha, best)
            if alpha >= beta:
                self._cuts[player, action] += 1
                break
        self._known[state] = (
            max(least, best) if best > low else least,
            min(most, best) if best < high else most,
        )
        return best

    def _children(self, state: engines.State, player: int) -> Iterator[tuple[str, engines.State]]:
        """Yield actions and what follows; where there are few, those first that end the game."""
        actions = self._ordered(state, player)
        pairs = ((action, self._after(state, player, action)) for action in actions)
        if len(actions) > FEW:
            return pairs
        return iter(sorted(pairs, key=lambda pair: not pair[1].is_terminal()))

    def _ordered(self, state: engines.State, player: int) -> list[str]:
        """Return the legal actions, those first that were good enough elsewhere."""
        cuts = self._cuts
        return sorted(state.legal_actions(player), key=lambda action: -cuts[player, action])

    def _after(self, state: engines.State, player: int, action: str) -> engines.State:
        if self.made >= self._most:
            raise Unsolved
        self.made += 1
        return state.apply_action(player, action)


def is_known(state: engines.State) -> bool:
    """Return whether nothing is hidden from anybody in a position, and so in all that follow.

    If a player could take it for another one, a draw shows that at least every other time.
    """
    game = state.game
    if game.type.information == "perfect":
        return True
    rng = random.Random(0)
    return all(
        game.sample_state(state.observation(player), player, rng) == state
        for _ in range(DRAWN)
        for player in range(game.num_players)
    )


def value_of(state: engines.State) -> float:
    """Return what a finished game brought player 0: 1 a win, 0 a loss; if alone, its points."""
    if state.game.num_players > 1:
        return (state.returns()[0] + 1) / 2
    return float(state.scores()[0])
