"""The sentence in which a comparison ends, and how long it still takes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.report.comparison_text import comparison_sentence, comparison_state, time_left
from arena.stats.comparison import Answer, BlockMatch, Comparison
from arena.stats.sprt import Sprt


def answer(blocks: list[tuple[int, int]], sprt: Sprt | None = None) -> Answer:
    comparison = Comparison(2, sprt)
    for number, block in enumerate(blocks):
        comparison.add([BlockMatch(Fraction(s), 2 * number + n) for n, s in enumerate(block)])
    return comparison.answer()


def test_who_is_stronger() -> None:
    """Elo with its error, the likelihood, and the matches stand in it; 300 Elo are 0.849."""
    text = comparison_sentence("mine@2", "mine@1", answer([(1, 1)] * 70 + [(1, 0)] * 30))
    assert text.startswith("mine@2 is stronger than mine@1: +301 ± ")
    assert text.endswith(" Elo, > 99.9 %, 200 matches")


def test_who_is_not() -> None:
    """Weaker is said only of who is."""
    assert "not shown to be stronger than b: +0 ± " in comparison_sentence(
        "a", "b", answer([(1, 0)] * 9)
    )
    weaker = comparison_sentence("a", "b", answer([(0, 0)] * 70 + [(1, 0)] * 30))
    assert "not shown to be stronger than b, but weaker: -301 ± " in weaker
    assert "< 0.1 %" in weaker


def test_no_infinite_number_is_shown() -> None:
    """Where all was won, or nothing is known, a bound is named, or none."""
    for blocks in ([], [(1, 1)], [(1, 1)] * 9, [(0, 0)] * 9):
        text = comparison_sentence("a", "b", answer(blocks))
        assert "inf" not in text
        assert "nan" not in text
    assert "Elo or more" in comparison_sentence("a", "b", answer([(1, 1)] * 9))
    assert "Elo or less" in comparison_sentence("a", "b", answer([(0, 0)] * 9))
    assert comparison_sentence("a", "b", answer([])).endswith("50.0 %, 0 matches")


def test_the_live_line_has_the_test() -> None:
    """Score, Elo, likelihood, and the ratio with its bounds."""
    text = comparison_state(answer([(1, 0)] * 9, Sprt()))
    assert text.startswith("50.0% · +0 ± ")
    assert "LOS 50.0 %" in text
    assert text.endswith("[-2.94, 2.94]")
    assert "LLR -0." in text


def test_time_left() -> None:
    """By the schedule, or by how fast the ratio has come towards its bound."""
    fixed = answer([(1, 1)] * 5)
    assert time_left(fixed, 10, 40, 20.0, 10) == pytest.approx(60.0)
    assert time_left(fixed, 10, 40, 20.0, 0) is None
    tested = answer([(1, 1)] * 9, Sprt(0, 100))
    assert tested.llr is not None
    assert tested.llr_high is not None
    expected = 18 * (tested.llr_high / tested.llr - 1)
    assert time_left(tested, 18, 200_000, 18.0, 18) == pytest.approx(expected)
    assert time_left(tested, 18, 18, 18.0, 18) == 0.0
