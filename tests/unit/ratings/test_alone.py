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


def test_only_shared_deals_count() -> None:
    """On deals 0 and 1 oak has 4 and 6, elm 5 and 1; deal 2, which elm has not played, is not."""
    results = [played("oak", deal, score, "a") for deal, score in enumerate((4, 6, 90))]
    results += [played("elm", 0, 5), played("elm", 1, 1)]
    assert mean_scores(results) == ({"oak": 5.0, "elm": 3.0}, 2)


@pytest.mark.parametrize(("others", "mean"), [((7, 3), 1.0), ((-4, 3), -1.0)])
def test_a_match_without_a_score(others: tuple[float, float], mean: float) -> None:
    """It has the lowest score of all, and 0 if that is above: beside a 2, (0+2)/2 or (-4+2)/2."""
    results = [played("oak", 0, None), played("oak", 1, 2)]
    results += [played("elm", deal, score) for deal, score in enumerate(others)]
    found = mean_scores(results)
    assert found is not None
    assert found[0]["oak"] == mean


def test_a_deal_that_was_played_twice() -> None:
    """Within a deal the mean counts, so that no deal weighs more than another."""
    results = [played("oak", 0, 2), played("oak", 0, 4, "b"), played("oak", 1, 9)]
    assert mean_scores(results) == ({"oak": 6.0}, 2)


def test_nobody_or_opponents() -> None:
    """Without a deal that all have played there is no mean; with opponents this is not asked."""
    assert mean_scores([]) == ({}, 0)
    assert mean_scores([played("oak", 0, 1), played("elm", 1, 1)]) == ({}, 0)
    assert mean_scores([MatchRow((1, 0), ("oak", "elm"), (1, 2))]) is None
