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


def test_an_ability_that_begins_with_play_or_defend_cannot_be_used() -> None:
    """Those wait for a play or an attack."""
    state = start("0,0:w0N|0,1:b0S|1,0:w1N", "t[play;rotate],t[defend;rotate]")
    assert legal(state, "use") == []
    assert "does not begin in a way that can be used" in reason(state, "use:w0:w0")


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


def test_an_enemy_moves_by_its_own_facing() -> None:
    """Whoever makes a tile descend, it goes where it looks."""
    state = start("0,0:w0N|0,1:b1N+b0W|0,2:b2N", "t[descend.front]")
    state = play(state, "use:w0:w0")
    assert legal(state) == ["descend:b0:1"]
    state = play(state, "descend:b0:1")
    assert field(state, "root") == "-1,1:b0W|0,0:w0N|0,1:b1N|0,2:b2N"


def test_a_user_that_left_play_acts_from_its_last_place() -> None:
    """Unplayed, it still rotates what was in front of it, but can be no subject itself."""
    state = start("0,0:w0N|0,1:b0S|1,0:w1W", "t[unplay;rotate.front],a")
    state = play(state, "use:w0:w0", "unplay:w0")
    assert field(state, "run") == "w0/w0/1/root/0,0/N/-"
    assert legal(state) == ["rotate:b0:L", "rotate:b0:R"]
    assert legal(start("0,0:w0N|0,1:b0S|1,0:w1W", "t[unplay;rotate],a"), "use") == []


def test_a_covered_user_turns_and_freezes_but_does_not_move() -> None:
    """Reordered below, it can still be rotated, not descend."""
    root = "0,0:w1N+w0N|0,1:b0S"
    state = play(start(root, "t[reorder;rotate],a"), "use:w0:w0", "reorder:w0:1:0")
    assert legal(state) == ["rotate:w0:L", "rotate:w0:R"]
    for verb in ("descend", "ascend", "unplay", "exit", "enter", "reorder"):
        assert legal(start(root, f"t[reorder;{verb}],a"), "use") == []


def test_a_frozen_user_goes_on() -> None:
    """Freezing itself is a cost; but it is frozen already for a second freeze."""
    state = play(start("0,0:w0N|0,1:b0S", "t[freeze;rotate]"), "use:w0:w0", "freeze:w0")
    assert legal(state) == ["rotate:w0:L", "rotate:w0:R"]
    assert legal(start("0,0:w0N|0,1:b0S", "t[freeze;freeze]"), "use") == []


def test_a_user_on_a_board_that_is_not_active_is_stuck() -> None:
    """It goes on inside an enabled tile that it entered, but not inside a frozen one."""
    assert legal(start("0,0:w0N|0,1:b0S", "t[enter;rotate]"), "use") == ["use:w0:w0"]
    assert legal(start("0,0:w0N|0,1:b0S*", "t[enter;rotate]"), "use") == []


# steps


def test_stack_means_all_of_it_for_rotate_freeze_and_unplay() -> None:
    """The tiles below turn, freeze and leave too, whoever owns them."""
    root = "0,0:w0N|0,1:b1S*+w1E|1,0:b0N"
    turned = play(start(root, "t[rotate.stack.front],a"), "use:w0:w0", "rotate:w1:L")
    assert field(turned, "root") == "0,0:w0N|0,1:b1E*+w1N|1,0:b0N"
    frozen = play(start(root, "t[freeze.stack.front],a"), "use:w0:w0", "freeze:w1")
    assert field(frozen, "root") == "0,0:w0N|0,1:b1S*+w1E*|1,0:b0N"
    empty = play(start(root, "t[unplay.stack.front],a"), "use:w0:w0", "unplay:w1")
    assert field(empty, "root") == "0,0:w0N|1,0:b0N"
    single = play(start(root, "t[unplay.front],a"), "use:w0:w0", "unplay:w1")
    assert field(single, "root") == "0,0:w0N|0,1:b1S*|1,0:b0N"


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


def test_a_reordered_block_keeps_its_order() -> None:
    """Two of three tiles go below the third as they lay."""
    state = start("0,0:w1N+b1N+w0N|0,1:b0S", "t[reorder.stack],a")
    state = play(state, "use:w0:w0", "reorder:w0:2:0")
    assert field(state, "root") == "0,0:b1N+w0N+w1N|0,1:b0S"


