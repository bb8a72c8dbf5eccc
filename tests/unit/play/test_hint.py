"""Hints, and what is answered again after a decision is taken back."""

from __future__ import annotations

import pytest

import engines
from arena.play.hint import hint, hint_text
from arena.play.take_back import Answers

FOUR = engines.load_game("connect_four")
WINNING = "xxx/ooo/-/-/-/-/- 0"  # a fourth in column a wins


@pytest.mark.slow
def test_hint_for_immediate_win_is_exact() -> None:
    """A hint is exact for a win at once, whatever the seed; at the start it is not."""
    found = [hint(FOUR, WINNING, 0, simulations=50, seed=seed) for seed in range(3)]
    assert {(h.action, h.value, h.margin, h.exact) for h in found} == {("a", 1.0, 0.0, True)}
    assert hint_text(found[0]) == "a wins, whatever the others play."
    first = hint(FOUR, "-/-/-/-/-/-/- 0", 0, simulations=60, seed=1)
    assert first == hint(FOUR, "-/-/-/-/-/-/- 0", 0, simulations=60, seed=1)
    assert not first.exact
    assert 0 < first.margin < 0.5


def test_hint_without_time_or_choice_is_given() -> None:
    """With no seconds to search, or one legal action, there is a hint all the same."""
    assert hint(FOUR, "-/-/-/-/-/-/- 0", 0, seconds=0).simulations == 1
    full = "/".join([*["xxooxx", "ooxxoo"] * 3, "-"]) + " 0"
    assert hint_text(hint(FOUR, full, 0)) == "g is the only legal action."


def test_answers_after_take_back_are_not_repeated() -> None:
    """After a take-back, answers given before it are repeated for the same observation only."""
    answers = Answers()
    for decision in (1, 2):
        for player in (0, 1):
            answers = answers.add(player, decision, f"seen {decision}", f"E{decision}")
    back = answers.take_back(0, 3)
    assert back is not None
    assert [(a.player, a.decision) for a in back.given] == [(0, 1), (1, 1)]
    assert back.again(1, 1, "seen 1") == answers.given[1]
    assert back.again(1, 1, "seen otherwise") is None
    marked = back.add(0, 2, "seen 2", "N1").add(1, 2, "seen 2", "N2").given
    assert [answer.taken_back for answer in marked] == [0, 0, 1, 0]
    assert answers.take_back(0, 1) is None
