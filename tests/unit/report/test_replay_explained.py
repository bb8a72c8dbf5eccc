"""What a search found, on the page of a match: a plot, marks, and what would have been better."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from support.explained import explanation
from support.hostile_names import HOSTILE
from support.recorded import recorded

from arena.record.replay import replay_states
from arena.report import replay_data
from arena.report.replay_data import ReplayPage, replay_of
from arena.report.replay_explained import explained_replay
from arena.report.replay_page import replay_page
from arena.values.explained import Explained, Explanation


def plain() -> ReplayPage:
    record = recorded("leaves", most=5)
    return replay_of(record, replay_states(record), ())


def explained(found: Explanation) -> str:
    states = replay_states(recorded("leaves", most=5))
    return replay_page(explained_replay(plain(), found, states))


def rows(text: str) -> list[Any]:
    """Return the rows of details that say what would have been better, by positions."""
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', text)
    assert found is not None
    steps = json.loads(found[1])["steps"]
    return [[value for name, value in step["rows"] if name == "better"] for step in steps]


def test_a_costly_decision_is_marked() -> None:
    """Only the one that is better in any case, at the position that it led to."""
    text = explained(explanation())
    better = "E5-1, 51 % to win instead of 20 % (by search; 0 to 50 % more in perfect play)"
    assert rows(text) == [[], [], [], [better], [], []]
    marks = re.findall(r'<li><a href="#(\d+)">(.*?)</a></li>', text)
    marked = {at: link for at, link in marks if "note fault" in link}
    assert [*marked] == ["3"]
    assert f'aria-label="maybe better: {better}"' in unescape(marked["3"])  # perhaps by nothing
    sure = replace(explanation().decisions[1], low=0.5)
    text = explained(replace(explanation(), decisions=(sure,)))
    assert text.count('aria-label="costly: E5-1') == 1
    assert '"opens":3,"costs":[3]' in text


def test_the_better_move_is_a_board_of_its_own() -> None:
    """Behind those that were played; what the rules refuse there is drawn nowhere."""
    record = recorded("leaves", most=5)
    states = replay_states(record)
    best = next(one for one in states[2].legal_actions(0) if one != record.actions[2][1])
    costly = replace(explanation().decisions[1], best=best)
    found = replace(explanation(), decisions=(costly,))
    replay = explained_replay(plain(), found, states)
    assert [step.ghost for step in replay.steps] == [None, None, None, 6, None, None]
    lines = [replay.pictures.lines[number] for number in replay.pictures.frames[6]]
    lines.insert(1, f"<style>{replay.pictures.style}</style>")
    after = states[2].apply_action(0, best)
    assert "\n".join(lines) == after.draw(names=("oak", "elm"), last=(0, best))
    impossible = replace(found, decisions=(replace(costly, best="Z9"),))
    assert len(explained_replay(plain(), impossible, states).pictures.frames) == len(states)


def test_a_decision_that_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long match it is left out; marks stand at the positions that they are of."""
    for name, number in (("LONG", 4), ("MOST_PICTURES", 2), ("MOST_ROWS", 3)):
        monkeypatch.setattr(replay_data, name, number)
    assert [step.number for step in plain().steps] == [0, 5]
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
        assert text.count("<script") == replay_page(plain()).count("<script")
        assert "<script>x" not in text
