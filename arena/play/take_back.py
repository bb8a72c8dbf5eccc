"""A decision taken back: the match is played again from its seed, up to there by what was answered.

People's earlier answers are given again as long as each question is the one that was asked then.
Bots decide again from their seeds. Where one of them plays otherwise than before, nothing is left
to give, and people decide from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Answer", "Answers"]


class Answer(NamedTuple):
    """What a person answered: the seat, the number of its decision, what it saw, and the action."""

    seat: int
    decision: int
    observation: str
    action: str


class Answers:
    """The answers of all people of a match in their order, and those to give again.

    Attributes:
        taken_back: how many decisions were taken back so far.
        diverged: has a bot played otherwise than before, since the last one?
    """

    def __init__(self) -> None:
        self._given: list[Answer] = []
        self._script: dict[tuple[int, int], Answer] = {}
        self.taken_back = 0
        self.diverged = False

    @property
    def given(self) -> Sequence[Answer]:
        """All answers of the match that is played now."""
        return self._given

    @property
    def replaying(self) -> bool:
        """Are there answers left to give again?"""
        return bool(self._script)

    def add(self, answer: Answer) -> None:
        """Note an answer."""
        self._given.append(answer)

    def can_take_back(self, seat: int) -> bool:
        """Return whether a seat has decided anything."""
        return any(answer.seat == seat for answer in self._given)

    def take_back(self, seat: int) -> None:
        """Forget the last decision of a seat and what came after it; the match begins again."""
        last = max(n for n, answer in enumerate(self._given) if answer.seat == seat)
        self._script = {(a.seat, a.decision): a for a in self._given[:last]}
        self._given = []
        self.taken_back += 1
        self.diverged = False

    def again(self, seat: int, decision: int, observation: str) -> str | None:
        """Return the action to give again, or ``None`` if a person is to decide."""
        answer = self._script.pop((seat, decision), None)
        if answer is None:
            return None
        if answer.observation != observation:
            self._script.clear()
            self.diverged = True
            return None
        return answer.action
