"""What a search found, on the page of a match: a plot, marks, and what would have been better."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from support.explained import explanation
from support.hostile_names import HOSTILE
from support.recorded import recorded

from arena.record.replay import replay_states
from arena.report import replay_page as module
from arena.report.replay_page import replay_page
from arena.values.explained import Explained, Explanation


def page(found: Explanation | None = None) -> str:
    record = recorded("leaves", most=5)
    return replay_page(record, replay_states(record), (), explanation=found)


def rows(text: str) -> list[Any]:
    """Return the rows of details that say what would have been better, by positions."""
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', text)
    assert found is not None
    steps = json.loads(found[1])["steps"]
    return [[value for name, value in step["rows"] if name == "better"] for step in steps]


def test_a_decision_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A costly decision is marked at its own position; a page that ends before it marks nothing."""
    assert [len(row) for row in rows(page(explanation()))] == [0, 0, 0, 1, 0, 0]
    monkeypatch.setattr(module, "LONG", 2)
    assert rows(page(explanation())) == [[], [], []]


@pytest.mark.slow
def test_actions_are_text_in_the_page() -> None:
    """The name of an action is up to its game; it never becomes HTML."""
    costly = explanation().decisions[1]
    for name in (*HOSTILE, '"><script>x</script>'):
        decision: Explained = replace(costly, best=name)
        found = replace(explanation(), decisions=(decision,))
        text = page(found)
        assert text.count("<script") == page().count("<script")
        assert "<script>x" not in text
