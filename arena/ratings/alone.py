"""Games for one player: the mean scores of those who played the same deals."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean

from arena.stats.weights import deal_of
from arena.values.tables import MatchRow

DIGITS = 6  # mean scores that agree to so many decimals are equal


def mean_scores(results: Iterable[MatchRow]) -> tuple[dict[str, float], int] | None:
    """Return each bot's mean score over the deals that all have played, and how many these are.

    A match that the rules did not end has no score. It counts as the lowest one of all, and as 0 if
    that is above 0.

    Args:
        results: with their records; ``None`` is returned if somebody has an opponent in the first.
    """
    scores: dict[str, dict[tuple[str, int], list[float | None]]]
    scores = defaultdict(lambda: defaultdict(list))
    for result in results:
        if len(result.entrants) > 1:
            return None
        found = json.loads(result.text)["scores"]
        deal = result.game, deal_of(result.moves_hash)
        scores[result.entrants[0]][deal].append(None if found is None else found[0])
    every = [score for deals in scores.values() for some in deals.values() for score in some]
    least = min([0.0, *(score for score in every if score is not None)])
    shared = set.intersection(*map(set, scores.values())) if scores else set()

    def mean(of: dict[tuple[str, int], list[float | None]]) -> float:
        found = [[least if score is None else score for score in of[deal]] for deal in shared]
        return round(fmean(map(fmean, found)), DIGITS) + 0.0

    return {name: mean(deals) for name, deals in scores.items() if shared}, len(shared)
