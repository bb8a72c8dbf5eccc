"""Hints, and what is answered again after a decision is taken back."""

from __future__ import annotations

import pytest

import engines
from arena.play.hint import hint, hint_text

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
