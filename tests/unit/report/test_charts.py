"""Charts: points where they belong, words of bots as text, and nothing that is no number."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from support.hostile_names import HOSTILE

from arena.report.charts import ChartLine, line_chart


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
