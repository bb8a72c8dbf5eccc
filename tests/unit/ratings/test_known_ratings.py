"""Ratings that others have published, from our two ways of computing them.

The values are those of Jeff Moser's "Computing Your Skill" and the unit tests beside it
(TrueSkillCalculatorTests), which took them from Microsoft's own calculator: mu 25, sigma 25/3,
beta 25/6, tau 25/300, draw probability 10 %.
"""

from __future__ import annotations

import pytest

from arena.ratings.message_passing import rate_players
from arena.ratings.trueskill import rate
from arena.values.tables import Rating

NEW = Rating()

PUBLISHED = {
    "a win": ([1, 2], [(29.396, 7.171), (20.604, 7.171)]),
    "a draw": ([1, 1], [(25.000, 6.458), (25.000, 6.458)]),
    "three in order": ([1, 2, 3], [(31.675, 6.656), (25.000, 6.208), (18.325, 6.656)]),
    "three alike": ([1, 1, 1], [(25.000, 5.698), (25.000, 5.695), (25.000, 5.698)]),
    "four in order": (
        [1, 2, 3, 4],
        [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)],
    ),
    "four in another order": (
        [3, 1, 4, 2],
        [(22.599, 5.787), (33.207, 6.348), (16.793, 6.348), (27.401, 5.787)],
    ),
    "five in order": (
        [1, 2, 3, 4, 5],
        [(34.363, 6.136), (29.058, 5.536), (25.000, 5.420), (20.942, 5.536), (15.637, 6.136)],
    ),
}


@pytest.mark.parametrize(("ranks", "expected"), PUBLISHED.values(), ids=PUBLISHED)
def test_published_ratings(ranks: list[int], expected: list[tuple[float, float]]) -> None:
    """Beginners have the published ratings after one match, by both ways, in their own order."""
    package = rate([NEW] * len(ranks), ranks)
    assert package is not None
    ours = rate_players([(NEW.mu, NEW.sigma)] * len(ranks), ranks)
    for rating, (mu, sigma), (expected_mu, expected_sigma) in zip(
        package, ours, expected, strict=True
    ):
        assert (rating.mu, rating.sigma) == pytest.approx((expected_mu, expected_sigma), abs=1e-3)
        assert (mu, sigma) == pytest.approx((expected_mu, expected_sigma), abs=1e-3)
