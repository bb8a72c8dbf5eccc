"""Hints, and what is answered again after a decision is taken back."""

from __future__ import annotations

import re
import sys

import pytest

import engines
from arena.play.hint import hint

FOUR = engines.load_game("connect_four")
WINNING = "xxx/ooo/-/-/-/-/- 0"  # a fourth in column a wins


def said(position: str, **most: float) -> str:
    """Return what is said of a position of Connect Four to the player whose turn it is."""
    found = hint(FOUR, position, 0, **most)
    return found.said.format(found.action)


@pytest.mark.slow
def test_hint_for_immediate_win_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint is exact for a win at once; at the start it is not, and is the same again."""
    monkeypatch.setattr(sys.modules["arena.play.hint"], "SIMULATIONS", 60)
    assert said(WINNING) == "a wins, whatever the others play."
    first = said("-/-/-/-/-/-/- 0", seconds=60)
    assert first == said("-/-/-/-/-/-/- 0", seconds=60)
    found = re.search(r"about (\d+) % to win \((\d+) to (\d+) %, from 60 games tried\)", first)
    assert found
    assert int(found[2]) < int(found[1]) < int(found[3])


def test_hint_without_time_or_choice_is_given() -> None:
    """With no seconds to search, or one legal action, there is a hint all the same."""
    assert "from 1 game tried" in said("-/-/-/-/-/-/- 0", seconds=0)
    full = "/".join([*["xxooxx", "ooxxoo"] * 3, "-"]) + " 0"
    assert said(full) == "g is the only legal action."
