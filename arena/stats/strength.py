"""Blocks in schedule order → whether one is stronger than the other, and when to stop asking.

Copies of a deal have no weight while neither shows any chance (``arena.stats.weights``).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isfinite
from typing import NamedTuple

from arena.stats.scores import Scores
from arena.stats.sprt import Sprt
from arena.stats.weights import Weights

MOST_REPEATS = 200  # blocks in a row without a new match, after which no other is expected
HALF = Fraction(1, 2)
SURE = 0.95  # the likelihood of superiority from which a fixed number of blocks is an answer


class BlockMatch(NamedTuple):
    """One match of a block: the score of the one who is compared, what was played, and by whom.

    ``moves_hash`` is that of a stored match, ``seats`` is ``copies.seated`` of who sat where.
    """

    score: Fraction
    moves_hash: int
    seats: int = 0


class Answer(NamedTuple):
    """What the blocks so far say.

    ``verdict`` is ``stronger``, ``not-weaker`` (by ``-elo0`` or more: what a test with ``elo0``
    below 0 shows), ``weaker`` or ``inconclusive``. ``reason`` says what it follows from: ``elo1``
    or ``elo0`` (the hypothesis that the sequential test accepted), ``repeats`` (no new match came
    any more) or ``end`` (of the blocks). ``elo`` and its 95 % interval are ``None`` where infinite;
    the interval is not corrected for a test that stops early. ``nelo`` is normalised Elo, ``None``
    where all blocks had one score. ``llr`` and its bounds are ``None`` without a sequential test.
    ``wins``, ``draws`` and ``losses`` are of the matches with weight, by scores above, of and below
    one half. ``counts`` says how many blocks had each possible score. Of the ``matches``,
    ``repeats`` have no weight, as they are copies. ``same_deal`` is how many blocks there are if
    all are of one deal, which was played in several ways; else 0.
    """

    verdict: str
    reason: str
    score: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    nelo: float | None
    los: float
    llr: float | None
    llr_low: float | None
    llr_high: float | None
    elo0: float | None
    elo1: float | None
    matches: int
    repeats: int
    same_deal: int
    blocks: int
    wins: int
    draws: int
    losses: int
    counts: tuple[tuple[float, int], ...]


class SequentialTest:
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
        self._weights: Weights[tuple[Fraction, ...]] = Weights()  # by the scores of the matches
        self._llr = 0.0
        self._stale = 0  # blocks in a row without weight

    def add(self, block: Iterable[BlockMatch]) -> None:
        """Take in the next complete block."""
        matches = tuple(block)
        kind = tuple(sorted([match.score for match in matches]))
        new = self._weights.add(kind, matches)
        self._stale = 0 if new else self._stale + 1
        self.reason = "repeats" if self._stale >= MOST_REPEATS else ""
        if new and self._sprt is not None:
            self._llr = self._sprt.llr(self._blocks(), self._players)
        if self._sprt is not None:
            self.reason = self._sprt.accepted(self._llr) or self.reason

    def answer(self) -> Answer:
        """Return what the blocks so far say."""
        scores, sprt, weights = self._blocks(), self._sprt, self._weights
        los = scores.superiority()
        low, elo, high = scores.elo()
        copies = sum(weights.copies.values())
        return Answer(
            verdict=self._verdict(los),
            reason=self.reason or "end",
            score=scores.mean,
            elo=_finite(elo),
            elo_low=_finite(low),
            elo_high=_finite(high),
            nelo=scores.normalised_elo(self._players),
            los=los,
            llr=None if sprt is None else self._llr,
            llr_low=None if sprt is None else sprt.lower,
            llr_high=None if sprt is None else sprt.upper,
            elo0=None if sprt is None else sprt.elo0,
            elo1=None if sprt is None else sprt.elo1,
            matches=self._players * (scores.blocks + copies),
            repeats=self._players * copies,
            same_deal=weights.same_deal,
            blocks=scores.blocks,
            **self._results(),
            counts=scores.of_all(self._players),
        )

    def _blocks(self) -> Scores:
        """Return how many blocks with weight had each score."""
        counts: dict[Fraction, int] = {}
        for kind, count in self._weights.counts.items():
            score = sum(kind, Fraction()) / len(kind)
            counts[score] = counts.get(score, 0) + count
        return Scores.of(counts)

    def _results(self) -> dict[str, int]:
        """Return how many matches with weight were won, drawn and lost."""
        found = {"wins": 0, "draws": 0, "losses": 0}
        for kind, count in self._weights.counts.items():
            for score in kind:
                name = "wins" if score > HALF else "losses" if score < HALF else "draws"
                found[name] += count
        return found

    def _verdict(self, los: float) -> str:
        """Return the verdict, were this the end.

        A sequential test shows what it accepted, and no more: the likelihood of superiority knows
        nothing of a stop that was chosen by the results.
        """
        if self._sprt is not None:
            if self.reason != "elo1":
                return "inconclusive"
            return "stronger" if self._sprt.elo0 >= 0.0 else "not-weaker"
        if self.reason == "repeats":
            return "inconclusive"
        return "stronger" if los >= SURE else "weaker" if los <= 1.0 - SURE else "inconclusive"


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
