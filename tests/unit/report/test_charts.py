"""Charts: points where they belong, words of bots as text, and nothing that is no number."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from support.hostile_names import HOSTILE

from arena.report.charts import ChartLine, bar, interval, line_chart
from arena.stats.by_decision import LARGEST


def paths(svg: str, kind: str) -> list[list[tuple[float, float]]]:
    """Return the points of the paths of a class."""
    found = []
    for element in ET.fromstring(svg).iter("path"):
        if kind in element.get("class", "").split():
            way = re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d", ""))
            found.append([(float(x), float(y)) for x, y in way])
    return found


def test_points_stand_on_straight_lines() -> None:
    """Equal steps are equal lengths; higher numbers are higher up; the middle is in the middle."""
    svg = line_chart("t", "d", "x", [ChartLine("a", ((0, 0), (5, 50), (10, 100)), 0)])
    [(left, middle, right)] = paths(svg, "line")
    assert middle[0] == pytest.approx((left[0] + right[0]) / 2)
    assert middle[1] == pytest.approx((left[1] + right[1]) / 2)
    assert left[0] < right[0]
    assert left[1] > right[1]


def test_a_band_reaches_as_far_as_the_spread() -> None:
    """With spread 10 at 50, its corners stand where the line does at 40 and at 60."""
    lines = [
        ChartLine("a", ((0, 50), (1, 50)), 0, (10, 10)),
        ChartLine("b", ((0, 40), (1, 60)), 1),
    ]
    svg = line_chart("t", "d", "x", lines)
    [band] = paths(svg, "band")
    [low, high] = next(way for way in paths(svg, "line") if way[0][1] != way[1][1])
    assert {y for _, y in band} == {low[1], high[1]}


def test_it_says_what_it_shows() -> None:
    """Title and description are the image's own, and each line is named."""
    svg = ET.fromstring(
        line_chart("Ratings", "They rise.", "matches", [ChartLine("oak", ((1, 2),), 0)])
    )
    assert svg.get("role") == "img"
    assert [svg.findtext("title"), svg.findtext("desc")] == ["Ratings", "They rise."]
    assert [path.findtext("title") for path in svg.iter("path") if path.get("data-line")] == ["oak"]
    assert "matches" in [text.text for text in svg.iter("text")]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_names_are_text(name: str) -> None:
    """Whatever a name is, the chart has the same elements."""
    svg = line_chart(name, name, name, [ChartLine(name, ((1, 2),), 0)])
    plain = line_chart("a", "a", "a", [ChartLine("a", ((1, 2),), 0)])
    assert [e.tag for e in ET.fromstring(svg).iter()] == [
        e.tag for e in ET.fromstring(plain).iter()
    ]
    assert all(c.isprintable() for c in svg)


@pytest.mark.parametrize(
    "values",
    [(5, 5), (0, 0), (-LARGEST, LARGEST), (1e-300, 2e-300), (1e15, 1e15 + 1), (0.1, 0.1000001)],
)
def test_any_numbers_can_be_drawn(values: tuple[float, float]) -> None:
    spread = (abs(values[0]), abs(values[1]))
    svg = line_chart("t", "d", "x", [ChartLine("a", tuple(enumerate(values)), 0, spread)])
    assert not re.search(r"nan|inf", svg)
    assert all(
        -1 <= number <= 401 for way in paths(svg, "line") for x, y in way for number in (x, y)
    )


def test_marks_of_a_row() -> None:
    """A dot in the middle of its interval; a bar half as long as the longest."""
    dot = ET.fromstring(interval(1500, 1400, 1600, 1000, 2000)).find("circle")
    assert dot is not None
    assert dot.get("cx") == "70"
    assert 'H140"' in interval(1500, 1400, None, 1000, 2000)  # to the end of the picture
    assert "M0 10H" in interval(1500, None, 1600, 1000, 2000)
    assert "h70v" in bar(1, 2)
    assert "h140v" in bar(2, 2)
    assert "h0v" in bar(0, 0)
