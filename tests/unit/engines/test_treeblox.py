"""Treeblox does what docs/rules/treeblox.md says: examples, rulings, errors, setups, pictures."""

from __future__ import annotations

import random
import re

import pytest
from support.engine_play import play
from support.slowly import slowly

import engines
from engines.core.interface import State
from engines.treeblox import TreebloxState

GAME = engines.load_game("treeblox")

D = "1 main 1 idle - 1.1.0 1.2.0,1.2.1 2.2.0"

# section Worked examples: action, observation after it, legal actions, active leaves
EXAMPLES = """
L1.1.0  1 first 1 - - 1.1.0 - -                                                       15  1-0
L2.2.0  0 main 1 idle - 1.1.0 - 2.2.0                                                 29  1-1
B1.2.0  1 main 1 idle 1.2.0 1.1.0 - 2.2.0                                             27  1-1
B2.1.0  0 main 1 idle 1.2.0 1.1.0 2.1.0 2.2.0                                         27  1-1
L1.2.1  1 main 1 idle 1.2.0 1.1.0,1.2.1 2.1.0 2.2.0                                   27  2-1
L2.1.1  0 main 1 idle 1.2.0 1.1.0,1.2.1 2.1.0 2.2.0,2.1.1                             25  2-2
L0.2.0  1 main 1 idle 1.2.0 1.1.0,0.2.0,1.2.1 2.1.0 2.2.0,2.1.1                       23  3-2
L3.1.0  0 main 2 idle 1.2.0 1.1.0,0.2.0,1.2.1 2.1.0 3.1.0,2.2.0,2.1.1                 21  3-3
B0.0.0  0 main 1 stop 0.0.0,1.2.0 1.1.0,0.2.0,1.2.1 2.1.0 3.1.0,2.2.0,2.1.1           25  3-3
pass    1 main 2 idle 0.0.0,1.2.0 1.1.0,0.2.0,1.2.1 2.1.0 3.1.0,2.2.0,2.1.1           19  3-3
L1.3.0  1 main 1 stop 0.0.0,1.2.0 1.1.0,0.2.0,1.2.1 2.1.0 3.1.0,2.2.0,1.3.0,2.1.1     17  3-4
pass    0 main 2 idle 0.0.0,1.2.0 1.1.0,0.2.0,1.2.1 2.1.0 3.1.0,2.2.0,1.3.0,2.1.1     23  3-4
"""

BOARD = """
from above          z=0                 z=1
      0 1 2 3             0 1 2 3             0 1 2 3
   0  B + + +          0  B + + +          0  . . . .
   1  + L l l          1  + L b l          1  . . l .
   2  L L l +          2  L B l +          2  . L . .
   3  + l + +          3  + l + +          3  . . . .

Dark to act, main: at most 2 cubes; pass places nothing
Dark: active leaves 3; in stock: branches 14, leaves 13
Light: active leaves 4; in stock: branches 15, leaves 12
"""

# Light's four branches are shut in, the ground is full, and Dark has one cube left, a branch.
SHUT_IN = (
    "0 main 1 stop 0.-1.0,1.-1.0,1.0.0,-1.2.0,0.2.0,1.2.0,-1.3.0,1.3.0,2.3.0,2.4.0,1.0.1,2.0.1,"
    "-1.1.1,-1.2.1,-1.2.2 0.-2.0,1.-2.0,2.0.0,3.1.0,3.3.0,1.4.0,2.5.0,1.-1.1,-2.2.1,1.2.1,1.3.1,"
    "2.3.1,2.4.1,1.0.2,-1.1.2,-2.2.2 3.0.0,0.1.0,2.1.0,3.2.0 3.-1.0,0.0.0,4.0.0,-1.1.0,1.1.0,2.2.0,"
    "4.2.0,0.3.0,3.0.1,0.1.1,2.1.1,3.2.1"
)

# Dark's 32 cubes stand: a leaf below each branch of a long arm, and one leaf, 0.1.1, in the light.
ARM = ",".join(f"{x}.0.1" for x in range(-14, 1))
DARK_DONE = f"0.0.0,{ARM} {','.join(f'{x}.0.0' for x in range(-14, 0))},0.1.0,0.1.1"
FINAL = f"1 final 28 - {DARK_DONE} 1.1.0,1.1.1,1.1.2 2.2.0"


def state_of(setup: str | None = None) -> TreebloxState:
    state = GAME.new_initial_state(setup)
    assert isinstance(state, TreebloxState)
    return state


def test_worked_examples_come_out_as_on_the_page() -> None:
    """The page's example game has these observations, counts and active leaves, text for text."""
    state: State = state_of()
    assert state.observation(None) == "0 first 1 - - - - -"
    assert state.count_legal(0) == 16
    for line in EXAMPLES.strip().splitlines():
        action, observation, count, active = re.split(r"  +", re.sub(r"^pass ", "pass  ", line))
        state = play(state, action)
        assert [state.observation(viewer) for viewer in (None, 0, 1)] == [observation] * 3
        player = int(observation[0])
        assert state.players_to_act() == (player,)
        assert state.count_legal(player) == len(state.legal_actions(player)) == int(count)
        assert "{}-{}".format(*state.scores()) == active
    assert str(state) == BOARD.strip("\n")


def test_final_setup_needs_an_available_cell() -> None:
    """A final growth without a cell is none: that game would be over."""
    lists = play(state_of(SHUT_IN), "B2.-1.0").observation(None).removeprefix("- over 0 - ")
    with pytest.raises(engines.BadSetup, match="in the final phase a cell is available"):
        state_of(f"1 final 16 - {lists}")


def test_dropped_player_loses_whatever_the_score() -> None:
    """A drop ends the game; the other is first; scores stand; two drops share the best place."""
    state = play(state_of("0 main 2 idle - 0.0.0,1.0.0,3.3.0 - 2.2.0"), "B0.1.0")
    gone = state.drop_player(0)
    text = "- over 0 - 0.1.0 0.0.0,1.0.0,3.3.0 - 2.2.0 drop=0"
    assert gone.observation(1) == text
    assert gone == state_of(text) != state
    assert gone.players_to_act() == ()
    assert gone.scores() == (3, 1)
    assert gone.ranks() == (2, 1)
    assert gone.returns() == gone.random_playout(random.Random(0)) == (-1.0, 1.0)
    assert str(gone).splitlines()[-3] == "The game is over: Dark was dropped"
    both = gone.drop_player(1)
    assert both.observation(None) == text + ",1"
    assert both == state_of(text + ",1") == state.drop_player(1).drop_player(0)
    assert both.ranks() == (1, 1)
    for player in (-1, 0, 2):
        with pytest.raises(ValueError, match=str(player)):
            gone.drop_player(player)
    with pytest.raises(engines.IllegalAction, match="over"):
        gone.apply_action(1, "pass")


@pytest.mark.parametrize("setup", [*slowly(["0 first 1 - - - - -", D]), FINAL])
def test_fast_playouts_end_like_played_ones(setup: str) -> None:
    """Playouts have the same shares of wins and draws as random games action by action."""
    state, rng, games = state_of(setup), random.Random(2), 400
    slow = [State.random_playout(state, rng)[0] for _ in range(games)]
    fast = [engines.playout(state, rng)[0] for _ in range(10 * games)]
    for value in (1.0, 0.0, -1.0):
        share, other = slow.count(value) / games, fast.count(value) / (10 * games)
        # five standard deviations of the smaller sample
        assert abs(share - other) < 5 * 0.5 / games**0.5
