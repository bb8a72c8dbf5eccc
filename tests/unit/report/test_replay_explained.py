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
    """Only the one that is better in any case, at the position that it led to."""
    text = replay_page(explained_replay(plain(), explanation()))
    better = "E5-1, +0.31 by search (0.00 to 0.50)"
    assert rows(text) == [[], [], [], [better], [], []]
    marks = re.findall(r'<li><a href="#(\d+)">(.*?)</a></li>', text)
    marked = {at: link for at, link in marks if "costly" in link}
    assert [*marked] == ["3"]
    assert f'aria-label="costly, better: {better}"' in unescape(marked["3"])


def test_actions_are_text_in_the_page() -> None:
    """The name of an action is up to its game; it never becomes HTML."""
    costly = explanation().decisions[1]
    for name in (*HOSTILE, '"><script>x</script>'):
        decision: Explained = replace(costly, best=name)
        found = replace(explanation(), decisions=(decision,))
        text = replay_page(explained_replay(plain(), found))
        assert text.count("<script") == replay_page(plain()).count("<script")
        assert "<script>x" not in text
