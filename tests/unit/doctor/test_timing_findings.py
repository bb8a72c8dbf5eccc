"""From how late timers are to move times and workers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.doctor.timing import (
    NICE,
    measure_lateness,
    percentile,
    recommended_workers,
    sensible_move_ms,
    timing_findings,
)


@given(st.floats(0, 10_000))
def test_move_time_is_enough_and_nice(p99_ms: float) -> None:
    """A move takes at least four times the lateness and 20 ms, little more, in a round number."""
    move_ms = sensible_move_ms(p99_ms)
    least = max(20.0, 4 * p99_ms)
    assert least - 1e-6 <= move_ms <= 1.5 * least + 1
    digits = str(move_ms).rstrip("0")
    assert digits in {str(nice).replace(".", "").rstrip("0") for nice in NICE}


@pytest.mark.parametrize(
    ("cores", "load", "workers"),
    [(1, 0, 1), (2, 0, 1), (8, 0.9, 7), (8, 1.1, 6), (8, 30, 1), (1.5, 0, 1), (64, 0, 63)],
)
def test_workers_leave_a_core_and_what_is_busy(cores: float, load: float, workers: int) -> None:
    """All cores but one, less those that are busy with something else, but at least one."""
    assert recommended_workers(cores, load) == workers


def test_percentiles_by_hand() -> None:
    """Of 1 to 100, 99 do not exceed 99; of nothing, nothing is late."""
    assert percentile(range(1, 101), 0.99) == 99
    assert percentile([3.0], 0.01) == 3.0
    assert percentile([], 0.99) == 0.0


def test_a_quota_is_told() -> None:
    """Who sees fewer workers than cores is told why."""
    _, workers = timing_findings([0.1] * 100, 1.5, 0.0, 8)
    assert "1.5 of 8 cores" in workers.what
    assert "quota" in workers.what
    _, workers = timing_findings([0.1] * 100, 8.0, 0.0, 8)
    assert "quota" not in workers.what


def test_lateness_is_measured() -> None:
    """Real timers are late by something, never negative, within the time they were given."""
    late = measure_lateness(0.05)
    assert late
    assert all(0 <= one < 10_000 for one in late)


@pytest.mark.parametrize(("p99_ms", "move_ms"), [(0, 20), (5, 20), (5.1, 25), (20, 80), (26, 150)])
def test_move_times_by_hand(p99_ms: float, move_ms: int) -> None:
    """Four times 5.1 is 20.4, for which 25 is the next round number; and so on."""
    assert sensible_move_ms(p99_ms) == move_ms
