"""What is proven of two actions alone."""

from __future__ import annotations

import pytest
from support.script_games import Sums

from arena.review.decisions import Asked
from arena.review.proofs import Proofs


@pytest.mark.parametrize(
    ("players", "best", "how"),
    [(1, "add:5", "at least"), (2, "add:5", "exact"), (2, "add:4", "at least")],
)
def test_two_actions_prove_the_best_only_if_one_wins(players: int, best: str, how: str) -> None:
    """In a game for one, another action may always bring more points than these two."""
    game = Sums({"players": f"{players}"})
    seen = game.read("1 0" if players == 1 else "1 5,0").observation(0)
    found = Proofs(game, 0, 10_000).compare(Asked(0, 1, "add:0", seen), best, 1.0)
    assert found is not None
    assert (found.how, found.gain) == (how, found.low)
