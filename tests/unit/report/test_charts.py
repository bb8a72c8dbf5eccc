"""Charts: points where they belong, words of bots as text, and nothing that is no number."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from support.hostile_names import HOSTILE

from arena.report.charts import ChartLine, Histogram, histograms, line_chart, time_plot


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_names_change_no_element_of_chart(name: str) -> None:
    """Whatever a name is, a chart has the same elements."""
    svg = line_chart(name, name, name, [ChartLine(name, ((1, 2),), 0)])
    plain = line_chart("a", "a", "a", [ChartLine("a", ((1, 2),), 0)])
    assert [e.tag for e in ET.fromstring(svg).iter()] == [
        e.tag for e in ET.fromstring(plain).iter()
    ]
    assert all(c.isprintable() for c in svg)


def test_histograms_share_their_axes() -> None:
    """Two bots with other lengths: the same ticks, columns as wide, and as high a game."""
    one, two = (
        ET.fromstring(svg)
        for svg in histograms(
            "actions",
            [Histogram("a", "a", ((7, 4), (25, 2))), Histogram("b", "b", ((9, 1), (33, 8)))],
        )
    )
    ticks = [[each.text for each in svg.iter("text")] for svg in (one, two)]
    assert ticks[0] == ticks[1]
    columns = [
        [each.findtext("title") for each in svg.iter() if each.get("class") == "column"]
        for svg in (one, two)
    ]
    # from 7 to 33, of which 6 games in one of them are five columns
    assert columns == [["7 to 12: 4", "25 to 30: 2"], ["7 to 12: 1", "31 to 36: 8"]]


def test_longest_time_is_the_highest_bar() -> None:
    """The plot is as high as the longest time, which is written with its unit."""
    plot = time_plot("Time", 1, {0: {0: 68_000.0}, 1: {1: 34_000.0}})
    assert (plot.top, plot.bottom) == ("1 min 8 s", "0")
    assert plot.curves == {0: "M0 100V0", 1: "M1 100V50"}


def test_time_below_zero_has_no_bar() -> None:
    """A negative time, which a record of somebody else may have, is drawn as zero."""
    assert time_plot("Time", 1, {0: {0: -5.0, 1: 3.0}}).curves[0] == "M0 100V100M1 100V0"
