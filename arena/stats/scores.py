"""Scores of blocks → a score with its error, Elo and the likelihood of superiority.

A block's score is the mean of its matches' scores: 1 for a win, 1/2 for a draw, 0 for a loss, and
with more players the share of the others that one stands above. Matches of a block share a deal,
and so blocks are what varies independently: with two players the *pentanomial* model of five
possible scores a block.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import erf, inf, log, log10, sqrt
from typing import NamedTuple

WIDTH = 1.959963984540054  # standard deviations on either side that hold 95 % of a normal law
# blocks won whole, and as many lost whole, that errors are computed with beside those played
ADDED = 2


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
    """Return the expected score of a bot that is so much stronger."""
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


def elo_of_score(score: float) -> float:
    """Return by how much a bot with this score is stronger; infinite for 0 and 1."""
    if score <= 0.0:
        return -inf
    if score >= 1.0:
        return inf
    return 400.0 * log10(score / (1.0 - score))


class Scores(NamedTuple):
    """How many blocks had each score, as ``(score, count)`` with ascending scores."""

    counts: tuple[tuple[float, int], ...]

    @staticmethod
    def of(counts: Mapping[Fraction, int]) -> Scores:
        """Return how often each score was, in order."""
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

    def of_all(self, players: int) -> tuple[tuple[float, int], ...]:
        """Return how often each possible score of a block was, lowest first."""
        seen = dict(self.counts)
        possible = map(float, possible_scores(players))
        return tuple([(score, seen.get(score, 0)) for score in possible])

    def elo(self) -> tuple[float, float, float]:
        """Return the Elo difference and its 95 % interval: lower end, estimate, upper end.

        The estimate is that of the mean score, infinite if it is 0 or 1; either end may be
        infinite, too.
        """
        centre, error = self._cautious()
        low, high = centre - WIDTH * error, centre + WIDTH * error
        return elo_of_score(low), elo_of_score(self.mean), elo_of_score(high)

    def normalised_elo(self, players: int = 2) -> float | None:
        """Return by how many standard deviations of a match the score is off 1/2, on Elo's scale.

        It says how many matches it takes to see a difference, whatever the share of draws (M. Van
        den Bergh, "Normalized Elo", 2021). ``None`` where no block differs from another.

        >>> round(Scores(((0.5, 50), (0.75, 50))).normalised_elo())
        246
        """
        blocks, mean = self.blocks, self.mean
        squares = sum(count * (score - mean) ** 2 for score, count in self.counts)
        if not squares:
            return None
        of_a_match = sqrt(players * squares / blocks)
        return (mean - 0.5) / of_a_match * 800.0 / log(10.0)

    def superiority(self) -> float:
        """Return the likelihood (0 to 1) that the true score is above one half.

        >>> one_block_won = Scores(((1.0, 1),))
        >>> round(one_block_won.superiority(), 2)
        0.66
        """
        centre, error = self._cautious()
        return 0.5 + 0.5 * erf((centre - 0.5) / error / sqrt(2.0))

    def _cautious(self) -> tuple[float, float]:
        """Return a mean and its standard error that hold for few blocks, too.

        As if ``ADDED`` more blocks had been won whole, and as many lost: "plus four" (A. Agresti
        and B. Coull, "Approximate is better than exact", 1998). Blocks that all have one score
        would otherwise have no error, and one block won would be a certainty.
        """
        counts = (*self.counts, (0.0, ADDED), (1.0, ADDED))
        blocks = self.blocks + 2 * ADDED
        mean = sum(score * count for score, count in counts) / blocks
        squares = sum(count * (score - mean) ** 2 for score, count in counts)
        return mean, sqrt(squares / (blocks - 1) / blocks)
