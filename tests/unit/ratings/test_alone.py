"""Mean scores of bots that play alone, over the deals that all have played."""

from __future__ import annotations

import json

import pytest

from arena.ratings.alone import mean_scores
from arena.stats.weights import moves_hash
from arena.values.tables import MatchRow


def played(bot: str, deal: int, score: float | None, way: str = "") -> MatchRow:
    text = json.dumps({"scores": None if score is None else [score]})
    return MatchRow(
        (1, 0), (bot,), (1,), game="g", moves_hash=moves_hash(f"{deal}", way), text=text
    )


def test_only_deals_played_by_all_count() -> None:
    """Oak with 4 and 6, elm with 5 and 1 on the shared deals; oak's third deal is left out."""
    results = [played("oak", deal, score, "a") for deal, score in enumerate((4, 6, 90))]
    results += [played("elm", 0, 5), played("elm", 1, 1)]
    assert mean_scores(results) == ({"oak": 5.0, "elm": 3.0}, 2)


@pytest.mark.parametrize(("others", "mean"), [((7, 3), 1.0), ((-4, 3), -1.0)])
def test_match_without_score_counts_lowest(others: tuple[float, float], mean: float) -> None:
    """A match without a score has the lowest of all scores, or 0 if that is less."""
    results = [played("oak", 0, None), played("oak", 1, 2)]
    results += [played("elm", deal, score) for deal, score in enumerate(others)]
    found = mean_scores(results)
    assert found is not None
    assert found[0]["oak"] == mean


def test_repeated_deal_counts_once() -> None:
    """A deal that was played twice counts with its mean."""
    results = [played("oak", 0, 2), played("oak", 0, 4, "b"), played("oak", 1, 9)]
    assert mean_scores(results) == ({"oak": 6.0}, 2)
    assert str(mean_scores([played("oak", 0, -1e-9)])) == "({'oak': 0.0}, 1)"  # and not -0.0


def test_without_shared_deal_there_is_no_mean() -> None:
    """Without a deal that all played there is no mean, nor with opponents."""
    assert mean_scores([]) == ({}, 0)
    assert mean_scores([played("oak", 0, 1), played("elm", 1, 1)]) == ({}, 0)
    assert mean_scores([MatchRow((1, 0), ("oak", "elm"), (1, 2))]) is None
