"""The sequential probability ratio test: stop as soon as two strengths can be distinguished.

The likelihood ratio is the generalised one (GSPRT): for each of the two hypotheses, the most likely
distribution of block scores with just that mean (Wald, 1945; M. Van den Bergh, "A practical
introduction to the GSPRT", 2020).
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

from arena.stats.scores import Scores, score_of_elo

_UNSEEN = 1e-3  # blocks that a score is taken to have had which no block had, as is usual
_STEPS = 100
_EXACT = 1e-13  # relative to the range of t


class Sprt(NamedTuple):
    """A test of ``elo0`` against ``elo1`` with the chances of error ``alpha`` and ``beta``.

    ``alpha`` is the chance to accept ``elo1`` where ``elo0`` is true, ``beta`` the other one.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which ``elo0`` is accepted."""
        return log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which ``elo1`` is accepted."""
        return log((1.0 - self.beta) / self.alpha)

    def llr(self, scores: Scores, players: int = 2) -> float:
        """Return the log-likelihood ratio of ``elo1`` to ``elo0``.

        Args:
            scores: of the blocks so far.
            players: of the game, which says what scores a block may have.
        """
        if not scores.blocks:
            return 0.0
        counts = [(score, count or _UNSEEN) for score, count in scores.of_all(players)]
        likely0 = _most_likely(counts, score_of_elo(self.elo0))
        likely1 = _most_likely(counts, score_of_elo(self.elo1))
        return sum(
            count * log(p1 / p0)
            for (_, count), p0, p1 in zip(counts, likely0, likely1, strict=True)
        )

    def accepted(self, llr: float) -> str:
        """Return which hypothesis to accept, ``elo0`` or ``elo1``; ``""``: play on."""
        return "elo1" if llr >= self.upper else "elo0" if llr <= self.lower else ""


def _most_likely(counts: list[tuple[float, float]], mean: float) -> list[float]:
    """Return the most likely probabilities of scores, given their mean.

    They are proportional to ``count / (1 + t * (score - mean))``, where t lies between the two
    poles. The mean falls while t grows: Newton's steps find t, halving where they lead out.
    """
    total = sum(count for _, count in counts)
    low = -1.0 / (counts[-1][0] - mean)
    high = -1.0 / (counts[0][0] - mean)
    t, exact = 0.0, _EXACT * (high - low)
    for _ in range(_STEPS):
        value = slope = 0.0
        for score, count in counts:
            share = (score - mean) / (1.0 + t * (score - mean))
            value += count * share
            slope += count * share * share
        if value > 0.0:
            low = t
        else:
            high = t
        step = value / slope
        before, t = t, t + step
        if not low < t < high:
            t = 0.5 * (low + high)
        if abs(t - before) <= exact:
            break
    return [count / total / (1.0 + t * (score - mean)) for score, count in counts]
