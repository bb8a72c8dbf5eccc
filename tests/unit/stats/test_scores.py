"""Scores of blocks: Elo, its interval, and the likelihood of superiority."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import inf

import pytest
from scipy import stats

from arena.stats.scores import Scores, elo_of_score, match_score, possible_scores, score_of_elo


@pytest.mark.parametrize(
    ("ranks", "seat", "score"),
    [
        ((1, 2), 0, 1),
        ((1, 2), 1, 0),
        ((1, 1), 0, Fraction(1, 2)),
        ((2, 1, 3), 0, Fraction(1, 2)),
        ((1, 1, 3), 0, Fraction(3, 4)),
        ((1, 2, 2, 4), 1, Fraction(1, 2)),
        ((1, 1, 1, 1), 3, Fraction(1, 2)),
    ],
)
def test_a_match_scores_the_share_of_others_below(
    ranks: tuple[int, ...], seat: int, score: Fraction
) -> None:
    """Who shares a rank counts half."""
    assert match_score(ranks, seat) == score


def test_blocks_of_two_have_five_scores() -> None:
    """The pentanomial model."""
    assert possible_scores(2) == tuple(Fraction(step, 4) for step in range(5))
    assert len(possible_scores(3)) == 13


def test_elo_is_as_in_tables() -> None:
    """200 points are an expected score of 0.76, 400 of 10 to 1 (A. Elo, 1978)."""
    assert score_of_elo(200) == pytest.approx(0.7597, abs=1e-4)
    assert score_of_elo(400) == pytest.approx(10 / 11)
    assert elo_of_score(0.75) == pytest.approx(190.85, abs=0.01)
    assert (elo_of_score(0.0), elo_of_score(1.0)) == (-inf, inf)


def test_an_interval_is_that_of_plus_four() -> None:
    """Mean and error are those of the blocks and two more won whole and two lost whole."""
    scores = [0.25] * 30 + [0.5] * 80 + [0.75] * 45 + [1.0] * 5
    all_scores = [*scores, 0.0, 0.0, 1.0, 1.0]
    mean, error = sum(all_scores) / len(all_scores), stats.sem(all_scores)
    low, elo, high = Scores.of(Counter(map(Fraction, scores))).elo()
    assert elo == pytest.approx(elo_of_score(sum(scores) / len(scores)))
    width = stats.norm.ppf(0.975) * error
    assert low == pytest.approx(elo_of_score(mean - width))
    assert high == pytest.approx(elo_of_score(mean + width))
    los = Scores.of(Counter(map(Fraction, scores))).superiority()
    assert los == pytest.approx(stats.norm.cdf((mean - 0.5) / error))


def test_with_many_blocks_it_is_the_plain_normal_law() -> None:
    """What is added for caution fades."""
    scores = [0.0] * 900 + [0.5] * 1700 + [0.75] * 60 + [1.0] * 970
    plain = stats.norm.cdf((sum(scores) / len(scores) - 0.5) / stats.sem(scores))
    found = Scores.of(Counter(map(Fraction, scores))).superiority()
    assert 0.9 < plain < 0.999
    assert found == pytest.approx(plain, abs=2e-3)


def test_few_blocks_are_no_certainty() -> None:
    """Blocks that are all alike have an error: one won whole says little, five say enough."""
    los = [Scores.of({Fraction(1): blocks}).superiority() for blocks in range(1, 7)]
    assert los == sorted(los)
    assert los[0] < 0.75
    # whole blocks won by chance: 1 in 16 for four, 1 in 32 for five
    assert los[3] < 0.95 < los[4]
    assert los[5] < 1.0
    low, elo, high = Scores.of({Fraction(1): 6}).elo()
    assert 0.0 < low < elo == high == inf


def test_who_is_level_is_level() -> None:
    """No block, or only drawn ones: an even chance, and an interval around 0."""
    for counts in ({}, {Fraction(1, 2): 40}):
        scores = Scores.of(counts)
        low, elo, high = scores.elo()
        assert scores.superiority() == 0.5
        assert elo == 0.0
        assert low == pytest.approx(-high)


def test_swapping_sides_swaps_signs() -> None:
    """The loser's numbers are the winner's, mirrored."""
    counts = {Fraction(0): 3, Fraction(1, 4): 10, Fraction(3, 4): 21, Fraction(1): 2}
    ours = Scores.of(counts)
    theirs = Scores.of({1 - score: count for score, count in counts.items()})
    assert ours.superiority() == pytest.approx(1 - theirs.superiority())
    assert ours.elo() == pytest.approx([-elo for elo in reversed(theirs.elo())])
