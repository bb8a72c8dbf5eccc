"""Scores of blocks → a score with its error, Elo and the likelihood of superiority.

A block's score is the mean of its matches' scores: 1 for a win, 1/2 for a draw, 0 for a loss, and
with more players the share of the others that one stands above. Matches of a block share a deal,
and so blocks are what varies independently: with two players the *pentanomial* model of five
possible scores a block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import erf, inf, log10, sqrt
from typing import NamedTuple

__all__ = ["Scores", "elo_of_score", "match_score", "possible_scores", "score_of_elo"]

WIDTH = 1.959963984540054  # standard deviations on either side that hold 95 % of a normal law


def match_score(ranks: tuple[int, ...], seat: int) -> Fraction:
    """Return the share of the others that a seat stands above, ties counting half.

    >>> match_score((1, 2), 0), match_score((1, 1), 0), match_score((2, 1, 2), 0)
    (Fraction(1, 1), Fraction(1, 2), Fraction(1, 4))
    """
    own = ranks[seat]
    above = sum(other > own for other in ranks)
    level = ranks.count(own) - 1
    return Fraction(2 * above + level, 2 * (len(ranks) - 1))


def possible_scores(players: int) -> tuple[Fraction, ...]:
    """Return every score that a block may have, lowest first.

    >>> [str(score) for score in possible_scores(2)]
    ['0', '1/4', '1/2', '3/4', '1']
    """
    steps = 2 * players * (players - 1)
    return tuple([Fraction(step, steps) for step in range(steps + 1)])


def score_of_elo(elo: float) -> float:
    """Return the expected score of one who is so much stronger."""
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


def elo_of_score(score: float) -> float:
    """Return by how much one is stronger who has this score; infinite for 0 and 1."""
    if score <= 0.0:
        return -inf
    if score >= 1.0:
        return inf
    return 400.0 * log10(score / (1.0 - score))


class Scores(NamedTuple):
    """How many blocks had each score, as ``(score, count)`` with ascending scores."""

    counts: tuple[tuple[float, int], ...]

    @staticmethod
    def of(scores: Iterable[Fraction] | Mapping[Fraction, int]) -> Scores:
        """Count scores."""
        counts: dict[Fraction, int] = {}
        if isinstance(scores, Mapping):
            counts.update(scores)
        else:
            for score in scores:
                counts[score] = counts.get(score, 0) + 1
        return Scores(tuple([(float(score), counts[score]) for score in sorted(counts)]))

    @property
    def blocks(self) -> int:
        """How many there are."""
        return sum(count for _, count in self.counts)

    @property
    def mean(self) -> float:
        """The mean score; 0.5 without a block."""
        blocks = self.blocks
        return sum(score * count for score, count in self.counts) / blocks if blocks else 0.5

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite with fewer than two blocks."""
        blocks, mean = self.blocks, self.mean
        if blocks < 2:
            return inf
        squares = sum(count * (score - mean) ** 2 for score, count in self.counts)
        return sqrt(squares / (blocks - 1) / blocks)

    def elo(self) -> tuple[float, float, float]:
        """Return the Elo difference and its 95 % interval, lower end first, upper end last."""
        mean, by = self.mean, WIDTH * self.error
        return elo_of_score(mean - by), elo_of_score(mean), elo_of_score(mean + by)

    def superiority(self) -> float:
        """Return the likelihood (0 to 1) that the true score is above one half."""
        error, ahead = self.error, self.mean - 0.5
        if error == inf or ahead == 0.0:
            return 0.5
        if error == 0.0:
            return float(ahead > 0.0)
        return 0.5 + 0.5 * erf(ahead / error / sqrt(2.0))
