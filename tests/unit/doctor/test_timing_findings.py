"""From how late timers are to move times and workers."""

from __future__ import annotations

import pytest

from arena.doctor.timing import measure_lateness, percentile, sensible_move_ms, workers_finding


def test_percentiles_by_hand() -> None:
    """Of 1 to 100, 99 do not exceed 99; of nothing, nothing is late."""
    assert percentile(range(1, 101), 0.99) == 99
    assert percentile([3.0], 0.01) == 3.0
    assert percentile([], 0.99) == 0.0


def test_a_quota_is_told() -> None:
    """Who sees fewer workers than cores is told why."""
    found = workers_finding(1, 1.5, 0.0, 8)
    assert "1.5 of 8 cores" in found.what
    assert "quota" in found.what
    assert "quota" not in workers_finding(7, 8.0, 0.0, 8).what


def test_lateness_is_measured() -> None:
    """Real timers are late by something, never negative, within the time they were given."""
    late = measure_lateness(0.05)
    assert late
    assert all(0 <= one < 10_000 for one in late)


@pytest.mark.parametrize(("p99_ms", "move_ms"), [(0, 20), (5, 20), (5.1, 30), (20, 80), (26, 110)])
def test_move_times_by_hand(p99_ms: float, move_ms: int) -> None:
    """Four times 5.1 is 20.4, for which 30 is the next round number; and so on."""
    assert sensible_move_ms(p99_ms) == move_ms
