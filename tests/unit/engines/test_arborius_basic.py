"""Basic actions of Arborius and their rulings (docs/rules/arborius.md, sections 1, 2 and 5)."""

from __future__ import annotations

import pytest
from support.arborius_setups import field, setup
from support.engine_play import legal, play, reason

import engines
from engines import State


def start(root: str, w: str = "a,a,a,a,a", b: str = "a,a,a,a,a", **tokens: str) -> State:
    return engines.load_game("arborius").new_initial_state(setup(root, w, b, **tokens))


# move


def test_a_move_takes_any_number_and_steps_up_from_what_stays() -> None:
    """Of three tiles, one or two can climb a height of two; all three cannot."""
    state = start("0,0:b1S+w1W+w0N|0,1:w2N+b2S")
    assert legal(state, "move:w0") == ["move:w0:1", "move:w0:2"]
    assert field(play(state, "move:w0:2"), "root") == "0,0:b1S|0,1:w2N+b2S+w1W+w0N"
    assert reason(state, "move:w0:3") == "move:w0:3: a stack steps up by at most one, not by 2"


# unplay and play


def test_unplay_empties_the_tile_into_all_decks() -> None:
    """What is inside, however deep, returns to its owners' decks and forgets facing and freeze."""
    state = start("0,0:w0N|0,1:b0S", w0="0,0:w1N+b1E*", b1="0,0:w2S")
    state = play(state, "unplay:w0")
    assert field(state, "root") == "0,1:b0S"
    assert field(state, "w0") == field(state, "b1") == "absent"
    assert field(state, "dead") == "-"
    assert "play:b1:root:0,2:S" in legal(state)


def test_unplaying_the_last_tile_is_legal_and_loses() -> None:
    """White has no ally to face any more, so White loses at the start of the next own turn."""
    state = play(start("0,0:w0N|0,1:b0S"), "unplay:w0")
    state = play(state, "move:b0:1")
    assert state.is_terminal()
    assert state.events()[-1].text == "over b"
    assert state.observation(None).startswith("turn=2 phase=turn actor=0 ")
    assert (state.scores(), state.ranks()) == ((-1, 1), (2, 1))


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


# enter and exit


def test_exit_is_a_step_from_the_containers_level() -> None:
    """By its own facing, onto a cell that is no higher than the container's stack."""
    root = "0,0:b1N+b0E|0,1:w2N+w3N|1,0:w4N+b2N+b3N"
    state = start(root, b0="0,0:w0N|1,0:w1E")
    assert legal(state, "exit") == ["exit:w0:1"]
    after = play(state, "exit:w0:1")
    assert field(after, "root") == "0,0:b1N+b0E|0,1:w2N+w3N+w0N|1,0:w4N+b2N+b3N"
    assert field(after, "b0") == "1,0:w1E"
    assert "higher than its container" in reason(state, "exit:w1:1")


# attack


def test_an_attack_needs_an_inside_and_a_lower_target() -> None:
    """At the same height, or with nothing inside, there is no attack."""
    assert legal(start("0,0:w1N+w0E|1,0:b0N"), "attack") == []
    assert legal(start("0,0:w1N+w0E|1,0:b1N+b0N", w0="0,0:w2N"), "attack") == []
    state = start("0,0:w1N+w0E|1,0:b0N", w0="0,0:w2N")
    assert legal(state, "attack") == ["attack:w0:b0"]
    assert "nothing inside" in reason(start("0,0:w1N+w0E|1,0:b0N"), "attack:w0:b0")
    level = start("0,0:w1N+w0E|1,0:b1N+b0N", w0="0,0:w2N")
    assert reason(level, "attack:w0:b0").endswith("b0 does not stand lower than it")


def test_gifts_keep_the_inside_contiguous() -> None:
    """Of three stacks in a row the middle one cannot be given first."""
    inside = "0,0:b1N|1,0:b2N|2,0:b3N"
    state = start("0,0:w1N+w0E|1,0:b0N", w0="0,0:w2N+w3N", b0=inside)
    state = play(state, "attack:w0:b0")
    assert field(state, "give") == "w0/b0/2"
    assert legal(state) == ["give:b0:0,0", "give:b0:2,0"]
    assert reason(state, "give:b0:1,0").endswith("a board would fall into two pieces")
    assert reason(state, "pass").endswith("2 more to give: expected give:b0:x,y")
    state = play(state, "give:b0:2,0")
    assert legal(state) == ["give:b0:0,0", "give:b0:1,0"]
    state = play(state, "give:b0:0,0")
    assert field(state, "root") == "0,0:b1N+b3N+w1N+w0E|1,0:b0N"
    assert field(state, "turn") == "1"


# the end


def test_who_cannot_act_at_the_start_of_a_turn_has_lost() -> None:
    """Covering the only enemy tile wins, whatever is in the enemy's deck."""
    state = play(start("0,0:w0E|1,0:b0W"), "move:w0:1")
    assert state.is_terminal()
    assert [event.text for event in state.events()] == ["over w"]
    assert field(state, "result") == "w"
    assert state.returns() == (1.0, -1.0)


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
