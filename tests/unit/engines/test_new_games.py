"""The games that ``arena init --game`` copies, installed and played to the end."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from support.engine_play import at_random

import engines
from arena.bots import new_game
from engines.core.conformance import check_game

TEMPLATES = Path(new_game.__file__).parent / "game_template"
GAMES = {title.lower(): like for like, title in new_game.LIKE.items()}


@pytest.fixture(autouse=True)
def installed(install: Callable[..., None]) -> None:
    """Install the engine of each game as a package with entry points brings it."""
    points = [f"{name} = new_{name}:{name.title()}" for name in GAMES]
    texts = {f"new_{name}": (TEMPLATES / f"{like}.txt").read_text() for name, like in GAMES.items()}
    install("new-games", *points, **texts)


@pytest.mark.parametrize("name", GAMES)
def test_it_keeps_its_promises(name: str) -> None:
    """What a reader types keeps every promise that conformance knows of."""
    check_game(name, seeds=range(3), plies=60)


def test_dice_are_rolled_while_pig_is_played() -> None:
    """Three players roll in turn until one has 20 points; from the seed the rolls come again."""
    pig = engines.load_game("pig")
    assert pig.num_players == 3
    for seed in range(5):
        rolls: list[list[str]] = []
        for _ in range(2):
            rolls.append([])
            for state in at_random(pig.new_initial_state(pig.setup(seed)), random.Random(seed)):
                assert "?:" in state.observation(0)
                rolls[-1] += [event.text for event in state.events()]
        assert rolls[0] == rolls[1]
        assert {"rolled 1", "rolled 6"} <= {*rolls[0]}
        assert max(state.scores()) >= 20


def test_who_left_pig_is_passed_over() -> None:
    """After a drop the next in order acts, also in the turn of the dropped."""
    pig = engines.load_game("pig")
    state = pig.new_initial_state("0,0,0 0 1 7:0").drop_player(1)
    assert state.players_to_act() == (2,)
    assert state.apply_action(2, "hold").players_to_act() == (0,)
    assert state.apply_action(2, "hold").apply_action(0, "hold").players_to_act() == (2,)
    assert state.drop_player(0).is_terminal()
    assert state.drop_player(0).ranks() == (2, 3, 1)