def test_a_stack_exits_together() -> None:
    """With .stack any number from the top leaves, in its order, by the facing of the top."""
    state = start("0,0:b0N|0,1:b1S", "t[exit.stack],a,a", b0="5,5:w2N+w1N+w0E")
    state = play(state, "use:w0:w0")
    assert legal(state) == ["exit:w0:1", "exit:w0:2", "exit:w0:3"]
    state = play(state, "exit:w0:2")
    assert field(state, "root") == "0,0:b0N|0,1:b1S|1,0:w1N+w0E"
    assert field(state, "b0") == "5,5:w2N"


def test_the_icon_play_faces_the_user_on_its_board() -> None:
    """From all four sides, also onto own tiles; the tiles come from the actor's deck."""
    state = start("0,0:w0N|0,1:b0S|1,0:w1N", "t[rotate;play],a,a")
    state = play(state, "use:w0:w0", "rotate:w0:L")
    assert legal(state) == ["play:w2:root:-1,0:E", "play:w2:root:0,-1:N", "play:w2:root:1,0:W"]
    assert "faces w0" in reason(state, "play:w2:root:0,1:S")
    assert "not in your deck" in reason(state, "play:b1:root:0,-1:N")


# chaining


def test_an_offer_needs_the_same_verb_and_more_to_do() -> None:
    """Not those with .front or .adj first, nor of one icon; .stack does not matter."""
    inside = "0,0:w2N|0,1:w3N|0,2:w4N|0,3:w5N"
    tiles = (
        "t[rotate.adj1],a,t[rotate.stack;freeze],t[rotate.front;freeze],t[rotate],t[freeze;rotate]"
    )
    state = start("0,0:w0N|0,1:w1N|1,0:b0N", tiles, w1=inside)
    state = play(state, "use:w0:w0", "rotate:w1:L")
    assert field(state, "offer") == "w1/root/0,1/W/w2"


def test_an_offer_is_of_what_the_subject_could_do_just_before() -> None:
    """Unplayed with all its inside, it may still chain from there, and act from its place."""
    tiles = "t[unplay.front;rotate.adj1],a,t[unplay;freeze.adj1],a"
    state = start("0,0:w0N|0,1:w1E|1,0:b0N|1,1:w3N", tiles, w1="0,0:w2N")
    state = play(state, "use:w0:w0", "unplay:w1")
    assert field(state, "offer") == "w1/root/0,1/E/w2"
    state = play(state, "chain:w1:w2")
    assert field(state, "run") == "w0/w0/1/root/0,0/N/-|w1/w2/1/root/0,1/E/-"
    assert legal(state) == ["freeze:b0", "freeze:w0", "freeze:w3"]


def test_enemies_and_disabled_tiles_are_offered_nothing() -> None:
    """An enemy's subject does not chain; neither does one that was frozen before the step."""
    ability = "t[rotate;freeze]"
    state = start("0,0:w0N|0,1:b0S|1,0:w1N*", "t[rotate.adj1],a", f"{ability},a")
    state = play(state, "use:w0:w0", "rotate:b0:L")
    assert field(state, "turn") == "1"
    # the user has frozen itself, so its rotation sets nothing off
    tiles = f"t[freeze;rotate],{ability}"
    state = start("0,0:w0N|0,1:b0S", tiles, w0="0,0:w1N")
    state = play(state, "use:w0:w0", "freeze:w0", "rotate:w0:L")
    assert field(state, "turn") == "1"


def test_a_step_declines_the_chain() -> None:
    """Going on with the ability under way lets the offer lapse."""
    tiles = "t[rotate.adj1;freeze],t[rotate;freeze.adj1]"
    state = start("0,0:w0N|0,1:w1N|1,0:b0N", tiles)
    state = play(state, "use:w0:w0", "rotate:w1:L")
    assert legal(state) == ["chain:w1:w1", "freeze:w0"]
    assert field(play(state, "freeze:w0"), "turn") == "1"


