"""Setups of Arborius: any position is one, and every error of section 4 is found and named."""

from __future__ import annotations

import pytest
from support.arborius_setups import EXAMPLES, setup
from support.engine_play import play

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


BASE = EXAMPLES["C"]
RUN = setup(
    "0,0:w0N|0,1:b0S|1,0:w1N",
    "t[rotate;freeze.adj2],t[rotate;freeze]",
    used="w0",
    run="w0/w0/1/R/-",
).replace("/R/", "/root/0,0/N/")


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        # tokens
        (BASE, "turn=0 ", "", 'expected "turn=" as token 1, found "phase=turn"'),
        (BASE, "phase=turn actor=0", "actor=0 phase=turn", 'expected "phase=" as token 2'),
        (BASE, " give=- result=-", "", 'expected "give=" as token .*, found "the end"'),
        (BASE, "result=-", "result=- more=1", 'nothing follows result=, found "more=1"'),
        (BASE, " dead=- ", "  dead=- ", 'expected "dead=" as token 10, found ""'),
        (BASE, "turn=0", "turn=00", 'turn= is a number without leading zeros, found "00"'),
        (BASE, "phase=turn", "phase=play", 'phase= is one of turn, defend, found "play"'),
        (BASE, "actor=0", "actor=2", 'actor= is one of 0, 1, found "2"'),
        (BASE, "result=-", "result=x", 'result= is one of -, w, b, draw, found "x"'),
        (BASE, "hit=-", "hit=", 'hit= is empty: an empty value is written "-"'),
        (BASE, "turn=0", "turn=é", "one line of printable ASCII"),
        (BASE, "root=", "w2=0,0:w6N root=", 'expected "root=" as token 6'),
        (BASE, " b0=", " w1=- b0=", "w1= comes once, and boards stand in tile order"),
        (BASE, " b0=", " w3=- b0=", "w3= is left out if nothing is inside it"),
        (BASE, "w2=0,0:w6N", "w0=1,1:w6N", "w0= comes once"),
        # tile lists
        (BASE, "w=circle", "w=Circle", 'w0: expected a name like .*, found "Circle"'),
        (BASE, "enter;exit", "enter;exits", 'w3: unknown icon "exits"; did you mean "exit"?'),
        (BASE, "enter;exit", "enter;defend", 'w3: "defend" may only be the first icon'),
        (BASE, "[enter;exit]", "[play]", 'w3: an ability that begins with "play" has another'),
        (BASE, "enter;exit", "enter.adj5;exit", "w3: an ability takes at most 5 actions"),
        (BASE, "enter;exit", "enter.front.stack", "w3: expected VERB"),
        (BASE, "enter;exit", "attack.stack", 'w3: "attack" takes no ".stack"'),
        (BASE, "enter;exit", "attack.front", 'w3: "attack" takes no ".front"'),
        (BASE, "enter;exit", "enter;play.adj1", 'w3: "play" takes no ".adj"'),
        (BASE, "enter;exit", "exit.adj9", 'w3: expected ".stack", ".front" or ".adj1" to ".adj8"'),
        (BASE, "[enter;exit]", "[enter;exit", 'w3: expected "name" or "name\\[ability\\]"'),
        (BASE, "[enter;exit]", "[]", 'w3: unknown icon ""'),
        # boards
        (BASE, "2,0:b4W", "3,0:b4W", "root= is not contiguous"),
        (BASE, "0,1:b2N", "0,2:b2N", "b0= is not contiguous"),
        (BASE, "b4W", "b3W", "b3 is in play twice"),
        (BASE, "b4W", "b5W", 'root= names "b5", which is in neither list'),
        (BASE, "b4W", "b4", 'root= has "b4" in a stack: expected a tile and its facing'),
        (BASE, "b4W", "b4W**", 'root= has "b4W\\*\\*" in a stack'),
        (BASE, "2,0:b4W", "2,00:b4W", 'root= has a cell "2,00"'),
        (BASE, "2,0:b4W", "2,0", 'root= has "2,0": expected x,y:STACK'),
        (BASE, "1,1:w3S|2,0:b4W", "2,0:b4W|1,1:w3S", "by x and then y: 1,1 is out of order"),
        (BASE, "1,1:w3S", "1,0:w3S", "root= lists each cell once"),
        (BASE, "2,0:b4W", "100000001,0:b4W", "a coordinate is at most 100000000 in size"),
        (BASE, " b0=", " w3=0,0:b0N b0=", "b0 is in play twice"),
        (BASE, "1,0:b0W|1,1:w3S|2,0:b4W", "1,0:b4W|1,1:w3S", "b0= is the board of a tile that is"),
        (BASE, "b0=0,0:b1N", "b0=0,0:b1N+b0E", "b0 is in play twice"),
        (BASE, "w0=0,0:w7N", "w0=0,0:w7N w7=0,0:w2E", "w2 is in play twice|w7= comes once"),
        # sets
        (BASE, "dead=-", "dead=b4", "b4 is both dead and in play"),
        (BASE, "dead=-", "dead=b9", 'dead= names "b9", which is in neither list'),
        (BASE, "used=-", "used=w3,w2", "used= lists tiles in tile order, each once: w3,w2"),
        (BASE, "used=-", "used=w2,w2", "used= lists tiles in tile order, each once: w2,w2"),
        (BASE, "used=-", "used=w0", "used= has w0, which has no ability"),
        (BASE, "hit=-", "hit=w0", "hit= has w0: expected tiles of player 1, not dead"),
        # what is under way
        (RUN, "/root/0,0/N/-", "/root/0,0/N", "expected USER/PRINTED/NEXT/BOARD/x,y/F/DONE"),
        (RUN, "/root/0,0/N/-", "/root/0,1/N/-", "run= has w0 where it does not stand"),
        (RUN, "/root/0,0/N/-", "/root/0,0/E/-", "run= has w0 where it does not stand"),
        (RUN, "/root/0,0/N/-", "/w9/0,0/N/-", 'run= names "w9"'),
        (RUN, "/root/0,0/N/-", "/root/0,0/NE/-", 'run= has a facing "NE"'),
        (RUN, "/root/0,0/N/-", "/root/0,0/N/w1+b0", 'run= has DONE "w1\\+b0"'),
        (RUN, "w0/w0/1/", "w0/w0/2/", "run= goes on with icon 2 of w0, which has 2"),
        (RUN, "w0/w0/1/", "w0/w0/01/", "run= is a number without leading zeros"),
        (RUN, "w0/w0/1/root/0,0/N", "b0/w0/1/root/0,1/S", "run= has b0 as a user, but player 0"),
        (RUN, "used=w0", "used=-", "run= has w0, which used= does not list"),
        (RUN, "b0S|1,0:w1N", "b0S|1,0:w1N*", "an ability under way cannot be completed"),
        (RUN, "result=-", "result=w", "something is under way"),
        (
            RUN,
            "run=w0/w0/1/root/0,0/N/-",
            "run=w0/w0/1/root/0,0/N/-|w1/w0/1/root/1,0/N/-",
            "run= has an ability twice",
        ),
        (RUN, "offer=-", "offer=w1/root/1,0/N", "expected X/BOARD/x,y/F/P\\+P"),
        (RUN, "offer=-", "offer=w1/root/1,0/S/w1", "offer= has w1 where it does not stand"),
        (RUN, "offer=-", "offer=w1/root/1,0/N/w0", "offer= has w0, which used= lists"),
        (RUN, "offer=-", "offer=b0/root/0,1/S/w1", "offer= is to b0, but player 0 acts"),
        (RUN, "offer=-", "offer=w1/root/1,0/N/b0", "offer= has b0, which has nothing to go on"),
        (
            EXAMPLES["K"],
            "offer=-",
            "offer=w0/root/0,0/N/w2+w1",
            "offer= lists tiles in tile order, each once: w2,w1",
        ),
        (
            EXAMPLES["K"],
            "offer=-",
            "offer=w0/root/0,0/N/w1",
            "offer= has no legal chain, and nothing else is under way",
        ),
        (BASE, "phase=turn actor=0", "phase=defend actor=1", "no tile in hit= has an ability"),
        (BASE, "give=-", "give=w0/b0", "expected A/D/LEFT"),
        (BASE, "give=-", "give=w0/b0/2", "give= asks for 2 of 2 stacks of b0"),
        (BASE, "give=-", "give=w0/b0/0", "give= asks for 0 of 2 stacks of b0"),
        (BASE, "give=-", "give=b1/b0/1", "two tiles that do not stand on one board in two stacks"),
        (BASE, "give=-", "give=b0/b0/1", "two tiles that do not stand on one board in two stacks"),
    ],
)
def test_what_is_wrong_with_a_setup_is_said(line: str, old: str, new: str, message: str) -> None:
    """Each distortion of a good setup is refused with a sentence that fits."""
    assert GAME.new_initial_state(line).observation(None) == line
    assert old in line
    with pytest.raises(BadSetup, match=message):
        GAME.new_initial_state(line.replace(old, new, 1))


