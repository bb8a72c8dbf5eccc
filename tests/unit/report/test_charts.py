"""Charts: points where they belong, words of bots as text, and nothing that is no number."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from support.hostile_names import HOSTILE

from arena.report.charts import ChartLine, line_chart, time_plot


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_names_change_no_element_of_chart(name: str) -> None:
    """Whatever a name is, a chart has the same elements."""
    svg = line_chart(name, name, name, [ChartLine(name, ((1, 2),), 0)])
    plain = line_chart("a", "a", "a", [ChartLine("a", ((1, 2),), 0)])
    assert [e.tag for e in ET.fromstring(svg).iter()] == [
        e.tag for e in ET.fromstring(plain).iter()
    ]
    assert all(c.isprintable() for c in svg)


def test_longest_time_is_the_highest_bar() -> None:
    """The plot is as high as the longest time, which is written with its unit."""
    plot = time_plot("Time", 1, {0: {0: 68_000.0}, 1: {1: 34_000.0}})
    assert (plot.top, plot.bottom) == ("1 min 8 s", "0")
    assert plot.curves == {0: "M0 100V0", 1: "M1 100V50"}


def test_time_below_zero_has_no_bar() -> None:
    """A negative time, which a record of somebody else may have, is drawn as zero."""
    assert time_plot("Time", 1, {0: {0: -5.0, 1: 3.0}}).curves[0] == "M0 100V100M1 100V0"
