"""Taking a decision back: the match is played again from its seed, with the same answers of people.

Bots decide again. A person's answer is given again as long as that person sees what they saw then.
At the first decision where they see something else, or that was taken back, they are asked.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

__all__ = ["PersonAnswer", "Answers", "Shared", "TakenBack"]

AT_ONCE = 1 << 16  # bytes


class TakenBack(Exception):
    """A person took a decision back: this match is given up, and played again from its seed."""


class PersonAnswer(NamedTuple):
    """One answer of a person.

    Attributes:
        player: who answered.
        decision: the number of the decision, counted from 1 for each player.
        observation: what the player saw.
        action: what the player chose.
        taken_back: at the first answer after a decision was taken back: how often that had been
            done in this match; else 0.
    """

    player: int
    decision: int
    observation: str
    action: str
    taken_back: int = 0


class Answers(NamedTuple):
    """All answers of people in a match, in the order in which they were given.

    >>> answers = Answers().add(0, 1, "seen", "E3").add(0, 2, "seen later", "N1")
    >>> answers.take_back(0, 3).given
    (PersonAnswer(player=0, decision=1, observation='seen', action='E3', taken_back=0),)
    """

    given: tuple[PersonAnswer, ...] = ()
    times: int = 0  # how often a decision was taken back

    def find(self, player: int, decision: int) -> PersonAnswer | None:
        """Return what was answered to a decision; ``None``: it is not answered yet."""
        places = (a for a in self.given if (a.player, a.decision) == (player, decision))
        return next(places, None)

    def again(self, player: int, decision: int, observation: str) -> PersonAnswer | None:
        """Return the answer to give again; ``None``: the person must be asked."""
        answer = self.find(player, decision)
        return answer if answer is not None and answer.observation == observation else None

    def add(self, player: int, decision: int, observation: str, action: str) -> Answers:
        """Return the answers with a new one; it replaces one to the same decision and all later."""
        kept = self._before(self.find(player, decision))
        marked = max((answer.taken_back for answer in kept), default=0)
        mark = self.times if self.times > marked else 0
        answer = PersonAnswer(player, decision, observation, action, mark)
        return Answers((*kept, answer), self.times)

    def take_back(self, player: int, decision: int) -> Answers | None:
        """Return the answers before the player's last one; ``None``: there is none to take back.

        Args:
            player: who takes it back.
            decision: the open decision of this player.
        """
        own = [a for a in self.given if a.player == player and a.decision < decision]
        return Answers(self._before(own[-1]), self.times + 1) if own else None

    def _before(self, answer: PersonAnswer | None) -> tuple[PersonAnswer, ...]:
        return self.given if answer is None else self.given[: self.given.index(answer)]


class Shared:
    """Answers in a file without a name, which the processes of a match's people share.

    Args:
        descriptor: of the file; an empty one holds no answers.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def load(self) -> Answers:
        """Return the answers."""
        size = os.fstat(self._descriptor).st_size
        text = os.pread(self._descriptor, size, 0)
        if not text:
            return Answers()
        times, given = json.loads(text)
        return Answers(tuple(PersonAnswer(*fields) for fields in given), times)

    def store(self, answers: Answers) -> None:
        """Write the answers in the place of those before."""
        text = json.dumps([answers.times, answers.given]).encode()
        os.ftruncate(self._descriptor, 0)
        written = 0
        while written < len(text):
            part = text[written : written + AT_ONCE]
            written += os.pwrite(self._descriptor, part, written)

    @contextmanager
    def alone(self) -> Iterator[Answers]:
        """Return a block that one process at a time is in, with the answers at its begin."""
        fcntl.lockf(self._descriptor, fcntl.LOCK_EX)
        try:
            yield self.load()
        finally:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN)
