"""Build Your Arboretum agrees with a second reading of its page, node by node of random games."""

from __future__ import annotations

import random

import pytest
from oracles.arboretum_naive import Table
from support.slowly import slowly

import engines

MOST_LISTED = 7  # parrots whose bids are all listed: 647; of more the list takes long


def choose(rng: random.Random, legal: list[str], taste: int) -> str:
    """Return an action: in a third of the games many are planted, in another many are hired."""
    if legal[-1] == "skip" and len(legal) > 1 and rng.random() < 0.9:
        legal = legal[:-1]
    wanted = [
        a for a in legal if a.startswith((("plant",), ("hire", "take"), ("dig", "start"))[taste])
    ]
    return rng.choice(wanted if wanted and rng.random() < 0.7 else legal)


@pytest.mark.parametrize("seed", [*range(8), *slowly(range(8, 40))])
def test_random_game_agrees_with_the_rules_written_again(seed: int) -> None:
    """What is seen, said, legal and scored of a random game is what the page says."""
    rng = random.Random(seed)
    game = engines.load_game(f"build_your_arboretum(advantage={seed % 2})")
    deck = game.setup(seed)
    state, table = game.new_initial_state(deck), Table(deck, seed % 2)
    while True:
        for viewer in (None, 0, 1):
            assert state.observation(viewer) == table.text(viewer)
        assert tuple(state.scores()) == table.totals()
        assert list(state.players_to_act()) == table.to_act()
        if not table.to_act():
            break
        player = rng.choice(table.to_act())
        if table.phase == "bid" and table.usable(player) > MOST_LISTED:
            action = state.sample_action(player, rng)
        else:
            legal = table.legal(player)
            assert list(state.legal_actions(player)) == legal
            action = choose(rng, legal, seed % 3)
        state = state.apply_action(player, action)
        assert [event.text for event in state.events()] == table.play(player, action)
    assert tuple(state.ranks()) == table.ranks()
