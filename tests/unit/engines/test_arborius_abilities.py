"""Abilities of Arborius and their rulings (docs/rules/arborius.md, sections 6 and 7)."""

from __future__ import annotations

import pytest
from support.arborius_setups import field, setup
from support.engine_play import legal, play, reason

import engines
from engines import State


def start(root: str, w: str, b: str = "a,a,a,a,a", **tokens: str) -> State:
    return engines.load_game("arborius").new_initial_state(setup(root, w, b, **tokens))


# whose abilities, and how often


def test_a_tile_uses_what_is_open_inside_it_whoever_owns_it() -> None:
    """Abilities of uncovered, unfrozen tiles inside count, at any depth, the enemy's too."""
    state = start(
        "0,0:w0N|0,1:b0S",
        "a,t[rotate],t[rotate],t[rotate],t[rotate]",
        "a,t[rotate],a",
        w0="0,0:b1N|0,1:w1N+b2N|1,0:w2N*|1,1:w3N",
        w2="0,0:w4N",
    )
    uses = [action for action in legal(state, "use") if action.startswith("use:w0")]
    assert uses == ["use:w0:b1", "use:w0:w3"]


def test_an_ability_is_used_once_a_turn_whoever_uses_it() -> None:
    """Rotated tiles that share one ability cannot chain it twice; the turn ends with the second."""
    tiles = "spin[rotate;rotate.adj1],spin[rotate;rotate.adj1],a"
    state = start("0,0:w0N|0,1:b0S|1,0:w1N", tiles)
    state = play(state, "use:w0:w0", "rotate:w0:L")
    # w0's own ability is under way, so it is not offered to the subject
    assert field(state, "offer") == "-"
    assert field(state, "used") == "w0"
    state = play(state, "rotate:w1:R")
    assert field(state, "offer") == "w1/root/1,0/E/w1"
    assert legal(state) == ["chain:w1:w1", "end"]
    state = play(state, "chain:w1:w1")
    assert field(state, "used") == "w0,w1"
    state = play(state, "rotate:w0:R")
    assert field(state, "turn") == "1"
    assert field(state, "root") == "0,0:w0N|0,1:b0S|1,0:w1E"


# subjects


def test_neighbours_are_chosen_once_each_and_may_be_enemies() -> None:
    """Two neighbours are two different ones; diagonals are neighbours, frozen tiles no subjects."""
    state = start("-1,0:w2S|0,0:w0N|1,0:w1N*|1,1:b0S|2,0:b1N", "t[rotate.adj2],a,a")
    state = play(state, "use:w0:w0")
    assert legal(state) == ["rotate:b0:L", "rotate:b0:R", "rotate:w2:L", "rotate:w2:R"]
    state = play(state, "rotate:b0:L")
    assert field(state, "run") == "w0/w0/0/root/0,0/N/b0"
    assert legal(state) == ["rotate:w2:L", "rotate:w2:R"]
    state = play(state, "rotate:w2:R")
    assert field(state, "root") == "-1,0:w2W|0,0:w0N|1,0:w1N*|1,1:b0E|2,0:b1N"


# steps


@pytest.mark.parametrize(
    ("ability", "actions"),
    [
        ("reorder", ["reorder:w0:1:0", "reorder:w0:1:1"]),
        ("reorder.stack", ["reorder:w0:1:0", "reorder:w0:1:1", "reorder:w0:2:0"]),
        ("descend", ["descend:w0:1"]),
        ("descend.stack", ["descend:w0:1"]),
        ("ascend", []),
        ("ascend.stack", ["ascend:w0:3"]),
        ("enter", ["enter:w0:1:0,0"]),
        ("enter.stack", ["enter:w0:1:0,0", "enter:w0:2:0,0", "enter:w0:3:0,0"]),
        ("exit.stack", []),
        ("rotate", ["rotate:w0:L", "rotate:w0:R"]),
        ("freeze.stack", ["freeze:w0"]),
    ],
)
def test_what_the_top_of_three_can_do_before_a_single_tile(
    ability: str, actions: list[str]
) -> None:
    """The table of section 6.2 for H = 3 and a front cell of height 1."""
    state = start("0,0:w1N+b1N+w0N|0,1:b0S", f"t[{ability}],a")
    assert legal(state, "use") == (["use:w0:w0"] if actions else [])
    if actions:
        assert legal(play(state, "use:w0:w0")) == actions


def test_the_icon_play_faces_the_user_on_its_board() -> None:
    """From all four sides, also onto own tiles; the tiles come from the actor's deck."""
    state = start("0,0:w0N|0,1:b0S|1,0:w1N", "t[rotate;play],a,a")
    state = play(state, "use:w0:w0", "rotate:w0:L")
    assert legal(state) == ["play:w2:root:-1,0:E", "play:w2:root:0,-1:N", "play:w2:root:1,0:W"]
    assert "faces w0" in reason(state, "play:w2:root:0,1:S")
    assert "not in your deck" in reason(state, "play:b1:root:0,-1:N")


# chaining


# completion


def test_a_step_that_spoils_the_rest_is_illegal() -> None:
    """Of two ways to rotate only the one that leaves a target is allowed."""
    state = start("0,0:w1N+w0N|1,0:b0N", "t[rotate;attack],a,a", w0="0,0:w2N")
    state = play(state, "use:w0:w0")
    assert legal(state) == ["rotate:w0:R"]
    assert reason(state, "rotate:w0:L").endswith("could not be completed after it")
    assert reason(state, "attack:w0:b0").endswith('goes on with "rotate"')


# defence


def test_several_defences_one_after_the_other() -> None:
    """Each ability once, as long as there is one; then the turn ends by itself."""
    black = "t[defend;rotate],t[defend;rotate],a"
    arms = {"w0": "0,0:w2N", "b0": "0,0:b1N|0,1:b2N"}
    state = start("0,0:w1N+w0N|0,1:b0S", "a,a,a", black, **arms)
    state = play(state, "attack:w0:b0", "give:b0:0,1")
    assert field(state, "root") == "0,0:b2N+w1N+w0N|0,1:b0S"
    assert legal(state) == ["pass", "use:b0:b0", "use:b0:b1"]
    state = play(state, "use:b0:b1", "rotate:b0:L")
    assert field(state, "phase") == "defend"
    assert legal(state) == ["pass", "use:b0:b0"]
    assert field(state, "used") == "b1"
    state = play(state, "use:b0:b0", "rotate:b0:R")
    assert state.observation(None).startswith("turn=1 phase=turn actor=1 ")
    assert [event.text for event in state.events()] == ["turn 1 1"]


# completion, where it takes more than a look at what is under way


def test_a_chain_on_offer_may_be_what_completes_the_rest() -> None:
    """Turned away from its target, the user turns back by chaining a second ability."""
    tiles = "t[rotate;rotate],t[rotate;attack],a,a"
    inside = {"w0": "0,0:w1N", "b0": "0,0:b1N|0,1:b2N"}
    state = start("0,0:w2N+w0N|0,1:b0S", tiles, **inside)
    assert "use:w0:w1" in legal(state)
    state = play(state, "use:w0:w1", "rotate:w0:L")
    assert legal(state) == ["chain:w0:w0"]
    state = play(state, "chain:w0:w0")
    assert legal(state) == ["rotate:w0:R"]
    assert legal(play(state, "rotate:w0:R")) == ["attack:w0:b0"]
