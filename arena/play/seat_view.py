"""What a person in one seat knows of a match: the lines of the referee, kept as a position.

It knows nothing that the seat was not sent, so whatever is drawn from it hides what the rules hide.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import engines


@dataclass(slots=True)
class SeatView:
    """One seat during one match; ``hear`` takes the referee's lines.

    Attributes:
        game: the rules, once the match has begun.
        seat: the player index.
        decision: the number of the decision that is asked for, from 1; 0: none is.
        setup: where the match began, if the game hides nothing of it.
        observation: the position as the seat may know it; of the last question.
        legal: the legal actions, when a decision is asked for.
        partial: are there more legal actions than ``legal`` has?
        limit_ms: for this decision; ``None``: no limit.
        actions: by which player, and what (``?``: not known), all that the seat was told.
        own: the seat's last answer, until the referee repeats it.
    """

    game: engines.Game | None = None
    seat: int = 0
    decision: int = 0
    setup: str = ""
    observation: str = ""
    legal: tuple[str, ...] = ()
    partial: bool = False
    limit_ms: int | None = None
    actions: list[tuple[int, str]] = field(default_factory=list)
    own: str | None = None

    def hear(self, line: str) -> str | None:
        """Take one line of the referee; the answer to it, if it is ``hello``."""
        verb, _, rest = line.partition(" ")
        words = rest.split(" ")
        if verb == "hello":
            return "ready want=obs,legal,did,event name=human"
        if verb == "game":
            self.game = engines.load_game(words[1])
        elif verb == "seat":
            self.seat = int(words[0])
        elif verb == "setup":
            self.setup = rest
        elif verb == "did":
            self.actions.append((int(words[0]), words[1]))
            if self.actions[-1] == (self.seat, self.own):
                self.own = None
        elif verb == "obs":
            self.observation = rest
        elif verb == "legal":
            self.legal = tuple(words)
        elif verb == "go":
            limits = dict(word.partition("=")[::2] for word in words[1:])
            self.partial = limits.get("legal") == "part"
            self.limit_ms = int(limits["limit"]) if "limit" in limits else None
            self.decision = int(words[0])
        elif verb == "end":
            self.decision = 0
        return None

    def answered(self, action: str | None) -> None:
        """Note that the open decision was answered; ``None``: by giving up."""
        self.decision, self.own = 0, action

    @property
    def known(self) -> Sequence[tuple[int, str]]:
        """The actions that the referee has sent, and after them the seat's own last answer."""
        return self.actions if self.own is None else [*self.actions, (self.seat, self.own)]

    def state(self) -> engines.State:
        """Return a position that the seat cannot tell from the true one; hidden things are drawn.

        Where nothing is hidden it is the position after all actions that the seat knows of, unless
        a player was dropped; elsewhere that of the last question, before which it is any beginning.
        """
        assert self.game is not None
        kind = self.game.type
        if self.setup and (kind.information, kind.dynamics) == ("perfect", "sequential"):
            state = self.game.new_initial_state(self.setup)
            with contextlib.suppress(engines.IllegalAction):  # somebody was dropped, unseen
                for player, action in self.known:
                    state = state.apply_action(player, action)
                if not self.decision or state.observation(self.seat) == self.observation:
                    return state
        if not self.observation:
            return self.game.new_initial_state()
        return self.game.sample_state(self.observation, self.seat, random.Random(0))

    def refusal(self, action: str) -> str:
        """Say why an action is not legal now; empty if it is legal."""
        if action in self.legal:
            return ""
        try:
            self.state().apply_action(self.seat, action)
        except engines.IllegalAction as error:
            return str(error)
        return "" if self.partial else "it is not among the legal actions"
