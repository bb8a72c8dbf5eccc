"""Rulings of Arborius (docs/rules/arborius.md, sections 1, 2, 5 and 6) beside its examples."""

from __future__ import annotations

import time

import pytest
from support.arborius_setups import after, field, setup
from support.engine_play import legal, play, reason

import engines
from engines import State


def start(root: str, w: str = "a,a,a,a,a", b: str = "a,a,a,a,a", **tokens: str) -> State:
    return engines.load_game("arborius").new_initial_state(setup(root, w, b, **tokens))


def test_a_play_faces_an_enabled_ally_and_covers_no_enemy() -> None:
    """Around an ally all free cells and own tops will do, however those are frozen."""
    state = start("0,0:w0N|0,1:b0S|1,0:w1N*|2,0:w2W+b1N", w="a,a,a,a", b="a,a")
    assert legal(state, "play:w3") == [
        "play:w3:root:-1,0:E",
        "play:w3:root:0,-1:N",
        "play:w3:root:1,0:W",
    ]
    assert reason(state, "play:w3:root:0,1:S").endswith("a tile may not be played onto an enemy")
    for faces_frozen_covered_nobody in ("1,1:S", "2,1:S", "5,5:N"):
        action = f"play:w3:root:{faces_frozen_covered_nobody}"
        assert reason(state, action).endswith("faces an enabled tile of your own")
    assert reason(state, "play:w2:root:0,-1:N").endswith("w2 is not in your deck")


def test_gifts_keep_the_inside_contiguous() -> None:
    """Of three stacks in a row the middle one cannot be given first."""
    inside = "0,0:b1N|1,0:b2N|2,0:b3N"
    state = start("0,0:w1N+w0E|1,0:b0N", w0="0,0:w2N+w3N", b0=inside)
    state = after(state, "attack:w0:b0", can=["give:b0:0,0", "give:b0:2,0"], give="w0/b0/2")
    assert reason(state, "give:b0:1,0").endswith("a board would fall into two pieces")
    assert reason(state, "pass").endswith("2 more to give: expected give:b0:x,y")
    state = after(state, "give:b0:2,0", can=["give:b0:0,0", "give:b0:1,0"])
    after(state, "give:b0:0,0", root="0,0:b1N+b3N+w1N+w0E|1,0:b0N", turn="1")


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


# the end


@pytest.mark.parametrize(
    ("cap", "root", "dead", "result"),
    [
        ("draw", "0,0:w0N|1,0:b0S", "b4", "draw"),
        ("tiles", "0,0:w0N|1,0:b0S", "b4", "w"),
        ("tiles", "0,0:w0N|1,0:b0S", "w4", "b"),
        ("tiles", "0,0:w0N|1,0:b0S", "-", "draw"),
        ("tiles", "0,0:w0N|1,0:b0S|1,1:b1S", "w4,b4", "b"),  # one enabled tile against two
        ("tiles", "0,0:w0N|1,0:b0S|1,1:b1S", "b4", "w"),  # tiles come first
        ("tiles", "0,0:w0N|1,0:b0S|1,1:b1S*", "-", "draw"),  # frozen is not enabled
    ],
)
def test_the_turn_cap(cap: str, root: str, dead: str, result: str) -> None:
    """At the cap: a draw, or more living tiles win, then more enabled ones."""
    game = engines.load_game(f"arborius(max_turns=7,cap={cap})")
    line = setup(root, "a,a,a,a,a", "a,a,a,a,a", turn="6", dead=dead)
    state = game.new_initial_state(line).apply_action(0, "move:w0:1")
    assert state.events()[-1].text == f"over {result}"
    assert state.observation(None).startswith("turn=7 phase=turn actor=1 ")
    assert state.observation(None).endswith(f" result={result}")
    assert state.is_terminal()


def test_a_player_who_cannot_act_loses_even_at_the_cap() -> None:
    """The published end comes before the cap."""
    game = engines.load_game("arborius(max_turns=1)")
    state = game.new_initial_state(setup("0,0:w0E|1,0:b0W")).apply_action(0, "move:w0:1")
    assert state.ranks() == (1, 2)


# the limits of section 6.4


def twirls(count: int, ability: str) -> State:
    """Return a position in which w0 holds alike tiles beside one another, w1 and so on."""
    tiles = ",".join(["oak", *[f"twirl[{ability}]"] * count, "oak"])
    inside = "|".join(f"0,{n}:w{1 + n}N" for n in range(count))
    return start("0,0:w0N|1,1:b0S", tiles, w0=inside)


def test_six_abilities_are_used_in_one_turn() -> None:
    """Each rotation lets the next one chain, until six are used; then nothing is offered."""
    state = play(twirls(9, "rotate;rotate"), "use:w0:w1")
    for printed in range(2, 7):
        state = play(state, "rotate:w0:L", f"chain:w0:w{printed}")
    assert field(state, "used") == "w1,w2,w3,w4,w5,w6"
    state = after(state, "rotate:w0:L", offer="-")
    assert legal(state, "chain") == []
    for _ in range(20):
        if field(state, "turn") == "1":
            break
        state = play(state, "rotate:w0:L")
    assert field(state, "used") == "-"  # the next turn has six of its own


@pytest.mark.parametrize("ending", ["ascend", "descend", "exit", "enter", "attack", "rotate.adj2"])
@pytest.mark.parametrize("count", [9, 16, 40])
def test_alike_tiles_are_listed_in_time(ending: str, count: int) -> None:
    """Two seconds of CPU are enough for any number, also where nothing can be completed."""
    begun = time.process_time()
    state = twirls(count, f"rotate;rotate;{ending}")
    assert state.count_legal(0) == len(state.legal_actions(0)) > 0
    assert time.process_time() - begun < 2


def test_abilities_that_all_differ_are_listed_in_time() -> None:
    """Forty abilities of four icons, of which none can be completed, and each may chain others."""
    verbs = ["rotate", "rotate.stack", "freeze.front", "reorder", "rotate.front"]
    kinds = [f"rotate;{a};{b};ascend" for a in verbs for b in verbs]
    tiles = ",".join(["oak", *[f"t{n}[{kind}]" for n, kind in enumerate(kinds)], "oak"])
    inside = "|".join(f"0,{n}:w{1 + n}N" for n in range(len(kinds)))
    begun = time.process_time()
    state = start("0,0:w0N|0,1:b1S+b2S|1,1:b0S", tiles, "a,a,a", w0=inside)
    assert state.count_legal(0) > 0
    assert time.process_time() - begun < 2


def test_chains_in_chains_are_no_recursion() -> None:
    """As many abilities in one tile as a setup can hold: an action is judged all the same."""
    state = twirls(120, "rotate;rotate;rotate;rotate;rotate")
    for _ in range(40):
        chained = legal(state, "chain")
        state = play(state, chained[0] if chained else state.legal_actions(0)[-1])
        if field(state, "turn") == "1":
            break
    assert field(state, "turn") == "1"
