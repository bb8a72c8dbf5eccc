"""Scores of blocks: Elo, its interval, and the likelihood of superiority."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest

from arena.stats.scores import elo_of_score, match_score, score_of_elo


@pytest.mark.parametrize(
    ("ranks", "seat", "score"),
    [
        ((1, 2), 0, 1),
        ((1, 2), 1, 0),
        ((1, 1), 0, Fraction(1, 2)),
        ((2, 1, 3), 0, Fraction(1, 2)),
        ((1, 1, 3), 0, Fraction(3, 4)),
        ((1, 2, 2, 4), 1, Fraction(1, 2)),
        ((1, 1, 1, 1), 3, Fraction(1, 2)),
    ],
)
def test_a_match_scores_the_share_of_others_below(
    ranks: tuple[int, ...], seat: int, score: Fraction
) -> None:
    """Who shares a rank counts half."""
    assert match_score(ranks, seat) == score


def test_elo_is_as_in_tables() -> None:
    """200 points are an expected score of 0.76, 400 of 10 to 1 (A. Elo, 1978)."""
    assert score_of_elo(200) == pytest.approx(0.7597, abs=1e-4)
    assert score_of_elo(400) == pytest.approx(10 / 11)
    assert elo_of_score(0.75) == pytest.approx(190.85, abs=0.01)
    assert (elo_of_score(0.0), elo_of_score(1.0)) == (-inf, inf)
