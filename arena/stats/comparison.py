"""Blocks in schedule order → whether one is stronger than the other, and when to stop asking.

A block that brings no new match adds no weight: the same actions in the same seats, played again,
say nothing that was not known. A block with at least one new match counts whole, since only whole
blocks give both sides the same seats.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isfinite
from typing import NamedTuple

from arena.stats.scores import Scores
from arena.stats.sprt import Sprt

__all__ = ["Answer", "BlockMatch", "Comparison", "MOST_REPEATS"]

MOST_REPEATS = 200  # blocks in a row without a new match, after which no other is expected
SURE = 0.95  # the likelihood of superiority from which a fixed number of blocks is an answer


class BlockMatch(NamedTuple):
    """One match of a block: the score of the one who is compared, and what was played.

    ``play`` is equal for two matches with the same actions on the same deal in the same seats.
    """

    score: Fraction
    play: int


class Answer(NamedTuple):
    """What the blocks so far say.

    ``verdict`` is ``stronger``, ``weaker`` or ``inconclusive``. ``reason`` says what it follows
    from: ``elo1`` or ``elo0`` (the hypothesis that the sequential test accepted), ``repeats`` (no
    new match came any more) or ``end`` (of the blocks). ``elo`` and its 95 % interval are ``None``
    where infinite; so are ``llr`` and its bounds without a sequential test. ``counts`` says how
    many blocks had each score. ``repeats`` of the ``matches`` repeat earlier ones.
    """

    verdict: str
    reason: str
    score: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    los: float
    llr: float | None
    llr_low: float | None
    llr_high: float | None
    matches: int
    repeats: int
    blocks: int
    counts: tuple[tuple[float, int], ...]

    @property
    def margin(self) -> float | None:
        """Half the width of the interval of ``elo``; ``None`` where an end is infinite."""
        if self.elo is None or self.elo_low is None or self.elo_high is None:
            return None
        return (self.elo_high - self.elo_low) / 2.0


class Comparison:
    """The blocks so far; to be given every complete block, in schedule order.

    Attributes:
        reason: why to stop: ``elo1``, ``elo0`` or ``repeats``; empty while there is no reason.
    """

    def __init__(self, players: int = 2, sprt: Sprt | None = None) -> None:
        """Begin before the first block.

        Args:
            players: of the game.
            sprt: the test that says when to stop; ``None``: a fixed number of blocks.
        """
        self.reason = ""
        self._players = players
        self._sprt = sprt
        self._counts: dict[Fraction, int] = {}
        self._llr = 0.0
        self._seen: set[int] = set()
        self._matches = 0
        self._repeats = 0
        self._stale = 0  # blocks in a row without a new match

    def add(self, block: Iterable[BlockMatch]) -> None:
        """Take in the next complete block."""
        matches = tuple(block)
        known = len(self._seen)
        self._seen.update(match.play for match in matches)
        new = len(self._seen) - known
        self._matches += len(matches)
        self._repeats += len(matches) - new
        self._stale = 0 if new else self._stale + 1
        if new:
            score = sum((match.score for match in matches), Fraction()) / len(matches)
            self._counts[score] = self._counts.get(score, 0) + 1
        self.reason = "repeats" if self._stale >= MOST_REPEATS else ""
        if self._sprt is not None:
            if new:
                self._llr = self._sprt.llr(Scores.of(self._counts), self._players)
            self.reason = self._sprt.accepted(self._llr) or self.reason

    def answer(self) -> Answer:
        """Return what the blocks so far say."""
        scores, sprt = Scores.of(self._counts), self._sprt
        los = scores.superiority()
        low, elo, high = scores.elo()
        return Answer(
            verdict=self._verdict(los),
            reason=self.reason or "end",
            score=scores.mean,
            elo=_finite(elo),
            elo_low=_finite(low),
            elo_high=_finite(high),
            los=los,
            llr=None if sprt is None else self._llr,
            llr_low=None if sprt is None else sprt.lower,
            llr_high=None if sprt is None else sprt.upper,
            matches=self._matches,
            repeats=self._repeats,
            blocks=scores.blocks,
            counts=scores.counts,
        )

    def _verdict(self, los: float) -> str:
        """Return the verdict, were this the end.

        A sequential test says that one is not stronger by so much, which a bot that meets itself is
        not either: weaker is who is likely to be so.
        """
        if self.reason == "repeats":
            return "inconclusive"
        stronger = los >= SURE if self._sprt is None else self.reason == "elo1"
        return "stronger" if stronger else "weaker" if los <= 1.0 - SURE else "inconclusive"


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
