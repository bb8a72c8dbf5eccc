"""Monte Carlo tree search over information sets, for any number of players.

Each simulation draws a position that agrees with what the player sees, walks down one common tree
by upper confidence bounds, adds a node, and values it by a random playout and the present scores.
At a simultaneous node everybody has a table of its own, and nobody sees the others' choice. Actions
enter a table a few at a time, the ones that look best one ply ahead first.
"""

import math
import random
import time
from collections.abc import Iterator

import engines

MANY = 300  # actions that are looked at one by one; of more, so many drawn at random
LOOKED_AT = 60  # of those drawn
BY_SCORES = 0.2  # how much the present scores count in a value, beside the playout
FIRST = 8  # actions in a table at its second visit; then as the square root of visits


class Entry:
    """One action of one player at one node: how often it was tried, and what came of it."""

    __slots__ = ("tried", "value")

    def __init__(self) -> None:
        self.tried = 0
        self.value = 0.0  # the sum of values from 0 (lost) to 1 (won)


class Table:
    """What one player may do at one node: candidates, the best-looking first, and those tried."""

    __slots__ = ("candidates", "entries")

    def __init__(self, candidates: list[str]) -> None:
        self.candidates = candidates
        self.entries: dict[str, Entry] = {}


class Node:
    """A place in the tree, reached by everybody's actions since the root."""

    __slots__ = ("children", "tables", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.tables: dict[int, Table] = {}
        self.children: dict[tuple[str, ...], Node] = {}


class Search:
    """A search for one decision."""

    def __init__(
        self,
        game: engines.Game,
        observation: str,
        seat: int,
        rng: random.Random,
        exploration: float,
    ) -> None:
        self.game = game
        self.observation = observation
        self.seat = seat
        self.rng = rng
        self.exploration = exploration
        self.root = Node()

    def run(self, simulations: int, deadline: float) -> int:
        """Simulate so often, or until the deadline (monotonic seconds); how often it was."""
        for done in range(1, simulations + 1):
            self.simulate()
            if time.monotonic() > deadline:
                return done
        return simulations

    def best(self) -> tuple[str, float]:
        """Return the action tried most often, and its mean value."""
        entries = self.root.tables[self.seat].entries
        action = max(entries, key=lambda name: (entries[name].tried, entries[name].value))
        entry = entries[action]
        return action, entry.value / max(1, entry.tried)

    def simulate(self) -> None:
        """Walk down the tree once in a position drawn anew, and book what came of it."""
        state = self.game.sample_state(self.observation, self.seat, self.rng)
        node = self.root
        path: list[tuple[Node, list[tuple[int, Entry]]]] = []
        while players := state.players_to_act():
            if node.visits == 0 and node is not self.root:
                break
            chosen: list[tuple[int, Entry]] = []
            actions = []
            for player in players:
                action, entry = self.choose(node, state, player)
                chosen.append((player, entry))
                actions.append((player, action))
            for player, action in actions:
                state = state.apply_action(player, action)
            path.append((node, chosen))
            key = tuple(action for _, action in actions)
            node = node.children.setdefault(key, Node())
        node.visits += 1
        values = self.value(state)
        for passed, chosen in path:
            passed.visits += 1
            for player, entry in chosen:
                entry.tried += 1
                entry.value += values[player]

    def choose(self, node: Node, state: engines.State, player: int) -> tuple[str, Entry]:
        """Return the action that a player tries at a node, legal in this very position."""
        table = node.tables.get(player)
        if table is None:
            table = node.tables[player] = Table(self.candidates(state, player))
        wide = FIRST + int(math.sqrt(node.visits))
        best: tuple[float, str] | None = None
        log_visits = math.log(node.visits + 1)
        for action in self.legal_here(table, state, player, wide):
            entry = table.entries.get(action)
            if entry is None or entry.tried == 0:
                best = (math.inf, action)
                break
            bound = entry.value / entry.tried
            bound += self.exploration * math.sqrt(log_visits / entry.tried)
            if best is None or bound > best[0]:
                best = (bound, action)
        action = best[1] if best is not None else state.sample_action(player, self.rng)
        return action, table.entries.setdefault(action, Entry())

    def legal_here(
        self, table: Table, state: engines.State, player: int, wide: int
    ) -> Iterator[str]:
        """Yield the first ``wide`` candidates that are legal in this position."""
        found = 0
        same = player == self.seat and table is self.root.tables.get(player)
        for action in table.candidates:
            if found == wide:
                return
            if not same:
                try:
                    state.apply_action(player, action)
                except engines.IllegalAction:
                    continue
            found += 1
            yield action

    def candidates(self, state: engines.State, player: int) -> list[str]:
        """Return actions of a player, those first after which it leads by most."""
        actions: list[str]
        if state.count_legal(player) <= MANY:
            actions = list(state.legal_actions(player))
        else:
            drawn = (state.sample_action(player, self.rng) for _ in range(LOOKED_AT))
            actions = list(dict.fromkeys(drawn))
        # where there are ties, any order is as good: draw one
        worth = {
            action: (self.lead(state.apply_action(player, action), player), self.rng.random())
            for action in actions
        }
        return sorted(actions, key=worth.__getitem__, reverse=True)

    def value(self, state: engines.State) -> list[float]:
        """Value a position for everybody from 0 (lost) to 1 (won)."""
        n = self.game.num_players
        if state.is_terminal():
            return [(r + 1) / 2 for r in state.returns()]
        returns = engines.playout(state, self.rng)
        return [
            (1 - BY_SCORES) * (returns[player] + 1) / 2
            + BY_SCORES / (1 + math.exp(-self.lead(state, player) / 2))
            for player in range(n)
        ]

    def lead(self, state: engines.State, player: int) -> float:
        """Return by how much a player leads the best of the others, or trails."""
        if state.is_terminal():
            return 100.0 * state.returns()[player]
        scores = state.scores()
        others = [score for seat, score in enumerate(scores) if seat != player]
        return scores[player] - max(others, default=0.0)