def test_containers_in_a_circle_are_refused() -> None:
    """Two tiles inside each other do not lead to root, nor does a tile inside itself."""
    for boards in ({"w1": "0,0:w2N", "w2": "0,0:w1N"}, {"w1": "0,0:w1N"}):
        with pytest.raises(BadSetup, match="does not stand on root"):
            GAME.new_initial_state(setup("0,0:w0N|0,1:b0S", "a,a,a", **boards))


def test_a_board_inside_a_dead_tile_is_refused() -> None:
    """Only tiles in play have something inside."""
    line = setup("0,0:w0N|0,1:b0S", "a,a,a", w1="0,0:w2N", dead="w1")
    with pytest.raises(BadSetup, match="w1= is the board of a tile that is not in play"):
        GAME.new_initial_state(line)


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


def test_a_setup_at_a_turns_start_may_be_over() -> None:
    """The end conditions apply at once, without an event; the start line itself stays."""
    state = GAME.new_initial_state(setup("0,0:w0N+b0S"))
    assert state.is_terminal()
    assert state.events() == ()
    assert state.observation(None).endswith(" result=b")
    capped = engines.load_game("arborius(max_turns=3)")
    assert capped.new_initial_state(setup("0,0:w0N|0,1:b0S", turn="3")).is_terminal()
    assert not capped.new_initial_state(setup("0,0:w0N|0,1:b0S", turn="2")).is_terminal()


