"""The sentence in which a comparison ends, and how long it still takes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.report.comparison_text import comparison_sentence, comparison_state, time_left
from arena.report.watch_text import watch_text
from arena.stats.sprt import Sprt
from arena.stats.strength import Answer, BlockMatch, SequentialTest
from engines import State, load_game


def answer(blocks: list[tuple[int, int]], sprt: Sprt | None = None) -> Answer:
    comparison = SequentialTest(2, sprt)
    for number, block in enumerate(blocks):
        comparison.add([BlockMatch(Fraction(s), 2 * number + n) for n, s in enumerate(block)])
    return comparison.answer()


def test_sentence_says_what_decided() -> None:
    """If the interval holds 0, the sentence names the likelihood or the test that decided."""
    won, lost = [(1, 1)], [(0, 0)]
    found = answer(won * 8 + lost * 2)
    assert found.verdict == "stronger"
    assert found.elo_low is not None
    assert found.elo_low < 0
    assert "the likelihood decides" in comparison_sentence("a", "b", found)
    tested = answer(won * 10 + lost * 3, Sprt(elo0=0, elo1=50, alpha=0.3, beta=0.3))
    assert tested.verdict == "stronger"
    assert "the test decides, as 50 Elo fits" in comparison_sentence("a", "b", tested)
    for others in (won * 70 + lost * 3, won * 2 + lost * 2):
        assert "decides" not in comparison_sentence("a", "b", answer(others))


def test_live_line_has_ratio_and_bounds() -> None:
    """The line of a running comparison has score, Elo, likelihood and ratio with bounds."""
    text = comparison_state(answer([(1, 0)] * 9, Sprt()))
    assert text.startswith("50.0% · +0 ± ")
    assert "LOS 50.0 %" in text
    assert text.endswith("[-2.94, 2.94]")
    assert "LLR -0." in text


def test_time_left_follows_schedule_or_ratio() -> None:
    """The time left follows from the schedule, or from how fast the ratio moved."""
    fixed = answer([(1, 1)] * 5)
    assert time_left(fixed, 10, 40, 20.0, 10) == pytest.approx(60.0)
    assert time_left(fixed, 10, 40, 20.0, 0) is None
    tested = answer([(1, 1)] * 9, Sprt(0, 100))
    assert tested.llr is not None
    assert tested.llr_high is not None
    expected = 18 * (tested.llr_high / tested.llr - 1)
    assert time_left(tested, 18, 200_000, 18.0, 18) == pytest.approx(expected)
    assert time_left(tested, 18, 18, 18.0, 18) == 0.0


# a watched match: everything to those who only watch, to people who play what they may know

pytestmark = pytest.mark.usefixtures("small_games")


@pytest.fixture
def swapped() -> State:
    """Return a position of hidden hands in which player 0 has just swapped a 2 for a 1."""
    return load_game("draws").new_initial_state("2,4,1,5,3").apply_action(0, "swap")


def test_watcher_of_several_persons_sees_common_knowledge(swapped: State) -> None:
    """With several persons, an action or board that one may not know is hidden."""
    action, board = watch_text(swapped, [(0, "swap")], 1, (0, 1)).split("\n\n")
    assert action == "\n1. player 0: ?"
    assert "different boards" in board
    assert not set(board) & set("12345")
    heap = load_game("pebbles").new_initial_state("9 0,0,0 0").apply_action(0, "take:2")
    assert watch_text(heap, [(0, "take:2")], 1, (0, 2)) == "\n1. player 0: take:2\n\n7\n2,0,0\n1"
