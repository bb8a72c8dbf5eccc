"""What each player is sent: lines held back until its next block, and a hash of them.

The referee feeds its bots through these values, and a replay runs a record through the same ones,
so that what was sent can be proved to be what the player was allowed to know.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence

from arena.match.protocol import MAX_LEGAL
from engines import State
from engines.core.chance import below

LISTED = 2 * MAX_LEGAL  # up to here, drawing distinct actions costs more than listing all of them
TOGETHER = 32  # so many texts are hashed at once, which takes little longer than one of them


class Feed:
    """The lines of one player: ``setup did event obs legal``, as far as the bot wants them."""

    def __init__(self, player: int, want: Iterable[str], setup: str | None, seed: int) -> None:
        self.player = player
        self.want = frozenset(want)
        self._sees = "obs" in self.want
        self._lists = "legal" in self.want
        self._seed = seed
        self._head = "" if setup is None else f"setup {setup}\n"
        self._dids: list[str] = []
        self._events: list[str] = []
        self._holds_back = setup is not None
        self._hash = hashlib.sha256()
        self._told: list[str] = []  # and not hashed yet
        self._kind: type = State  # of the last state, and whether it counts by itself
        self._counts = False

    def did(self, player: int, seen: str) -> None:
        """Hold back that a player acted, as far as this player may know the action."""
        self._dids.append(f"did {player} {seen}\n")
        self._holds_back = True

    def event(self, text: str) -> None:
        """Hold back an event that this player may know."""
        self._events.append(f"event {text}\n")
        self._holds_back = True

    def held_back(self) -> str:
        """Return and forget the lines held back: setup, then actions, then events."""
        text = self._head + "".join(self._dids) + "".join(self._events)
        self._head = ""
        self._dids.clear()
        self._events.clear()
        self._holds_back = False
        self._told.append(text)
        return text

    def ask(self, state: State, decision: int) -> tuple[str, bool]:
        """Return the lines of a block that asks for a decision, all but its head and ``go``.

        Also whether the legal actions in it are only a part of them.
        """
        player = self.player
        text = self.held_back() if self._holds_back else ""
        question = f"obs {state.observation(player)}\n" if self._sees else ""
        part = False
        if self._lists:
            actions, part = self.legal(state, decision)
            question += f"legal {' '.join(actions)}\n"
        self._told.append(question)
        if not decision % TOGETHER:
            self._hash_told()
        return text + question, part

    def legal(self, state: State, decision: int) -> tuple[tuple[str, ...], bool]:
        """Return the legal actions as they are listed, and whether these are only a part of all."""
        player = self.player
        if type(state) is not self._kind:
            self._kind = type(state)
            self._counts = type(state).count_legal is not State.count_legal
        # a game that cannot count without listing is not made to list twice
        part = self._counts and state.count_legal(player) > MAX_LEGAL
        actions = () if part else state.legal_actions(player)
        if part or len(actions) > MAX_LEGAL:
            return _some_legal(state, player, actions, _legal_rng(self._seed, decision)), True
        return actions, False

    def lists_part(self, state: State) -> bool:
        """Return whether a block about a position has a part of the legal actions only."""
        return self._lists and state.count_legal(self.player) > MAX_LEGAL

    def sent(self) -> str:
        """Return the hash of everything sent so far: ``sha256:<64 hex>``."""
        self._hash_told()
        return "sha256:" + self._hash.hexdigest()

    def _hash_told(self) -> None:
        self._hash.update("".join(self._told).encode("ascii"))
        self._told.clear()


def public_setup(setup: str, initial: State, players: int) -> str | None:
    """Return the setup if no player has anything of it hidden, else ``None``."""
    if initial.game.type.information == "perfect":
        return setup
    truth = initial.observation(None)
    hidden = any(initial.observation(player) != truth for player in range(players))
    return None if hidden else setup


def tell_deal(
    feeds: Sequence[Feed], opening: Sequence[tuple[int, str]], states: Sequence[State]
) -> None:
    """Tell everyone the deal and the opening, node by node.

    Args:
        feeds: of those who are told.
        opening: the actions before the first decision.
        states: from the setup's on, one more than there are actions.
    """
    tell(feeds, (), states[:1])
    start = 0
    while start < len(opening):
        end = min(start + len(states[start].players_to_act()), len(opening))
        tell(feeds, opening[start:end], states[start + 1 : end + 1])
        start = end


def tell(
    feeds: Iterable[Feed], actions: Sequence[tuple[int, str | None]], states: Sequence[State]
) -> None:
    """Tell everyone what happened at one node: ``states[i]`` is what ``actions[i]`` led to.

    The actions are told as the last of the states lets them be seen; a dropped player's is not an
    action. Without actions the states' events alone are told (the deal's).
    """
    for feed in feeds:
        if "did" in feed.want:
            for player, action in actions:
                if action is not None:
                    feed.did(player, states[-1].action_seen(feed.player, player, action))
        if "event" in feed.want:
            for state in states:
                for event in state.events():
                    if event.player is None or event.player == feed.player:
                        feed.event(event.text)


def _legal_rng(seed: int, decision: int) -> random.Random:
    """Return the random numbers of one decision's legal actions, from the bot's own seed."""
    digest = hashlib.sha256(f"arena/1|legal|{seed}|{decision}".encode()).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))


def _some_legal(
    state: State, player: int, listed: Sequence[str], rng: random.Random
) -> tuple[str, ...]:
    """Draw ``MAX_LEGAL`` distinct legal actions, each set of them as likely as any other.

    Few more than that are listed and drawn from the list, as most draws of one by one would find
    what they have. Of more than ``LISTED``, fewer than 15,000 draws are expected to be enough.

    Args:
        state: the position.
        player: whose actions they are.
        listed: all of them, or nothing where they were only counted.
        rng: the decision's own random numbers.
    """
    if not listed and state.count_legal(player) > LISTED:
        drawn: dict[str, None] = {}
        while len(drawn) < MAX_LEGAL:
            drawn[state.sample_action(player, rng)] = None
        return tuple(drawn)
    actions = list(listed or state.legal_actions(player))
    for place in range(MAX_LEGAL):  # Fisher and Yates, from the front
        other = place + below(rng, len(actions) - place)
        actions[place], actions[other] = actions[other], actions[place]
    return tuple(actions[:MAX_LEGAL])