def test_an_attack_keeps_its_offer_while_gifts_are_owed() -> None:
    """The attacker may chain once the gifts are given."""
    tiles = "t[rotate;attack],a,t[attack;rotate.adj1],a"
    inside = {"w0": "0,0:w2N|1,0:w3N", "b0": "0,0:b1N|0,1:b2N"}
    state = start("0,0:w1N+w0N|1,0:b0N", tiles, **inside)
    state = play(state, "use:w0:w0", "rotate:w0:R", "attack:w0:b0")
    assert field(state, "run") == "-"
    assert field(state, "offer") == "w0/root/0,0/E/w2"
    assert field(state, "give") == "w0/b0/1"
    assert state.players_to_act() == (1,)
    state = play(state, "give:b0:0,1")
    assert legal(state) == ["chain:w0:w2", "end"]


def test_an_offer_that_cannot_be_completed_is_shown_but_not_legal() -> None:
    """The offer is not filtered by completion, the list of actions is."""
    tiles = "t[rotate.adj1;freeze],t[rotate;exit]"
    state = play(start("0,0:w0N|0,1:w1N|1,0:b0N", tiles), "use:w0:w0", "rotate:w1:L")
    assert field(state, "offer") == "w1/root/0,1/W/w1"
    assert legal(state) == ["freeze:w0"]
    assert reason(state, "chain:w1:w1").endswith("could not be completed after it")


# completion


def test_a_step_that_spoils_the_rest_is_illegal() -> None:
    """Of two ways to rotate only the one that leaves a target is allowed."""
    state = start("0,0:w1N+w0N|1,0:b0N", "t[rotate;attack],a,a", w0="0,0:w2N")
    state = play(state, "use:w0:w0")
    assert legal(state) == ["rotate:w0:R"]
    assert reason(state, "rotate:w0:L").endswith("could not be completed after it")
    assert reason(state, "attack:w0:b0").endswith('goes on with "rotate"')


def test_steps_keep_every_board_contiguous() -> None:
    """Unplaying the middle of three is no step."""
    state = start("-1,0:w1N|0,0:w0N|1,0:b0N", "t[unplay],t[unplay.adj1]")
    assert legal(state, "use") == []


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


def test_a_given_away_defence_is_lost() -> None:
    """What left the attacked tile as a gift is no ability of it any more."""
    arms = {"w0": "0,0:w2N", "b0": "0,0:b1N|0,1:b2N"}
    state = start("0,0:w1N+w0N|0,1:b0S", "a,a,a", "a,t[defend;rotate],a", **arms)
    kept = play(state, "attack:w0:b0", "give:b0:0,1")
    assert legal(kept) == ["pass", "use:b0:b1"]
    assert field(play(state, "attack:w0:b0", "give:b0:0,0"), "turn") == "1"


def test_attacks_in_defence_are_answered_by_nobody() -> None:
    """The defender strikes back; what survives that gives its stack, but may not defend."""
    white = "a,a,a,a,a,t[defend;rotate],a"
    arms = {"w0": "0,0:w2N", "w5": "0,0:w4N|0,1:w6N", "b0": "0,0:b1N|0,1:b2N"}
    root = "0,0:w3N+w1N+w0N|0,1:b3N+b0E|1,1:w5N"
    state = start(root, white, "a,t[defend;attack],a,a", **arms)
    state = play(state, "attack:w0:b0", "give:b0:0,1", "use:b0:b1")
    assert legal(state) == ["attack:b0:w5"]
    state = play(state, "attack:b0:w5")
    assert state.players_to_act() == (0,)
    assert (field(state, "actor"), field(state, "phase")) == ("1", "defend")
    assert (field(state, "hit"), field(state, "give")) == ("b0", "b0/w5/1")
    state = play(state, "give:w5:0,0")
    assert field(state, "root") == "0,0:b2N+w3N+w1N+w0N|0,1:w4N+b3N+b0E|1,1:w5N"
    assert state.observation(None).startswith("turn=1 phase=turn actor=1 ")


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


def test_gifts_may_lift_the_user_above_its_next_target() -> None:
    """The front tile stands as high as the user, until the first attack has brought its loot."""
    inside = {"w0": "0,0:w2N", "b0": "0,0:b1N|0,1:b2N"}
    state = start("0,0:w1N+w0N|0,1:b4N+b3N|1,0:b0N", "t[attack.adj1;attack],a,a", **inside)
    assert "use:w0:w0" in legal(state)
    state = play(state, "use:w0:w0", "attack:w0:b0", "give:b0:0,0")
    assert legal(state) == ["attack:w0:b3"]