def test_an_empty_root_and_empty_lists_are_positions() -> None:
    """With nothing in play the player to act has lost."""
    state = GAME.new_initial_state(setup("-", "-", "-"))
    assert state.ranks() == (2, 1)
    assert state.observation(None) == setup("-", "-", "-", result="b")


def test_the_last_place_of_a_user_may_be_on_a_lost_board() -> None:
    """A user out of play keeps a last place inside a tile; if that is inactive nothing goes on."""
    line = setup(
        "0,0:w0N|0,1:b0S",
        "a,t[unplay;rotate.adj1],a",
        w0="0,1:w2N",
        used="w1",
        run="w1/w1/1/w0/0,0/E/-",
    )
    state = GAME.new_initial_state(line)
    assert state.legal_actions(0) == ("rotate:w2:L", "rotate:w2:R")
    with pytest.raises(BadSetup, match="cannot be completed"):
        GAME.new_initial_state(line.replace("0,0:w0N|", "0,0:w0N*|"))


# players who leave


def test_who_leaves_loses_and_the_line_says_so() -> None:
    """The rest of the observation stays, also in the middle of an ability."""
    state = play(GAME.new_initial_state(EXAMPLES["B"]), "use:w0:w0", "unplay:w0")
    left = state.drop_player(0)
    assert left.observation(1) == state.observation(1).replace("result=-", "result=b") + " drop=0"
    assert left.players_to_act() == ()
    assert (left.ranks(), left.scores()) == ((2, 1), (-1, 1))
    both = left.drop_player(1)
    assert both.observation(None).endswith(" result=draw drop=0,1")
    assert both.ranks() == (1, 1)
    for gone in (left, both):
        assert GAME.new_initial_state(gone.observation(None)) == gone
    with pytest.raises(ValueError, match="was dropped before"):
        left.drop_player(0)
    with pytest.raises(ValueError, match="there is no player 2"):
        state.drop_player(2)


def test_a_drop_that_contradicts_the_result_is_refused() -> None:
    """A result that a drop does not bring about is no setup; an open one is completed."""
    line = GAME.setup(0)
    assert GAME.new_initial_state(line + " drop=1").observation(None).endswith("result=w drop=1")
    with pytest.raises(BadSetup, match='expected "result=w" before drop='):
        GAME.new_initial_state(line.replace("result=-", "result=b") + " drop=1")
    with pytest.raises(BadSetup):
        GAME.new_initial_state(line + " drop=2")
