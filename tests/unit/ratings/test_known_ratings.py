"""Ratings that others have published, from our two ways of computing them.

The values are those of Jeff Moser's "Computing Your Skill" and the unit tests beside it
(TrueSkillCalculatorTests), which took them from Microsoft's own calculator: mu 25, sigma 25/3,
beta 25/6, tau 25/300, draw probability 10 %.
"""

from __future__ import annotations

from math import isfinite, sqrt

import pytest

from arena.ratings.closed_form import TAU, rate_pair
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
    "five in order": (
        [1, 2, 3, 4, 5],
        [(34.363, 6.136), (29.058, 5.536), (25.000, 5.420), (20.942, 5.536), (15.637, 6.136)],
    ),
}


@pytest.mark.parametrize(("ranks", "expected"), PUBLISHED.values(), ids=PUBLISHED)
def test_published_ratings(ranks: list[int], expected: list[tuple[float, float]]) -> None:
    """Beginners have the published ratings after one match, by the package and by ours."""
    package = rate([NEW] * len(ranks), ranks)
    ours = rate_players([(NEW.mu, NEW.sigma)] * len(ranks), ranks)
    for rating, (mu, sigma), (expected_mu, expected_sigma) in zip(
        package, ours, expected, strict=True
    ):
        assert (rating.mu, rating.sigma) == pytest.approx((expected_mu, expected_sigma), abs=1e-3)
        assert (mu, sigma) == pytest.approx((expected_mu, expected_sigma), abs=1e-3)


def test_ranks_need_not_be_in_order() -> None:
    """Ratings come back in the order of the players, whoever won."""
    ranks, expected = [3, 1, 4, 2], [(22.599, 5.787), (33.207, 6.348), (16.793, 6.348)]
    for place, (mu, sigma) in enumerate(expected):
        rating = rate([NEW] * 4, ranks)[place]
        assert (rating.mu, rating.sigma) == pytest.approx((mu, sigma), abs=1e-3)
        assert rate_players([(25.0, 25 / 3)] * 4, ranks)[place] == pytest.approx(
            (mu, sigma), abs=1e-3
        )


def test_shared_ranks_go_by_the_given_order() -> None:
    """Who shares a rank is compared in the order given: the one in the middle is known better."""
    beliefs = [(25.0, 25 / 3)] * 3
    first, middle, last = rate_players(beliefs, [1, 1, 1])
    assert middle[1] < first[1] == pytest.approx(last[1])


@pytest.mark.parametrize("gap", [240.0, 1000.0, 1e6])
@pytest.mark.parametrize("ranks", [[2, 1], [1, 1], [1, 2], [3, 1, 2], [1, 1, 1]])
def test_absurd_results_can_be_rated(gap: float, ranks: list[int]) -> None:
    """A result against all odds, where the package gives up, moves ratings the right way."""
    ratings = [Rating(gap, 1.0), Rating(0.0, 1.0), Rating(0.0, 1.0)][: len(ranks)]
    new = rate(ratings, ranks)
    assert all(isfinite(rating.mu) and 0 < rating.sigma < 1.01 for rating in new)
    if ranks[0] < ranks[1]:
        assert new[0].mu >= ratings[0].mu
    else:
        assert new[0].mu < ratings[0].mu
        assert new[1].mu > ratings[1].mu


def test_a_crowd_can_be_rated() -> None:
    """200 beginners in one match, where the package gives up, come out in order."""
    new = rate([NEW] * 200, list(range(1, 201)))
    assert [rating.mu for rating in new] == sorted((rating.mu for rating in new), reverse=True)


def test_a_certain_result_says_nothing() -> None:
    """A sure win changes no mean, and leaves each a little less known than before."""
    mu_a, sigma_a, mu_b, sigma_b = rate_pair(1000.0, 1.0, 0.0, 2.0, False)
    assert (mu_a, mu_b) == (1000.0, 0.0)
    assert sigma_a == pytest.approx(sqrt(1.0 + TAU**2))
    assert sigma_b == pytest.approx(sqrt(4.0 + TAU**2))


def test_alone_nothing_happens() -> None:
    """A player without opponents keeps its rating."""
    assert rate([Rating(3.0, 2.0)], [1]) == [Rating(3.0, 2.0)]


def test_the_door_checks_what_it_is_given() -> None:
    """A rank for every rating, and a draw is possible."""
    with pytest.raises(ValueError, match="2 ratings and 1 ranks"):
        rate([NEW, NEW], [1])
    for probability in (0.0, 1.0):
        with pytest.raises(ValueError, match="above 0 and below 1"):
            rate([NEW, NEW], [1, 1], probability)


def test_draws_make_surer() -> None:
    """With any draw probability, a draw between equals leaves both better known."""
    for probability in (0.001, 0.1, 0.9):
        for rating in rate([NEW, NEW], [1, 1], probability):
            assert rating.sigma < NEW.sigma
