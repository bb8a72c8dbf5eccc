"""What a match is expected to say, held against the ``trueskill`` package and by hand."""

from __future__ import annotations

from itertools import product
from math import erf, pi, sqrt

import pytest
import trueskill

from arena.ratings.closed_form import BETA, DEVIATION
from arena.ratings.information import information
from arena.ratings.truncated import draw_margin


def normal(x: float) -> float:
    """Return the share of a normal law below x."""
    return 0.5 + 0.5 * erf(x / sqrt(2.0))


def expected_variance(one: tuple[float, float], other: tuple[float, float], draws: float) -> float:
    """Return what the package leaves of the first one's variance, on average over the results."""
    game = trueskill.TrueSkill(25.0, 25.0 / 3.0, BETA, 0.0, draws)
    margin = draw_margin(draws, DEVIATION)
    a, b = game.create_rating(*one), game.create_rating(*other)
    c = sqrt(one[1] ** 2 + other[1] ** 2 + 2.0 * BETA**2)
    gap = one[0] - other[0]
    wins, loses = normal((gap - margin) / c), normal((-gap - margin) / c)
    chances = {(1, 2): wins, (2, 1): loses, (1, 1): 1.0 - wins - loses}
    return sum(
        float(chance * game.rate([(a,), (b,)], ranks)[0][0].sigma ** 2)
        for ranks, chance in chances.items()
    )


@pytest.mark.parametrize(
    ("gap", "sigmas", "draws"),
    list(product((0.5, 3.0, -9.0), ((8.0, 8.0), (1.0, 6.0), (0.7, 0.9)), (0.02, 0.4))),
)
def test_it_is_what_the_package_makes_of_all_results(
    gap: float, sigmas: tuple[float, float], draws: float
) -> None:
    """An observation of the difference so precise leaves as much as the package does on average."""
    one, other = sigmas
    said = information(gap, one**2 + other**2, draw_margin(draws, DEVIATION))
    left = 1.0 / (1.0 / one**2 + 1.0 / (other**2 + 1.0 / said))
    package = expected_variance((25.0 + gap, one), (25.0, other), draws)
    assert left == pytest.approx(package, rel=1e-5)


def test_between_known_equals_it_is_fishers() -> None:
    """Without draws a coin says 4 times the density squared: 2 / pi over twice beta squared."""
    assert information(0.0, 1e-9, 0.0) == pytest.approx(2.0 / pi / (2.0 * BETA**2), rel=1e-4)


def test_a_result_that_is_certain_says_nothing() -> None:
    """The further two are apart, the less their match says; whoever is first."""
    said = [information(gap, 4.0) for gap in (0.0, 2.0, 8.0, 20.0, 200.0)]
    assert said == sorted(said, reverse=True)
    assert said[-1] == pytest.approx(0.0, abs=1e-12)
    assert information(-8.0, 4.0) == pytest.approx(said[2], rel=1e-9)
