"""What a search found, on the page of a match: a plot, marks, and what would have been better."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import Any

from support.explained import explanation
from support.hostile_names import HOSTILE
from support.recorded import recorded

from arena.match.replay import replay_states
from arena.report.charts import PlotPath
from arena.report.replay_data import ReplayPage, replay_of
from arena.report.replay_explained import explained_replay
from arena.report.replay_page import replay_page
from arena.values.explained import Explained


def plain() -> ReplayPage:
    record = recorded("leaves", most=5)
    return replay_of(record, replay_states(record), ())


def rows(text: str) -> list[Any]:
    """Return the rows of details that say what would have been better, by positions."""
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', text)
    assert found is not None
    steps = json.loads(found[1])["steps"]
    return [[value for name, value in step["rows"] if name == "better"] for step in steps]


def test_a_costly_decision_is_marked() -> None:
    """Only the one whose gain is above its error, at the position that it led to."""
    text = replay_page(explained_replay(plain(), explanation()))
    better = "E5-1, +0.31 ± 0.06"
    assert rows(text) == [[], [], [], [better], [], []]
    marks = re.findall(r'<li><a href="#(\d+)">(.*?)</a></li>', text)
    marked = {at: link for at, link in marks if "costly" in link}
    assert [*marked] == ["3"]
    assert f'aria-label="costly, better: {better}"' in unescape(marked["3"])


def test_values_are_plotted_with_errors() -> None:
    """Worked out by hand: 0.625, 0.25 and 0.5 between 0.25 and 0.75, where the highest bar ends.

    The bars: 0.25 + 0.3125 ± 0.0625 is 0.5 to 0.625, and 0.5 + 0.125 ± 0.125 is 0.5 to 0.75.
    """
    first, second, third = explanation().decisions
    decisions = (
        replace(first, action_value=0.625),
        replace(second, action_value=0.25, gain=0.3125, error=0.0625),
        replace(third, action_value=0.5, gain=0.125, error=0.125),
    )
    plot = explained_replay(plain(), replace(explanation(), decisions=decisions)).values
    assert plot is not None
    assert plot.curves == (PlotPath(0, "M1 25L3 100L5 50h0"),)
    assert plot.errors == (PlotPath(0, "M3 50V25M5 50V0"),)
    assert (plot.top, plot.bottom, plot.last) == ("0.75", "0.25", 5)
    assert "oak" in plot.title
    assert "error" in plot.title


def test_the_plot_is_on_the_page() -> None:
    text = replay_page(explained_replay(plain(), explanation()))
    assert text.count('<svg class="plot"') == replay_page(plain()).count('<svg class="plot"') + 1
    assert '<path class="bar p0-line"' in text


def test_no_bars_where_nothing_was_measured() -> None:
    found = replace(explanation(), decisions=explanation().decisions[:1])
    plot = explained_replay(plain(), found).values
    assert plot is not None
    assert plot.errors == ()
    assert "error" not in plot.title


def test_nothing_is_added_where_nothing_was_found() -> None:
    """A player who never had a choice has the page that the match has without explanation."""
    found = replace(explanation(), decisions=())
    assert replay_page(explained_replay(plain(), found)) == replay_page(plain())
    assert "costly" not in replay_page(plain())
    assert "Value of" not in replay_page(plain())


def test_actions_are_text_in_the_page() -> None:
    """The name of an action is up to its game; it never becomes HTML."""
    costly = explanation().decisions[1]
    for name in (*HOSTILE, '"><script>x</script>'):
        decision: Explained = replace(costly, best=name)
        found = replace(explanation(), decisions=(decision,))
        text = replay_page(explained_replay(plain(), found))
        assert text.count("<script") == replay_page(plain()).count("<script")
        assert "<script>x" not in text
