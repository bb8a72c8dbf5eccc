"""What a player's decisions in a match were worth: values for text, JSON and pages."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Explained", "Explanation"]


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
        best: the best other action that was found, if there was one to try.
        best_value: what that one was worth.
        gain: how much more ``best`` was worth than ``action``, measured by new searches; ``None``
            where the first one gave no reason to measure.
        error: half the width of the gain's interval; all intervals of an explanation hold together
            in at least 95 of 100 explanations.
    """

    position: int
    number: int
    action: str
    value: float
    action_value: float
    best: str | None = None
    best_value: float | None = None
    gain: float | None = None
    error: float | None = None

    @property
    def is_claimed(self) -> bool:
        """Whether the other action was better for sure: the gain is above its error."""
        return self.gain is not None and self.error is not None and self.gain > self.error


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
    """

    match: str
    player: int
    unit: str
    seed: int | None
    simulations: int
    decisions: tuple[Explained, ...]
    not_searched: int = 0

    def costliest(self, most: int = 3) -> tuple[Explained, ...]:
        """Return the decisions for which something better is known, the costliest first."""
        claimed = [decision for decision in self.decisions if decision.is_claimed]
        return tuple(sorted(claimed, key=lambda d: (-(d.gain or 0.0), d.position))[:most])

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values; ``costliest`` holds the positions of the costliest."""
        decisions = [{**asdict(d), "claimed": d.is_claimed} for d in self.decisions]
        found = [decision.position for decision in self.costliest()]
        return {**asdict(self), "decisions": decisions, "costliest": found}
