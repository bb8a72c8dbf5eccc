"""Openings of random actions: each match has one, or the tournament is refused."""

from __future__ import annotations

import pytest

from arena.match.opening import deal_from
from arena.run.runnable import check_run
from arena.schedule.seeds import deal_seed
from arena.values.errors import UsageError
from arena.values.model import Opening, Tournament
from engines import load_game


def of_plies(plies: int) -> Tournament:
    """Return a tournament of Connect Four that begins with so many random actions."""
    return Tournament("t", ("connect_four",), ("greedy", "random"), seed=1, opening=Opening(plies))  # type: ignore[arg-type]  # texts are taken, too


@pytest.mark.slow
def test_opening_without_game_left_moves_to_next_deal() -> None:
    """A deal of which no opening leaves a game is replaced by the next deal of its seed."""
    game = load_game("connect_four")
    for k in range(12):
        found = deal_from(game, deal_seed(1, "connect_four", k), plies=40)
        assert len(found.opening) == 40
        assert not found.states[-1].is_terminal()
        assert found == deal_from(game, deal_seed(1, "connect_four", k), plies=40)


def test_tournament_with_too_many_plies_is_refused() -> None:
    """A tournament is refused before it starts if one of its first deals has no opening."""
    check_run(of_plies(30))
    with pytest.raises(UsageError, match=r"plies: 41: connect_four: .*fewer"):
        check_run(of_plies(41))
