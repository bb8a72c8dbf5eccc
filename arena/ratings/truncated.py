"""How far a result moves a belief: TrueSkill's v and w, safe however unlikely the result is.

A difference of performances is believed to be normal, with mean ``t`` and standard deviation 1. A
win says that it is above the draw margin ``e``, a draw that it is within ``-e … e``. ``v`` is how
much that moves the mean, ``w`` the share of the variance that it takes away (Herbrich, Minka and
Graepel, "TrueSkill: A Bayesian Skill Rating System", 2006).

The ``trueskill`` package is the definition of a rating here, and it uses an approximation of erfc
with a relative error of 1.2e-7. The same is used here, so that the two agree to rounding. Where the
package gives up, beyond about 37 standard deviations, the belief after the result is all but
exponential, and that is used.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, inf, log, sinh, sqrt, tanh

_LIMIT = -37.5  # below it a density of the normal distribution is no longer a normal float
_SQRT_2 = sqrt(2.0)
_SQRT_HALF = sqrt(0.5)
_SQRT_2_OVER_PI = sqrt(2.0 / 3.141592653589793)
_DENSITY = _SQRT_2_OVER_PI / 2.0  # 1 / sqrt(2 * pi)
_NEARLY_ALL = 1.0 - 1e-12  # a variance never vanishes


def win(t: float, e: float) -> tuple[float, float]:
    """Return ``(v, w)`` for a win: the difference, believed to be about ``t``, was above ``e``."""
    x = t - e
    if x < 0.0:
        if x < _LIMIT:
            return _exponential(-x, inf)
        # pdf / cdf, where the two small exponentials of x * x / 2 cancel
        half = 1.0 - x * _SQRT_HALF * 0.5
        v = _SQRT_2_OVER_PI * half * exp(-_erfc_exponent(1.0 / half))
    else:
        square = x * x * 0.5
        r = 1.0 / (1.0 + x * _SQRT_HALF * 0.5)
        v = _DENSITY * exp(-square) / (1.0 - 0.5 * r * exp(_erfc_exponent(r) - square))
    w = v * (v + x)
    return v, (w if w < _NEARLY_ALL else _NEARLY_ALL)


def draw(t: float, e: float) -> tuple[float, float]:
    """Return ``(v, w)`` for a draw: the difference, believed about ``t``, was within ``±e``."""
    distance = abs(t)
    a, b = e - distance, -e - distance
    if a < _LIMIT:
        v, w = _exponential(-a, 2.0 * e)
        return (v if t < 0.0 else -v), w
    inside = _cdf(a) - _cdf(b)
    at_a, at_b = _DENSITY * exp(-0.5 * a * a), _DENSITY * exp(-0.5 * b * b)
    if inside <= 0.0:  # a margin so narrow that rounding ate it
        return -t, _NEARLY_ALL
    v = (at_b - at_a) / inside
    w = v * v + (a * at_a - b * at_b) / inside
    w = min(max(w, 0.0), _NEARLY_ALL)
    return (-v if t < 0.0 else v), w


def margin_score(t: float, e: float) -> float:
    """Return how much a draw would rather have a wider margin: the slope of its log-likelihood.

    That of a win is minus its ``v``. The margin ``e`` is above 0.
    """
    distance = abs(t)
    a, b = e - distance, -e - distance
    if a < _LIMIT:  # the density falls exponentially from one end to the other
        return -a / tanh(-a * e)
    inside = _cdf(a) - _cdf(b)
    if inside <= 0.0:
        return 1.0 / e
    return _DENSITY * (exp(-0.5 * a * a) + exp(-0.5 * b * b)) / inside


@lru_cache(maxsize=64)
def draw_margin(draw_probability: float, deviation: float) -> float:
    """Return the margin within which equal players draw with a probability.

    Args:
        draw_probability: above 0 and below 1.
        deviation: the standard deviation of the difference of the two performances.
    """
    # the quantile (1 + p) / 2 of the normal distribution: erfc(x) = 1 - p, two steps of Newton
    y = 1.0 - draw_probability
    s = sqrt(-2.0 * log(y / 2.0))
    x = -0.70711 * ((2.30753 + s * 0.27061) / (1.0 + s * (0.99229 + s * 0.04481)) - s)
    for _ in range(2):
        error = 2.0 * _cdf(-x * _SQRT_2) - y
        x += error / (1.12837916709551257 * exp(-x * x) - x * error)
    return x * _SQRT_2 * deviation


def _cdf(x: float) -> float:
    r = 1.0 / (1.0 + abs(x) * _SQRT_HALF * 0.5)
    tail = 0.5 * r * exp(_erfc_exponent(r) - 0.5 * x * x)
    return tail if x <= 0.0 else 1.0 - tail


def _erfc_exponent(r: float) -> float:
    """Return c with erfc(z) = r · exp(c - z²) for z ≥ 0 and r = 1 / (1 + z / 2).

    W. H. Press et al., "Numerical Recipes", section 6.2.
    """
    # one polynomial, cut in three for the eye
    last = -1.13520398 + r * (1.48851587 + r * (-0.82215223 + r * 0.17087277))
    middle = 0.09678418 + r * (-0.18628806 + r * (0.27886807 + r * last))
    return -1.26551223 + r * (1.00002368 + r * (0.37409196 + r * middle))


def _exponential(u: float, width: float) -> tuple[float, float]:
    """Return ``(v, w)`` when the allowed interval begins ``u`` > 37 above the mean.

    Over the interval the density falls like exp(-rate · s); the rate is a little above u, since
    the fall steepens, which makes the first two moments right to the order of u⁻⁴.
    """
    rate = u + 2.0 / u
    mean, variance = 1.0 / rate, 1.0 / (rate * rate)
    q = rate * width
    if q < 1e-3:  # so narrow that the density is flat
        mean, variance = width / 2.0, width * width / 12.0
    elif q < 80.0:
        mean -= width / (exp(q) - 1.0)
        variance -= (width / (2.0 * sinh(q / 2.0))) ** 2
    return u + mean, min(1.0 - variance, _NEARLY_ALL)
