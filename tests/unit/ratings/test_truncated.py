"""v and w against numerical integration, where the package cannot follow, too."""

from __future__ import annotations

from math import exp, inf, isfinite, log1p
from statistics import NormalDist

import pytest
from scipy.stats import norm

from arena.ratings.truncated import draw, draw_margin, margin_score, win


def moments(t: float, low: float, high: float) -> tuple[float, float]:
    """Integrate what is left of N(t, 1) within low … high; the v and w that belong to it.

    Densities are taken relative to their largest, so that far tails do not vanish.
    """
    high = min(high, max(low, t) + 12.0)
    low = max(low, min(high, t) - 12.0)
    peak = min(max(t, low), high)
    # where the density falls steeply, nothing beyond 60 decay lengths counts
    reach = 60.0 / max(1.0, abs(peak - t))
    low, high = max(low, peak - reach), min(high, peak + reach)
    steps = 20_000
    step = (high - low) / steps
    total = first = second = 0.0
    for i in range(steps + 1):
        x = low + i * step
        weight = step * (1 if i in (0, steps) else 4 if i % 2 else 2)
        weight *= exp(((peak - t) ** 2 - (x - t) ** 2) / 2)
        total += weight
        first += weight * (x - peak)
        second += weight * (x - peak) ** 2
    mean = first / total
    return peak + mean - t, 1 - (second / total - mean * mean)


def lost(t: float) -> float:
    """What w may be wrong by: erfc is known to 1.2e-7, which counts t² times; or the far tail."""
    return 4e-7 * max(1.0, t * t) if abs(t) < 38.5 else 2e-6


@pytest.mark.parametrize("t", [-3000.0, -120.0, -40.0, -37.4, -20.0, -5.0, -1.0, 0.0, 1.0, 5.0])
@pytest.mark.parametrize("e", [0.05, 0.3])
def test_win_is_the_truncated_normal(t: float, e: float) -> None:
    """A win's v and w are the moments of the normal distribution above the margin."""
    v, w = win(t, e)
    expected_v, expected_w = moments(t, e, inf)
    assert v == pytest.approx(expected_v, rel=3e-7, abs=1e-6)
    assert w == pytest.approx(expected_w, abs=lost(t))


@pytest.mark.parametrize("t", [-3000.0, -60.0, -40.0, -6.0, -1.0, -0.2, 0.0, 0.7, 3.0, 38.0, 500.0])
@pytest.mark.parametrize("e", [0.02, 0.1, 0.9])
def test_draw_is_the_truncated_normal(t: float, e: float) -> None:
    """A draw's v and w are the moments of the normal distribution within the margin."""
    v, w = draw(t, e)
    expected_v, expected_w = moments(t, -e, e)
    assert v == pytest.approx(expected_v, rel=3e-6, abs=2e-6)
    assert w == pytest.approx(expected_w, abs=2e-5 + lost(t))


@pytest.mark.parametrize("e", [1e-12, 0.05, 0.13, 3.0])
def test_nothing_is_beyond_computing(e: float) -> None:
    """However unlikely the result, v is finite, w is from 0 to below 1, and v pulls towards it."""
    for exponent in range(-30, 31):
        for t in (10.0 ** (exponent / 3), -(10.0 ** (exponent / 3))):
            v, w = win(t, e)
            assert isfinite(v)
            assert v >= 0.0
            assert 0.0 <= w < 1.0
            v, w = draw(t, e)
            assert isfinite(v)
            assert 0.0 <= w < 1.0
            assert v * t <= 1e-3


@pytest.mark.parametrize("probability", [0.001, 0.1, 0.5, 0.99])
def test_margin_is_the_quantile(probability: float) -> None:
    """Within the margin lies the draw probability's share of the normal distribution."""
    expected = NormalDist(0.0, 5.0).inv_cdf((1 + probability) / 2)
    assert draw_margin(probability, 5.0) == pytest.approx(expected, rel=2e-4, abs=1e-5)


@pytest.mark.parametrize("t", [-45.0, -3.0, -0.2, 0.0, 0.7, 4.0, 45.0])
@pytest.mark.parametrize("e", [0.05, 0.5, 3.0])
@pytest.mark.parametrize("drawn", [False, True])
def test_the_pull_at_the_margin(t: float, e: float, drawn: bool) -> None:
    """It is the slope of the logarithm of a result's chance, as scipy has that."""

    def log_chance(margin: float) -> float:
        if not drawn:
            return float(norm.logcdf(t - margin))
        near = norm.logcdf(margin - abs(t))
        return float(near + log1p(-exp(norm.logcdf(-margin - abs(t)) - near)))

    step = 1e-5
    slope = (log_chance(e + step) - log_chance(e - step)) / (2.0 * step)
    pull = margin_score(t, e) if drawn else -win(t, e)[0]
    assert pull == pytest.approx(slope, rel=0.05, abs=1e-4)
