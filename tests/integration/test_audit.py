"""The leak audit: silent on games that keep their secrets, loud on one that does not."""

from __future__ import annotations

import pytest
from support import small_games as games
from support.match_jobs import job, seat

from arena.match.leaks import leaks
from arena.session.match_session import play_match

pytestmark = pytest.mark.usefixtures("small_games")


@pytest.mark.parametrize("game", ["draws", "auction", "pebbles(players=2)"])
def test_honest_games_pass(game: str) -> None:
    """What a player is sent in an honest game does not depend on what is hidden from it."""
    record = play_match(job(game, seat("good"), seat("good", name="other"))).record
    assert leaks(record, draws=10) == []


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A legal list that depends on the opponent's hidden card is found."""
    record = play_match(job("draws", seat("good"), seat("good", name="other"))).record
    from engines import load_game

    state_class = type(load_game("draws").new_initial_state())
    honest = state_class.legal_actions

    def telling(self: games.DrawsState, player: int) -> tuple[str, ...]:
        actions = honest(self, player)
        return actions[::-1] if self.position.hands[1 - player] > 2 else actions

    monkeypatch.setattr(state_class, "legal_actions", telling)
    found = leaks(record, draws=20)
    assert found
    assert "depends on hidden things" in found[0]
