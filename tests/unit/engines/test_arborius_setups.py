"""Setups of Arborius: any position is one, and every error of section 4 is found and named."""

from __future__ import annotations

import random
import re

import pytest
from support.arborius_setups import EXAMPLES, setup
from support.engine_play import at_random, play

import engines
from engines import BadSetup

GAME = engines.load_game("arborius")

# gifts owed in the middle of an ability, two abilities under way, an open offer, a defence
MIDDLE = [
    (EXAMPLES["C"], ["use:w2:w2", "reorder:w2:1:1", "freeze:w2", "attack:w2:b0"]),
    (EXAMPLES["B"], ["use:w0:w0", "unplay:w0", "descend:w1:1", "chain:w1:w1"]),
    (EXAMPLES["K"], ["play:w2:root:-1,0:E"]),
    (EXAMPLES["C"], ["attack:w0:b0", "give:b0:0,0"]),
    (EXAMPLES["H"], ["use:w0:w0", "attack:w0:w6"]),
]


@pytest.mark.parametrize(("line", "actions"), MIDDLE)
def test_positions_in_the_middle_of_a_turn_are_setups(line: str, actions: list[str]) -> None:
    """Read back from its observation, a position goes on exactly as it would have."""
    state = play(GAME.new_initial_state(line), *actions)
    again = GAME.new_initial_state(state.observation(None))
    assert again == state
    assert hash(again) == hash(state)
    (player,) = state.players_to_act()
    assert again.players_to_act() == (player,)
    assert again.legal_actions(player) == state.legal_actions(player)
    for action in state.legal_actions(player):
        assert again.apply_action(player, action) == state.apply_action(player, action)


def test_tiles_are_inside_each_other_to_a_limit() -> None:
    """250 boards deep everything works; deeper is refused rather than run out of stack."""
    for containers in (250, 251):
        inside = {f"w{i}": f"0,0:w{i + 1}N" for i in range(containers)}
        line = setup("0,0:w0N|1,1:b0S", ",".join(["a"] * (containers + 1)), "a", **inside)
        if containers == 251:
            with pytest.raises(BadSetup, match="w251 stands inside more than 250 tiles"):
                GAME.new_initial_state(line)
            continue
        state = GAME.new_initial_state(line)
        assert "[w249 a]" in str(state)
        assert "exit:w250:1" in state.legal_actions(0)
        assert " root=1,1:b0S dead=- " in state.apply_action(0, "unplay:w0").observation(None)


# players who leave


def test_a_drop_that_contradicts_the_result_is_refused() -> None:
    """A result that a drop does not bring about is no setup; an open one is completed."""
    line = GAME.setup(0)
    assert GAME.new_initial_state(line + " drop=1").observation(None).endswith("result=w drop=1")
    with pytest.raises(BadSetup, match='expected "result=w" before drop='):
        GAME.new_initial_state(line.replace("result=-", "result=b") + " drop=1")
    with pytest.raises(BadSetup):
        GAME.new_initial_state(line + " drop=2")


def moved_east(setup: str, by: int) -> str:
    """Return a setup whose outermost board lies so many cells further east."""
    root = re.search(r"(?<= root=)\S+", setup)
    assert root is not None
    stacks = [stack.partition(",") for stack in root[0].split("|")]
    shifted = "|".join(f"{int(x) + by},{rest}" for x, _, rest in stacks)
    return setup[: root.start()] + shifted + setup[root.end() :]


def test_what_is_played_at_the_edge_can_be_read_again() -> None:
    """A coordinate may be 100,000,000 in size and 800 more for each turn begun (section 4)."""
    game = engines.load_game("arborius(deck=tiny)")
    start = game.setup(0)
    turn = int(re.search(r"turn=(\d+)", start)[1])  # type: ignore[index]
    east = max(int(x) for x in re.findall(r"(-?\d+),-?\d+:", start))
    edge = 100_000_000 + 800 * turn - east
    state = game.new_initial_state(moved_east(start, edge))
    for position in at_random(state, random.Random(1), 60):
        for player in position.players_to_act():
            for action in position.legal_actions(player):
                after = position.apply_action(player, action)
                assert game.new_initial_state(after.observation(None)) == after
    with pytest.raises(engines.BadSetup, match="a coordinate is at most"):
        game.new_initial_state(moved_east(start, edge + 1))
