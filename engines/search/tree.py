"""Monte Carlo tree search over the positions that a player cannot tell apart.

A simulation draws a position that agrees with what the player sees, walks down one common tree by
upper confidence bounds, adds a node, and values it by a random playout and by what is known of the
game. The tree is the player's: it branches by what that player sees of actions. Where nothing is
hidden, the tree keeps the positions, so that none is made twice. At a simultaneous node everybody
chooses from a table of its own. Actions enter a table a few at a time, those first after which the
player leads by most.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence

import engines
from engines.core.knowledge import Knowledge
from engines.search.known import PLAIN

LOOKED_AT = 60  # how often an action is drawn, where there are too many to be listed
KEPT = 4  # one of so many simulations tries an action that must be valued
KNOWN = 8  # visits after which a node says how to play
BELOW = 16  # actions between two decisions of a player, at most, for a tree to be kept


class Entry:
    """One action of one player at one node: how often it was tried, and what came of it."""

    __slots__ = ("action", "proven", "total", "tried")

    def __init__(self, action: str) -> None:
        self.action = action
        self.tried = 0
        self.total = 0.0
        self.proven: float | None = None  # what it certainly brings

    @property
    def mean(self) -> float:
        """The mean of what came of it."""
        return self.total / max(1, self.tried)


class Node:
    """A place in the tree, reached by what the player saw since the root."""

    __slots__ = ("children", "proven", "state", "tables", "visits")

    def __init__(self, state: engines.State | None) -> None:
        self.state = state  # None where something is hidden: it is another one each time
        self.visits = 0
        self.proven: Sequence[float] | None = None  # what it certainly brings everybody
        self.tables: dict[int, dict[str, Entry]] = {}  # a player's actions, in order of trial
        self.children: dict[tuple[str, ...], Node] = {}


class Search:
    """A search for one decision of one player.

    Args:
        game: its game.
        observation: what the player sees.
        player: who decides.
        rng: all chance.
        known: what guides the search in this game.
        keep: an action of the player that is tried in a part of the simulations in any case.
        only: the actions of the player that are tried, in turn; left out: any.
        before: the search for an earlier decision of this match, whose tree is gone on with.
    """

    def __init__(
        self,
        game: engines.Game,
        observation: str,
        player: int,
        rng: random.Random,
        known: Knowledge = PLAIN,
        *,
        keep: str | None = None,
        only: Sequence[str] = (),
        before: Search | None = None,
    ) -> None:
        self.game = game
        self.observation = observation
        self.player = player
        self.rng = rng
        self.known = known
        self.keep = keep
        self.only = only
        drawn = rng.getstate()
        state = game.sample_state(observation, player, rng)
        self.certain = rng.getstate() == drawn  # if nothing was drawn, nothing is hidden
        self.forced = state.count_legal(player) == 1
        found = before._node_of(state) if before is not None and self.certain else None
        self.root = found or Node(state if self.certain else None)
        self.low, self.high = (0.0, 1.0) if game.num_players > 1 else (math.inf, -math.inf)
        if only or player not in self.root.tables:
            actions = only or self._candidates(state, player)
            self.root.tables[player] = {action: Entry(action) for action in actions}
        if keep is not None:
            self.root.tables[player].setdefault(keep, Entry(keep))

    @property
    def entries(self) -> Sequence[Entry]:
        """The actions of the player that were tried: a sure win, most often first, sure losses."""
        tried = [entry for entry in self.root.tables[self.player].values() if entry.tried]

        def place(entry: Entry) -> tuple[bool, bool, int, float, str]:
            certain = entry.proven != 1.0, entry.proven == 0.0
            return (*certain, -entry.tried, -entry.mean, entry.action)

        return sorted(tried, key=place)

    def run(self, simulations: int, deadline: float) -> int:
        """Simulate so often, or until the deadline (monotonic seconds); return how often it was.

        Where there is no choice, once is enough; and no more is needed once all is certain.
        """
        if self.forced:
            simulations = 1
        for done in range(1, simulations + 1):
            self.simulate()
            if self.root.proven is not None or time.monotonic() > deadline:
                return done
        return simulations

    @property
    def span(self) -> float:
        """The distance between the best and the worst result; in a game for one, of those seen."""
        return self.high - self.low if self.high > self.low else 1.0

    def simulate(self) -> None:
        """Walk down the tree once, add a node, and note what came of it."""
        node, state = self.root, self.draw()
        path: list[tuple[Node, list[tuple[int, Entry]]]] = []
        while (players := state.players_to_act()) and (node.visits or node is self.root):
            chosen = [(player, self._choose(node, state, player)) for player in players]
            path.append((node, chosen))
            before, actions = node, [(player, entry.action) for player, entry in chosen]
            child, state, seen = self._after(before, state, actions)
            if child is None:
                child = before.children[seen] = Node(state if self.certain else None)
            node = child
        values = self._value(state)
        self.low, self.high = min(self.low, *values), max(self.high, *values)
        if node is not self.root:
            node.visits += 1
        for passed, chosen in path:
            passed.visits += 1
            for player, entry in chosen:
                entry.tried += 1
                entry.total += values[player]
        if self.certain and self.game.num_players == 2 and state.is_terminal():
            node.proven = values
            self._prove(path)

    def _prove(self, path: Sequence[tuple[Node, list[tuple[int, Entry]]]]) -> None:
        """Note what is certain at the nodes above one that is certain, as far as that goes."""
        for node, chosen in reversed(path):
            if len(chosen) > 1 or node.state is None:
                return
            ((player, entry),) = chosen
            child = node.children[entry.action,]
            if child.proven is None:
                return
            entry.proven, table = child.proven[player], node.tables[player]
            if entry.proven < 1.0:
                certain = all(one.proven is not None for one in table.values())
                if not certain or len(table) < node.state.count_legal(player):
                    return
                best = max(table.values(), key=lambda one: one.proven or 0.0)
                child = node.children[best.action,]
            node.proven = child.proven

    def _node_of(self, state: engines.State) -> Node | None:
        """Return the node of a position that is some actions below the root, if it was visited."""
        nodes = [self.root]
        for _ in range(BELOW):
            nodes = [child for node in nodes for child in node.children.values()]
            for node in nodes:
                if node.state == state:
                    return node
        return None

    def draw(self) -> engines.State:
        """Return a position that the player cannot tell from the true one."""
        return self.root.state or self.game.sample_state(self.observation, self.player, self.rng)

    def compare(self, actions: tuple[str, str], pairs: int) -> tuple[float, float]:
        """Return what two actions bring on average, in the same positions with the same chance."""
        totals = [0.0, 0.0]
        for _ in range(pairs):
            state, chance = self.draw(), self.rng.getrandbits(64)
            for index, action in enumerate(actions):
                totals[index] += self.play(state, action, random.Random(chance))
        return totals[0] / pairs, totals[1] / pairs

    def play(self, state: engines.State, action: str, rng: random.Random) -> float:
        """Return what the player gets for an action in a position, when everybody plays on.

        As far as the tree is known, everybody plays what was tried most often there; then at
        random. What others do at the same time as the player does not depend on its action.
        """
        node: Node | None = self.root
        while (players := state.players_to_act()) and node is not None:
            if node is self.root:
                others = [p for p in players if p != self.player]
                drawn = {p: self._mixed(node, state, p, rng) for p in others}
                chosen = [(p, drawn.get(p, action)) for p in players]
            elif node.visits >= KNOWN:
                chosen = [(p, self._most_tried(node, state, p, rng)) for p in players]
            else:
                break
            node, state, _ = self._after(node, state, chosen)
        return _outcome(state, rng)[self.player]

    def line(self, action: str, most: int) -> tuple[tuple[int, str], ...]:
        """Return an action and how play goes on after it, where the tree is known: who did what.

        Everybody plays what was tried most often, in a position drawn once; at most so many.
        """
        found: list[tuple[int, str]] = []
        node: Node | None = self.root
        state = self.draw()
        while node is self.root or (node is not None and node.visits >= KNOWN):
            chosen = [
                (p, action)
                if node is self.root and p == self.player
                else (p, self._most_tried(node, state, p, self.rng))
                for p in state.players_to_act()
            ]
            if not chosen or len(found) + len(chosen) > most:
                break
            found += chosen
            node, state, _ = self._after(node, state, chosen)
        return tuple(found)

    def _after(
        self, node: Node, state: engines.State, chosen: Sequence[tuple[int, str]]
    ) -> tuple[Node | None, engines.State, tuple[str, ...]]:
        """Return the node and the position after everybody's action, and what was seen of them."""
        if self.certain:
            seen = tuple([action for _, action in chosen])
            child = node.children.get(seen)
            if child is not None and child.state is not None:
                return child, child.state, seen
        for player, action in chosen:
            state = state.apply_action(player, action)
        if not self.certain:
            seen = tuple([state.action_seen(self.player, p, action) for p, action in chosen])
        return node.children.get(seen), state, seen

    def _choose(self, node: Node, state: engines.State, player: int) -> Entry:
        """Return what a player tries at a node: something new, or what has the highest bound."""
        if player not in node.tables:
            node.tables[player] = {a: Entry(a) for a in self._candidates(state, player)}
        table = node.tables[player]
        if node is self.root and player == self.player:
            if self.only:
                return min(table.values(), key=lambda entry: entry.tried)
            if self.keep is not None and node.visits % KEPT == 0:
                return table[self.keep]
        wide = self.known.first + int(math.sqrt(node.visits))
        spread = self.span * self.known.exploration * math.sqrt(math.log(node.visits + 1))
        best, highest = None, -math.inf
        for entry in self._legal_here(node, state, player):
            if not entry.tried or entry.proven == 1.0:
                return entry
            if entry.proven == 0.0:
                continue
            bound = entry.mean + spread / math.sqrt(entry.tried)
            if bound > highest:
                best, highest = entry, bound
            wide -= 1
            if not wide:
                break
        if best is not None:
            return best
        action = state.sample_action(player, self.rng)
        return table.setdefault(action, Entry(action))

    def _legal_here(self, node: Node, state: engines.State, player: int) -> Iterator[Entry]:
        """Yield the entries of a table whose actions are legal in this very position."""
        table = node.tables[player]
        if self.certain or (node is self.root and player == self.player):
            yield from table.values()  # the position is the same each time, or looks the same
        elif (listed := self._listed(state, player)) is not None:
            legal = dict.fromkeys(listed)
            for action in legal:
                table.setdefault(action, Entry(action))
            yield from [entry for entry in table.values() if entry.action in legal]
        else:
            yield from [entry for entry in table.values() if _is_legal(state, player, entry.action)]

    def _listed(self, state: engines.State, player: int) -> Sequence[str] | None:
        """Return the actions that are looked at one by one; ``None`` if there are too many."""
        sensible = self.known.sensible(state, player)
        if sensible is not None:
            return sensible
        return state.legal_actions(player) if state.count_legal(player) <= self.known.many else None

    def _candidates(self, state: engines.State, player: int) -> list[str]:
        """Return actions of a player, those first after which it leads by most."""
        actions = self._listed(state, player)
        if actions is None:
            drawn = (state.sample_action(player, self.rng) for _ in range(LOOKED_AT))
            actions = list(dict.fromkeys(drawn))
        # where there are ties, any order is as good: draw one
        leads = {
            action: (self._worth(state.apply_action(player, action), player), self.rng.random())
            for action in actions
        }
        return sorted(actions, key=leads.__getitem__, reverse=True)

    def _worth(self, state: engines.State, player: int) -> float:
        """Return by how much a player leads; a game that is over is won or lost."""
        if state.is_terminal() and self.game.num_players > 1:
            result = state.returns()[player]
            return math.inf * result if result else 0.0
        return self.known.worth(state, player)

    def _value(self, state: engines.State) -> Sequence[float]:
        """Value a position for everybody: 1 a win, 0 the last place; in a game for one, its points.

        A random playout says a part of it, and what is known of the game the rest.
        """
        share = self.known.share if self.game.num_players > 1 else 0.0
        if share == 0.0 or state.is_terminal():
            return _outcome(state, self.rng)
        looks = self._looks(state)
        if share == 1.0:
            return looks
        pairs = zip(_outcome(state, self.rng), looks, strict=True)
        return [(1 - share) * value + share * look for value, look in pairs]

    def _looks(self, state: engines.State) -> list[float]:
        """Return how sure everybody looks to win."""
        players = self.game.num_players
        looks = [
            1 / (1 + math.exp(-self.known.worth(state, player) / self.known.points))
            for player in range(players if players > 2 else 1)
        ]
        # of two, one leads by what the other trails
        return looks if players != 2 else [looks[0], 1 - looks[0]]

    def _most_tried(self, node: Node, state: engines.State, player: int, rng: random.Random) -> str:
        """Return the legal action that a player tried most often at a node."""
        tried = sorted(node.tables.get(player, {}).values(), key=lambda e: (-e.tried, -e.mean))
        for entry in tried:
            if entry.tried and (self.certain or _is_legal(state, player, entry.action)):
                return entry.action
        return state.sample_action(player, rng)

    def _mixed(self, node: Node, state: engines.State, player: int, rng: random.Random) -> str:
        """Draw a legal action of a player, each as often as it was tried at a node."""
        entries = [e for e in node.tables.get(player, {}).values() if e.tried]
        legal = [e for e in entries if self.certain or _is_legal(state, player, e.action)]
        if not legal:
            return state.sample_action(player, rng)
        return rng.choices(legal, [entry.tried for entry in legal])[0].action


def _outcome(state: engines.State, rng: random.Random) -> tuple[float, ...]:
    """Play at random to the end; 1 a win, 0 the last place; in a game for one, its points."""
    if state.game.num_players > 1:
        return tuple([(value + 1) / 2 for value in engines.playout(state, rng)])
    while state.players_to_act():
        state = state.apply_action(0, state.sample_action(0, rng))
    return tuple(map(float, state.scores()))


def _is_legal(state: engines.State, player: int, action: str) -> bool:
    """Return whether an action is legal, without a list of all that are."""
    try:
        state.apply_action(player, action)
    except engines.IllegalAction:
        return False
    return True
