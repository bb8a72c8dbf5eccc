"""Plots show the numbers they are given: places computed by hand."""

from __future__ import annotations

import pytest

from arena.report.charts import PlotPath, bar_plot, line_plot


def test_lines_go_through_their_points() -> None:
    plot = line_plot("score", 9, 1, {2: -1.0, 5: 3.0, 8: 1.0})
    assert plot.curves == (PlotPath(1, "M2 100L5 0L8 50h0"),)
    assert (plot.top, plot.bottom, plot.zero, plot.last) == ("3", "-1", "75", 9)


def test_zero_is_no_line_where_all_is_above_it() -> None:
    assert line_plot("score", 3, 0, {1: 0.25, 2: 0.5}).zero is None


@pytest.mark.parametrize("value", [0.0, -5.0, 1.7e308])
def test_one_number_lies_in_the_middle(value: float) -> None:
    assert line_plot("score", 3, 0, {1: value}).curves == (PlotPath(0, "M1 50h0"),)


def test_numbers_at_the_ends_of_all_numbers() -> None:
    plot = line_plot("score", 3, 0, {1: -1.7e308, 2: 1.7e308})
    assert plot.curves == (PlotPath(0, "M1 100L2 0h0"),)


def test_bars_stand_on_zero() -> None:
    plot = bar_plot("time", 4, {0: {1: 50.0, 3: 0.0}, 1: {2: 200.0}}, "ms")
    assert plot.curves == (PlotPath(0, "M1 100V75M3 100V100"), PlotPath(1, "M2 100V0"))
    assert (plot.top, plot.bottom) == ("200 ms", "0 ms")


def test_no_time_at_all() -> None:
    assert bar_plot("time", 1, {0: {1: 0.0}}, "ms").curves == (PlotPath(0, "M1 100V100"),)
