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
from arena.report import replay_data
from arena.report.replay_data import ReplayPage, replay_of
from arena.report.replay_page import replay_page
from arena.values.explained import Explained, Explanation


def replay(found: Explanation | None = None) -> ReplayPage:
    record = recorded("leaves", most=5)
    return replay_of(record, replay_states(record), (), explanation=found)


def explained(found: Explanation) -> str:
    return replay_page(replay(found))


def rows(text: str) -> list[Any]:
    """Return the rows of details that say what would have been better, by positions."""
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', text)
    assert found is not None
    steps = json.loads(found[1])["steps"]
    return [[value for name, value in step["rows"] if name == "better"] for step in steps]


def test_a_decision_that_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long match it is left out; marks stand at the positions that they are of."""
    for name, number in (("LONG", 4), ("MOST_PICTURES", 2), ("MOST_ROWS", 3)):
        monkeypatch.setattr(replay_data, name, number)
    assert [step.number for step in replay().steps] == [0, 5]
    assert rows(explained(explanation())) == [[], []]
    monkeypatch.setattr(replay_data, "MOST_ROWS", 10)
    assert [len(row) for row in rows(explained(explanation()))] == [0, 0, 0, 1, 0, 0]


@pytest.mark.slow
def test_actions_are_text_in_the_page() -> None:
    """The name of an action is up to its game; it never becomes HTML."""
    costly = explanation().decisions[1]
    for name in (*HOSTILE, '"><script>x</script>'):
        decision: Explained = replace(costly, best=name)
        found = replace(explanation(), decisions=(decision,))
        text = explained(found)
        assert text.count("<script") == replay_page(replay()).count("<script")
        assert "<script>x" not in text
