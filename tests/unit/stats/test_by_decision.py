"""Numbers by decision: means and spreads as by hand, and sums that nobody can fill up."""

from __future__ import annotations

import math

import pytest

from arena.stats.by_decision import MOST_KEYS, Reported


def test_mean_and_spread() -> None:
    """Of 1, 2 and 6 the mean is 3, and the squares 4, 1 and 9 from it have the mean 14 / 3."""
    reported = Reported()
    for value in (1, 2, 6):
        reported.add("score", "won", 2, value)
    ((key, (curve,)),) = reported.curves().items()
    assert (key, curve.outcome) == ("score", "won")
    (point,) = curve.points
    assert (point.decision, point.reports, point.mean) == (2, 3, 3.0)
    assert point.spread == pytest.approx(math.sqrt(14 / 3))


def test_keys_are_bounded() -> None:
    """Those that came first stay, and it is known that there were more."""
    reported = Reported()
    for number in range(MOST_KEYS):
        reported.add(f"k{number:02}", "won", 1, 1.0)
    assert not reported.left_out
    reported.add("more", "won", 1, 1.0)
    reported.add("k00", "won", 1, 3.0)
    assert reported.left_out
    assert "more" not in reported.curves()
    assert reported.curves()["k00"][0].points[0].mean == 2.0
