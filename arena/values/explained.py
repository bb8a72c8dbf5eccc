"""What a player's decisions in a match were worth: values for text, JSON and pages."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import ceil
from typing import Any, Literal, NamedTuple

How = Literal["exact", "at least", "search"]

PHASES = 12  # of a game, at most; with fewer decisions each is one of its own


@dataclass(frozen=True, slots=True)
class Explained:
    """One decision of the player.

    Attributes:
        position: how many actions had been taken before it, those of the opening included:
            ``arena show MATCH --at POSITION`` shows where it was.
        number: which of the player's decisions it was, counted from 1.
        action: what was played.
        value: what the position was worth: the played action or the best other one.
        action_value: what the played action was worth.
        best: the best other action that was found, if there was one to try; with ``exact``, if
            there is one that is worth more.
        best_value: what that one was worth.
        gain: how much more ``best`` was worth than ``action``; ``None`` if the first search gave no
            reason to measure.
        low: what the gain is at least in perfect play, in 95 of 100 cases.
        high: what it is at most.
        how: ``exact``: every action was followed to the end, in perfect play. ``at least``: so
            were these two, but there may be a better one still. ``search``: the values are what
            both got as the search plays.
        line: how the game goes on from ``best``, which comes first: who did what.
        line_value: what that brings the player, if the line goes to the end and is proven.
        reply: how it goes on from ``action``.
        reply_value: what that brings.
    """

    position: int
    number: int
    action: str
    value: float
    action_value: float
    best: str | None = None
    best_value: float | None = None
    gain: float | None = None
    low: float | None = None
    high: float | None = None
    how: How = "search"
    line: tuple[tuple[int, str], ...] = ()
    line_value: float | None = None
    reply: tuple[tuple[int, str], ...] = ()
    reply_value: float | None = None

    @property
    def is_claimed(self) -> bool:
        """Whether the other action was better: proven, or beyond the error of all searches."""
        return self.gain is not None and self.low is not None and self.gain > 0 <= self.low

    @property
    def is_costly(self) -> bool:
        """Whether the other action is better in perfect play: the interval does not have 0."""
        return self.is_claimed and self.low != 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the decisions of one player in a match were worth.

    Attributes:
        match: the match's id.
        player: whose decisions they are.
        unit: what values count: ``score`` (1 a win, 0 a loss, places between them in equal steps)
            or ``points`` (the points at the end, in a game for one).
        seed: where the search's chance comes from; ``None``: from the match's id.
        simulations: how many games were searched and played in all.
        decisions: in order; those with a single legal action are left out.
        not_searched: how many more there were, left out as the match is too long.
        positions: how many were made to solve decisions to the end.
    """

    match: str
    player: int
    unit: str
    seed: int | None
    simulations: int
    decisions: tuple[Explained, ...]
    not_searched: int = 0
    positions: int = 0

    def costliest(self, most: int = 3) -> tuple[Explained, ...]:
        """Return the decisions where another action seems better, those that surely cost first."""
        claimed = [decision for decision in self.decisions if decision.is_claimed]
        order = sorted(claimed, key=lambda d: (not d.is_costly, -(d.gain or 0.0), d.position))
        return tuple(order[:most])

    def _repr_html_(self) -> str:
        """Return a table for a notebook: the costliest decisions, and what was better."""
        from arena.values.html import html_table

        columns = ["decision", "played", "worth", "better", "worth", "at least", "at most"]
        rows = [
            (one.number, one.action, one.action_value, one.best, one.best_value, one.low, one.high)
            for one in self.costliest(len(self.decisions))
        ]
        caption = f"player {self.player} of match {self.match}: decisions that cost something"
        return html_table(caption, columns, rows)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values; ``costliest`` holds the positions of the costliest."""
        decisions = [{**asdict(d), "claimed": d.is_claimed} for d in self.decisions]
        found = [decision.position for decision in self.costliest()]
        return {**asdict(self), "decisions": decisions, "costliest": found}


@dataclass(frozen=True, slots=True)
class LostMatch:
    """A match that a bot lost: the game, who played, by seats, and its decisions."""

    game: str
    bots: tuple[str, ...]
    explanation: Explanation


class Phase(NamedTuple):
    """Decisions of the same numbers in several matches.

    Attributes:
        game: of these matches.
        first: the number of the first decision.
        last: that of the last one.
        matches: in how many of them something better is known for one of these decisions.
        costliest: in how many one of these cost most.
        gain: how much more the better actions are worth, in all.
    """

    game: str
    first: int
    last: int
    matches: int
    costliest: int
    gain: float


@dataclass(frozen=True, slots=True)
class LostMatches:
    """Where a bot goes wrong, over matches that it lost.

    Attributes:
        bot: whose decisions they are.
        tournament: what the tournaments are called.
        lost: how many matches it lost without a fault; only the newest of them are in ``matches``.
        matches: the newest first.
    """

    bot: str
    tournament: str | None
    lost: int
    matches: tuple[LostMatch, ...]

    def phases(self) -> list[Phase]:
        """Return what was lost when, for each game; phases in which nothing was are left out."""
        found = []
        for game in dict.fromkeys(match.game for match in self.matches):
            played = [match.explanation for match in self.matches if match.game == game]
            most = max([d.number for one in played for d in one.decisions], default=1)
            wide = ceil(most / PHASES)
            for first in range(1, most + 1, wide):
                numbers = range(first, min(first + wide, most + 1))
                wrong = [
                    [d.gain or 0.0 for d in one.decisions if d.is_claimed and d.number in numbers]
                    for one in played
                ]
                costliest = sum(d.number in numbers for one in played for d in one.costliest(1))
                gain = sum(map(sum, wrong))
                phase = Phase(game, first, numbers[-1], sum(map(bool, wrong)), costliest, gain)
                if phase.matches:
                    found.append(phase)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        matches = [
            {"game": one.game, "bots": one.bots, **one.explanation.as_json()}
            for one in self.matches
        ]
        phases = [phase._asdict() for phase in self.phases()]
        return {**asdict(self), "matches": matches, "phases": phases}
