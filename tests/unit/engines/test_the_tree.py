"""The Tree against its rules page: examples, rulings, texts, errors, drops and pictures."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from support.engine_play import reason

import engines
from engines import BadSetup, IllegalAction, State

TILES = [f"{low}{high}" for low in range(8) for high in range(low, 8)]


def at(setup: str, parameters: str = "players=2") -> State:
    """Return the state of a setup."""
    return engines.load_game(f"the_tree({parameters})").new_initial_state(setup)


def heard(state: State) -> list[str]:
    """Return the events; those to one player begin with the player."""
    return [e.text if e.player is None else f"{e.player}: {e.text}" for e in state.events()]


def deal(*hands: str) -> str:
    """Complete hands to a deal whose supply is in ascending order."""
    dealt = set(",".join(hands).split(","))
    return f"{'/'.join(hands)} {','.join(t for t in TILES if t not in dealt) or '-'}"


# The game and its parameters.


def test_deals_of_seeds_are_cuts_of_one_shuffle() -> None:
    """The same tiles lie in the same order whatever the hands: the supply alone begins later."""
    for seed in range(3):
        solo = engines.load_game("the_tree(players=1)").setup(seed)
        duel = engines.load_game("the_tree").setup(seed)
        first, rest = solo.split(" ")
        hands, supply = duel.split(" ")
        assert hands.split("/") == [first, ",".join(sorted(rest.split(",")[:9]))]
        assert supply.split(",") == rest.split(",")[9:]


# The examples of the page; the third one is refused, and so in ``refusals.yaml``.


def test_example_1_a_first_turn() -> None:
    """The legal placements in order, a hanging half, an extra turn, a draw and a pass."""
    state = at("00@0:0 12,77/33 55 0 -")
    assert state.players_to_act() == (0,)
    legal = "12@-1:1 21@-1:1 12@0:1 21@0:1 12@1:1 21@1:1"
    assert state.legal_actions(0) == tuple(legal.split())
    assert state.legal_actions(1) == ()

    hanging = state.apply_action(0, "21@1:1")
    assert hanging.events() == ()
    assert hanging.legal_actions(1) == ("33@0:2", "33@1:2", "33@2:2")

    resting = state.apply_action(0, "12@0:1")
    assert heard(resting) == ["extra 0", "draw 0", "0: drew 55", "pass 0"]
    assert resting.observation(None) == "00@0:0,12@0:1 55,77/33 - 1 -"


def test_example_1_both_halves_on_one_tile() -> None:
    """33@1:2 stands over the 2 and the 1 of the tile below: it would earn an extra turn."""
    state = at("00@0:0,21@1:1 77/33,57 - 1 -")
    assert heard(state.apply_action(1, "33@1:2")) == ["extra 1"]
    assert heard(state.apply_action(1, "33@0:2")) == []


def test_example_2_a_hole() -> None:
    """What goes under a hanging half must fit below it, and earns an extra turn."""
    state = at("00@0:0,10@1:1,53@0:2 06,24,77/33 - 0 -")
    assert "24@-1:1" in state.legal_actions(0)
    assert "42@-1:1" not in state.legal_actions(0)
    assert heard(state.apply_action(0, "24@-1:1"))[0] == "extra 0"
    expected = "2 may not lie under the 5 above (0,1): expected 1 or 4 there"
    assert expected in reason(state, "42@-1:1")


def test_example_4_going_out_ends_the_game() -> None:
    """The last tile ends the game at once, though it would have earned an extra turn."""
    state = at("00@0:0 12/33,44 55 0 -").apply_action(0, "12@0:1")
    assert heard(state) == ["out 0 1"]
    assert state.is_terminal()
    assert state.scores() == (2, 0)
    assert state.ranks() == (1, 2)
    assert state.returns() == (1.0, -1.0)
    assert state.observation(None) == "00@0:0,12@0:1 -/33,44 55 - 0"


def test_example_5_others_play_on() -> None:
    """With play_on=yes the others go on, and may be blocked."""
    state = at("00@0:0 12/77/07 - 0 -", "players=3,play_on=yes").apply_action(0, "12@0:1")
    assert heard(state) == ["out 0 1", "pass 1", "pass 2", "blocked"]
    assert state.is_terminal()
    assert state.scores() == (3, 0, 0)
    assert state.ranks() == (1, 2, 2)


def test_example_6_blocked_at_once() -> None:
    """A pass that draws does not count; then all pass in succession."""
    state = at("77@0:0 01/23 45 0 -")
    assert heard(state) == ["draw 0", "0: drew 45", "pass 0", "pass 1", "pass 0", "blocked"]
    assert state.players_to_act() == ()
    assert state.ranks() == (1, 1)
    assert state.observation(None) == "77@0:0 01,45/23 - - -"


def test_example_7_the_only_double_is_77() -> None:
    """The hands, the start, 18 draws in turn, two passes without one, the end."""
    hands = "01,02,03,04,05,06,07,12,77", "13,14,15,16,17,23,24,25,26"
    state = at(deal(*hands))
    events = heard(state)
    assert events[:3] == [f"0: hand {hands[0]}", f"1: hand {hands[1]}", "start 0 77@0:0"]
    assert events[3:9] == ["draw 1", "1: drew 00", "pass 1", "draw 0", "0: drew 11", "pass 0"]
    assert len([text for text in events if text.startswith("draw ")]) == 18
    assert events[-4:] == ["pass 0", "pass 1", "pass 0", "blocked"]
    assert state.is_terminal()
    assert state.ranks() == (1, 1)


def test_example_8_no_double() -> None:
    """Without a double the lowest tile opens, and the next player acts."""
    hands = "02,03,04,05,06,07,12,13,14", "15,16,17,23,24,25,26,27,34"
    state = at(deal(*hands))
    assert heard(state)[2:] == ["start 0 02@0:0"]
    assert state.players_to_act() == (1,)
    hidden, supply = ",".join("?" * 8), ",".join("?" * 18)
    assert state.observation(1) == f"02@0:0 {hidden}/{hands[1]} {supply} 1 -"


# Dropped players.


def test_turn_after_a_drop_begins_as_any_turn() -> None:
    """Who comes next draws and passes as always, and the game may be blocked."""
    state = at("00@0:0 12/77/33 55 0 -", "players=3").drop_player(0)
    steps = ["draw 1", "1: drew 55", "pass 1", "pass 2", "pass 1", "blocked"]
    assert heard(state) == steps
    assert state.ranks() == (3, 1, 1)


def test_going_out_among_those_left() -> None:
    """With one player dropped the next one out still scores the number of players."""
    state = at("00@0:0 12/11/44,55 - 0 -", "players=3,play_on=yes").drop_player(2)
    state = state.apply_action(0, "12@1:1")
    assert heard(state) == ["out 0 1"]
    assert state.is_terminal()
    assert state.scores() == (3, 0, 0)
    assert state.ranks() == (1, 2, 3)


# What a player may know.


def test_hidden_tiles() -> None:
    """Hands and supply are hidden, also when the game is over."""
    state = at("00@0:0 12,77/33 55 0 -").apply_action(0, "12@0:1")
    assert state.observation(0) == "00@0:0,12@0:1 55,77/? - 1 -"
    assert state.observation(1) == "00@0:0,12@0:1 ?,?/33 - 1 -"
    over = at("00@0:0 12/33,44 55 0 -").apply_action(0, "12@0:1")
    assert over.observation(0) == "00@0:0,12@0:1 -/?,? ? - 0"


# For a person.


@pytest.mark.parametrize(
    ("position", "parameters", "why"),
    [
        ("00@0:0 -/33 - - 0", "", "player 0 is out of tiles"),
        ("00@0:0 -/33 - - 0", "play_on=yes", "only player 1 is left"),
        ("00@0:0 -/33/44 - - 0", "players=3", "player 0 is out of tiles"),
        ("00@0:0 -/33/77 - - 0", "players=3,play_on=yes", "blocked, .* can place a tile$"),
        ("00@0:0 33/77 - - -", "", "blocked, .* can place a tile; nobody wins"),
        ("00@0:0 12/33 - - - drop=1", "", "only player 0 is left"),
        ("00@0:0 12/33 - - - drop=0,1", "", "nobody is left"),
        ("00@0:0 - - - 0", "players=1", "player 0 is out of tiles"),
        ("00@0:0 - - - 0", "players=1,play_on=yes", "player 0 is out of tiles"),
        ("00@0:0 33 - - -", "players=1", "blocked"),
    ],
)
def test_why_the_game_is_over(position: str, parameters: str, why: str) -> None:
    """Somebody went out, one is left, or it is blocked: the boards and the refusal say which."""
    state = at(position, parameters)
    assert state.is_terminal()
    for viewer in (None, 0):
        assert re.search(f"the game is over: {why}", state.text_board(viewer))
        assert re.search(f"<title>The Tree: over: {why[:20]}", state.to_svg(viewer))
    with pytest.raises(IllegalAction, match="the game is over"):
        state.apply_action(0, "12@0:1")


SVG = "{http://www.w3.org/2000/svg}"


def tiles_of(picture: str) -> dict[str, ElementTree.Element]:
    """Return the group of each tile that can be seen, by its title."""
    groups = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return {g[0].text or "": g for g in groups if len(g) and g[0].tag == f"{SVG}title"}


def test_picture_for_a_player_hides_the_rest() -> None:
    """Player 1 sees the own tiles and as many backs as there are hidden tiles."""
    picture = at("00@0:0 06,24,77/33 15 0 -").to_svg(1)
    assert list(tiles_of(picture)) == ["00@0:0", "33"]
    assert picture.count('<rect class="rule faint-line"') == 4


def test_half_aside_only() -> None:
    """With above=half a tile exactly above another is refused, as an action and in a setup."""
    line = "00@0:0 11,12/33,44 - 0 -"
    state = at(line, "above=half")
    assert state.legal_actions(0) == tuple(
        action for action in at(line).legal_actions(0) if not action.endswith("@0:1")
    )
    assert "half aside" in reason(state, "11@0:1")
    with pytest.raises(BadSetup, match="half aside"):
        at("00@0:0,11@0:1 12/33 - 0 -", "above=half")
    assert "11@0:1" in at(line).legal_actions(0)
