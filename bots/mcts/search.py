"""Monte Carlo tree search over information sets, for any number of players.

Each simulation walks down one common tree by upper confidence bounds, adds a node, and values it by
a random playout and by what is known of the game (``knowledge.py``), at least its scores. Where
something is hidden, it draws a position that agrees with what the player sees and walks in that;
where nothing is, the tree keeps the positions, so that none is made twice. At a simultaneous node
everybody has a table of its own, and nobody sees the others' choice. Actions enter a table a few at
a time, the ones that look best one ply ahead first.
"""

import math
import random
import time
from collections.abc import Iterator, Sequence

from knowledge import knowledge_of

import engines

MANY = 300  # actions that are looked at one by one; of more, some are drawn at random
LOOKED_AT = 60  # how often one is drawn


class Entry:
    """One action of one player at one node: how often it was tried, and what came of it."""

    __slots__ = ("action", "tried", "value")

    def __init__(self, action: str) -> None:
        self.action = action
        self.tried = 0
        self.value = 0.0  # the sum of values from 0 (lost) to 1 (won)


class Node:
    """A place in the tree, reached by everybody's actions since the root."""

    __slots__ = ("children", "state", "tables", "visits")

    def __init__(self, state: engines.State | None) -> None:
        self.state = state  # None where something is hidden: it is another one each time
        self.visits = 0
        self.tables: dict[int, dict[str, Entry]] = {}  # a player's actions, the best-looking first
        self.children: dict[tuple[str, ...], Node] = {}


class Search:
    """A search for one decision."""

    def __init__(
        self,
        game: engines.Game,
        observation: str,
        seat: int,
        rng: random.Random,
        exploration: float | None = None,
    ) -> None:
        self.game = game
        self.observation = observation
        self.seat = seat
        self.rng = rng
        self.known = knowledge_of(game)
        self.exploration = self.known.exploration if exploration is None else exploration
        before = rng.getstate()
        state = game.sample_state(observation, seat, rng)
        # if nothing had to be drawn, nothing is hidden
        self.certain = rng.getstate() == before
        self.forced = state.count_legal(seat) == 1
        self.root = Node(state if self.certain else None)

    def run(self, simulations: int, deadline: float) -> int:
        """Simulate so often, or until the deadline (monotonic seconds); how often it was.

        Where there is no choice, once is enough.
        """
        if self.forced:
            simulations = 1
        for done in range(1, simulations + 1):
            self.simulate()
            if time.monotonic() > deadline:
                return done
        return simulations

    def best(self) -> tuple[str, float]:
        """Return the action tried most often, and its mean value."""
        entries = self.root.tables[self.seat].values()
        best = max(entries, key=lambda entry: (entry.tried, entry.value))
        return best.action, best.value / max(1, best.tried)

    def simulate(self) -> None:
        """Walk down the tree once, and book what came of it."""
        node = self.root
        state = node.state or self.game.sample_state(self.observation, self.seat, self.rng)
        path: list[tuple[Node, list[tuple[int, Entry]]]] = []
        while players := state.players_to_act():
            if node.visits == 0 and node is not self.root:
                break
            chosen = [(player, self.choose(node, state, player)) for player in players]
            path.append((node, chosen))
            node, state = self.descend(node, state, chosen)
        node.visits += 1
        values = self.value(state)
        for passed, chosen in path:
            passed.visits += 1
            for player, entry in chosen:
                entry.tried += 1
                entry.value += values[player]

    def descend(
        self, node: Node, state: engines.State, chosen: list[tuple[int, Entry]]
    ) -> tuple[Node, engines.State]:
        """Return the node and the position after everybody's action."""
        key = tuple([entry.action for _, entry in chosen])
        child = node.children.get(key)
        if child is not None and child.state is not None:
            return child, child.state
        for player, entry in chosen:
            state = state.apply_action(player, entry.action)
        if child is None:
            child = node.children[key] = Node(state if self.certain else None)
        return child, state

    def choose(self, node: Node, state: engines.State, player: int) -> Entry:
        """Return what a player tries at a node: something new, or what has the highest bound."""
        if player not in node.tables:
            node.tables[player] = {
                action: Entry(action) for action in self.candidates(state, player)
            }
        wide = self.known.first + int(math.sqrt(node.visits))
        spread = self.exploration * math.sqrt(math.log(node.visits + 1))
        best, highest = None, -1.0
        for entry in self.legal_here(node, state, player):
            if not entry.tried:
                return entry
            bound = entry.value / entry.tried + spread / math.sqrt(entry.tried)
            if bound > highest:
                best, highest = entry, bound
            wide -= 1
            if not wide:
                break
        if best is not None:
            return best
        action = state.sample_action(player, self.rng)
        return node.tables[player].setdefault(action, Entry(action))

    def legal_here(self, node: Node, state: engines.State, player: int) -> Iterator[Entry]:
        """Yield the entries of a table whose actions are legal in this very position."""
        table = node.tables[player]
        if self.certain or (node is self.root and player == self.seat):
            yield from table.values()  # the position is the same each time, or looks the same
        elif (listed := self.listed(state, player)) is not None:
            legal = dict.fromkeys(listed)
            for action in legal:
                if action not in table:
                    table[action] = Entry(action)
            yield from [entry for entry in table.values() if entry.action in legal]
        else:
            for entry in list(table.values()):
                if is_legal(state, player, entry.action):
                    yield entry

    def listed(self, state: engines.State, player: int) -> Sequence[str] | None:
        """Return the actions that are looked at one by one; None if there are too many."""
        sensible = self.known.sensible(state, player)
        if sensible is not None:
            return sensible
        return state.legal_actions(player) if state.count_legal(player) <= MANY else None

    def candidates(self, state: engines.State, player: int) -> list[str]:
        """Return actions of a player, those first after which it leads by most."""
        actions = self.listed(state, player)
        if actions is None:
            drawn = (state.sample_action(player, self.rng) for _ in range(LOOKED_AT))
            actions = list(dict.fromkeys(drawn))
        # where there are ties, any order is as good: draw one
        worth = {
            action: (self.worth(state.apply_action(player, action), player), self.rng.random())
            for action in actions
        }
        return sorted(actions, key=worth.__getitem__, reverse=True)

    def value(self, state: engines.State) -> list[float]:
        """Value a position for everybody from 0 (lost) to 1 (won)."""
        if state.is_terminal():
            return [(r + 1) / 2 for r in state.returns()]
        looks = self.looks(state)
        share = self.known.share
        if share == 1:
            return looks
        returns = engines.playout(state, self.rng)
        return [
            (1 - share) * (r + 1) / 2 + share * look for r, look in zip(returns, looks, strict=True)
        ]

    def looks(self, state: engines.State) -> list[float]:
        """Return how sure everybody looks to win."""
        players = self.game.num_players
        looks = [
            1 / (1 + math.exp(-self.worth(state, player) / self.known.points))
            for player in range(players if players > 2 else 1)
        ]
        # of two, one leads by what the other trails
        return looks if players != 2 else [looks[0], 1 - looks[0]]

    def worth(self, state: engines.State, player: int) -> float:
        """Return by how many points a player leads; a game that is over is won or lost."""
        if state.is_terminal():
            return 100.0 * state.returns()[player]
        return self.known.worth(state, player)


def is_legal(state: engines.State, player: int, action: str) -> bool:
    """Return whether an action is legal, without a list of all that are."""
    try:
        state.apply_action(player, action)
    except engines.IllegalAction:
        return False
    return True
