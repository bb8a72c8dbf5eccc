"""How much the result of a match will say of two skills, before it is played: a closed form."""

from __future__ import annotations

from math import erfc, sqrt

from arena.ratings.closed_form import BETA, MARGIN
from arena.ratings.truncated import draw, win

_TWO_BETA_SQUARE = 2.0 * BETA * BETA
_SQRT_HALF = sqrt(0.5)


def information(gap: float, variance: float, margin: float = MARGIN) -> float:
    """Return what one match says of the difference of two skills, as a precision.

    By TrueSkill's model each possible result leaves a smaller variance of that difference. This is
    by how much one through the mean of these, over all results, is more than one through
    ``variance``. It is largest between equals, and falls to 0 where the result is certain.

    Args:
        gap: the difference of the means.
        variance: of the difference: the sum of both variances, above 0.
        margin: of performances within which players draw.
    """
    c_square = variance + _TWO_BETA_SQUARE
    c = sqrt(c_square)
    t, e = gap / c, margin / c
    wins, loses = 0.5 * erfc((e - t) * _SQRT_HALF), 0.5 * erfc((e + t) * _SQRT_HALF)
    expected = wins * win(t, e)[1] + loses * win(-t, e)[1]
    if margin > 0.0:
        expected += max(0.0, 1.0 - wins - loses) * draw(t, e)[1]
    return expected / (c_square - variance * expected)
