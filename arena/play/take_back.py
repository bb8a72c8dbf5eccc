"""Taking a decision back: the match is played again from its seed, with the same answers of people.

Bots decide again. A person's answer is given again as long as that person sees what they saw then.
At the first decision where they see something else, or that was taken back, they are asked.
"""

from __future__ import annotations

from typing import NamedTuple


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
