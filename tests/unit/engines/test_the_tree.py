"""The Tree against its rules page: examples, rulings, texts, errors, drops and pictures."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import engines
from engines import IllegalAction, State

TILES = [f"{low}{high}" for low in range(8) for high in range(low, 8)]
P2 = "00@0:0 12,37/01,13/24,36 57 0 -"


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


@pytest.mark.parametrize("parameters", ["players=1,hand=36", "hand=18", "players=4,play_on=yes"])
def test_deal_of_a_seed_has_every_tile_once(parameters: str) -> None:
    """Hands have the size asked for and are in ascending order; the supply has what is left."""
    game = engines.load_game(f"the_tree({parameters})")
    for seed in range(5):
        hands_text, supply_text = game.setup(seed).split(" ")
        hands = [hand.split(",") for hand in hands_text.split("/")]
        supply = [] if supply_text == "-" else supply_text.split(",")
        assert [len(hand) for hand in hands] == [game.parameters["hand"]] * game.num_players
        assert all(hand == sorted(hand) for hand in hands)
        assert sorted(sum(hands, supply)) == TILES


def test_deals_of_seeds_are_cuts_of_one_shuffle() -> None:
    """The same tiles lie in the same order whatever the hands: the supply alone begins later."""
    for seed in range(3):
        solo = engines.load_game("the_tree(players=1)").setup(seed)
        duel = engines.load_game("the_tree").setup(seed)
        first, rest = solo.split(" ")
        hands, supply = duel.split(" ")
        assert hands.split("/") == [first, ",".join(sorted(rest.split(",")[:9]))]
        assert supply.split(",") == rest.split(",")[9:]


# The examples of the page.


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
    reason = r"2 may not lie under the 5 above \(0,1\): expected 1 or 4 there"
    with pytest.raises(IllegalAction, match=reason):
        state.apply_action(0, "42@-1:1")


def test_example_3_tiles_above_carry_nothing() -> None:
    """Under the hanging 7 nothing lies below 4:2, so no tile may be placed there."""
    state = at("00@0:0,12@1:1,30@2:2,17@3:3 02,35,36/33 - 0 -")
    assert not [action for action in state.legal_actions(0) if action.endswith("@4:2")]
    for action in ("35@4:2", "53@4:2", "36@4:2"):
        with pytest.raises(IllegalAction, match="no placed tile lies below it"):
            state.apply_action(0, action)


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


# The opening.


def test_lowest_double_in_any_hand_opens() -> None:
    """22 in the last hand comes before 33 in the first; player 0 is next after player 2."""
    state = at(deal("01,33", "12,44", "02,22"), "players=3,hand=2")
    assert heard(state) == ["0: hand 01,33", "1: hand 12,44", "2: hand 02,22", "start 2 22@0:0"]
    assert state.observation(None).startswith("22@0:0 01,33/12,44/02 00,")
    # over a 2 only 3 and 6 may stand; 01 has neither, and hangs nowhere
    assert state.legal_actions(0) == ("33@-1:1", "33@0:1", "33@1:1")


def test_alone_the_opener_goes_on() -> None:
    """The low symbol of the opening tile lies left: nothing but 7 fits over the 3 at (1,0)."""
    state = at(deal("03,12"), "players=1,hand=2")
    assert heard(state) == ["0: hand 03,12", "start 0 03@0:0"]
    assert state.legal_actions(0) == ("12@-1:1", "21@-1:1")


def test_alone_passing_leads_to_the_own_next_turn() -> None:
    """A player alone draws until a tile fits."""
    state = at("00@0:0 77 33,67,24,12 0 -", "players=1")
    draws = [("draw 0", f"0: drew {tile}", "pass 0") for tile in ("33", "67", "24")]
    assert heard(state) == [text for draw in draws for text in draw]
    assert state.observation(None) == "00@0:0 24,33,67,77 12 0 -"
    assert state.returns() == (0.0,)


def test_alone_out_is_solved() -> None:
    """Alone the score is 1 when all tiles are placed, also with play_on=yes, and else 0."""
    for play_on in ("no", "yes"):
        state = at("00@0:0 12 33 0 -", f"players=1,play_on={play_on}")
        assert state.scores() == (0,)
        state = state.apply_action(0, "12@0:1")
        assert heard(state) == ["out 0 1"]
        assert state.is_terminal()
        assert state.scores() == (1,)
    blocked = at("00@0:0 77 - 0 -", "players=1")
    assert heard(blocked) == ["pass 0", "blocked"]
    assert blocked.scores() == (0,)
    assert blocked.ranks() == (1,)


# Placements.


def test_order_of_legal_actions() -> None:
    """By tile, then y, then x: row 1 before row 2, but all of 13 before all of 37."""
    state = at("00@0:0,12@1:1 13,37/44 - 0 -")
    # free are: right half over the blank at (0,0); right half over the 1; left half over the
    # hanging 2; over both, left 3 or 5 and right 3 or 6, neither tile fits
    expected = ("31@-1:1", "13@0:2", "31@2:2", "73@0:2", "37@2:2")
    assert state.legal_actions(0) == expected
    assert state.count_legal(0) == 5
    rng = random.Random(1)
    drawn = Counter(state.sample_action(0, rng) for _ in range(1000))
    # 200 expected, the standard deviation is below 13
    assert set(drawn) == set(expected)
    assert all(140 < count < 260 for count in drawn.values())


def test_extra_turn_is_one_turn_only() -> None:
    """Being inserted while resting on both sides still earns one turn: then the other acts."""
    state = at("00@0:0,11@-1:1,22@1:1,03@-2:2,77@-1:3 33,46,66/44 - 0 -")
    state = state.apply_action(0, "33@0:2").apply_action(0, "66@2:2")
    assert heard(state) == []
    assert state.players_to_act() == (1,)


def test_nothing_stands_above_a_7() -> None:
    """Above a hanging 7 no symbol fits, and the reason says so."""
    state = at("00@0:0,17@1:1 24/33 - 0 -")
    with pytest.raises(IllegalAction, match=r"2 may not stand above the 7 .* expected no tile"):
        state.apply_action(0, "24@2:2")


# The end.


def test_pass_that_draws_starts_the_count_anew() -> None:
    """One without a draw, one with, and only then a full round of passes blocks."""
    state = at("77@0:0 01/02/03 04 0 -", "players=3")
    passes = ["draw 0", "0: drew 04", "pass 0", "pass 1", "pass 2", "pass 0", "blocked"]
    assert heard(state) == passes


# Setups.


def test_position_may_lack_tiles_and_begin_with_passes() -> None:
    """The automatic steps of a position are done at once; the blocked end can be written too."""
    stuck = at("00@0:0 77/33 - 0 -")
    assert heard(stuck) == ["pass 0", "pass 1", "blocked"]
    assert stuck == at("00@0:0 77/33 - - -")
    assert at("00@0:0 77/33 - - -").events() == ()
    later = at("00@0:0 77/12 33 0 -")
    assert heard(later) == ["draw 0", "0: drew 33", "pass 0"]
    assert later == at("00@0:0 33,77/12 - 1 -")


# Dropped players.


def test_drop_ends_a_game_of_two() -> None:
    """The other one is first; who is left last shares the first place."""
    state = at("00@0:0 12,77/33 55 0 -").drop_player(0)
    assert state.observation(None) == "00@0:0 12,77/33 55 - - drop=0"
    assert state.observation(1) == "00@0:0 ?,?/33 ? - - drop=0"
    assert state.ranks() == (2, 1)
    assert state.events() == ()
    both = state.drop_player(1)
    assert both.observation(None) == "00@0:0 12,77/33 55 - - drop=0,1"
    assert both.ranks() == (1, 1)


@pytest.mark.parametrize("play_on", ["no", "yes"])
def test_dropped_players_are_skipped(play_on: str) -> None:
    """A dropped player owes nothing, keeps the tiles, and the others go on in order."""
    state = at(P2, f"players=3,play_on={play_on}").drop_player(1)
    assert state.players_to_act() == (0,)
    assert state.observation(0) == "00@0:0 12,37/?,?/?,? ? 0 - drop=1"
    state = state.apply_action(0, "12@1:1")
    assert state.players_to_act() == (2,)
    first = at(P2, f"players=3,play_on={play_on}").drop_player(0)
    assert first.players_to_act() == (1,)
    assert first.observation(None) == "00@0:0 12,37/01,13/24,36 57 1 - drop=0"
    alone = first.drop_player(1)
    assert alone.is_terminal()
    assert alone.ranks() == (3, 2, 1)
    assert alone.scores() == (0, 0, 0)
    nobody = alone.drop_player(2)
    assert nobody.ranks() == (3, 1, 1)
    assert nobody.observation(None).endswith(" - - drop=0,1,2")


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


def test_drop_of_a_player_who_is_out() -> None:
    """The place stays taken, but the dropped player scores nothing and ranks last."""
    state = at("00@0:0 12/11,44/07/23 - 0 -", "players=4,play_on=yes").apply_action(0, "12@1:1")
    state = state.drop_player(0)
    assert state.observation(None) == "00@0:0,12@1:1 -/11,44/07/23 - 1 0 drop=0"
    assert state.scores() == (0, 0, 0, 0)
    assert state.ranks() == (4, 1, 1, 1)
    state = at("00@0:0,12@1:1 -/11/07/23 - 1 0 drop=0", "players=4,play_on=yes")
    state = state.apply_action(1, "11@-1:1")
    assert heard(state)[0] == "out 1 2"
    assert state.scores() == (0, 3, 0, 0)
    assert state.ranks() == (4, 1, 2, 2)


# What a player may know.


def test_private_events_and_hidden_tiles() -> None:
    """Only who draws learns the tile; hands and supply are hidden, also when the game is over."""
    state = at("00@0:0 12,77/33 55 0 -").apply_action(0, "12@0:1")
    assert [(e.player, e.text) for e in state.events()] == [
        (None, "extra 0"),
        (None, "draw 0"),
        (0, "drew 55"),
        (None, "pass 0"),
    ]
    assert state.observation(0) == "00@0:0,12@0:1 55,77/? - 1 -"
    assert state.observation(1) == "00@0:0,12@0:1 ?,?/33 - 1 -"
    over = at("00@0:0 12/33,44 55 0 -").apply_action(0, "12@0:1")
    assert over.observation(0) == "00@0:0,12@0:1 -/?,? ? - 0"


def sampled(observation: str, player: int, parameters: str, draws: int) -> Iterator[State]:
    """Draw states for an observation, all with one generator."""
    game = engines.load_game(f"the_tree({parameters})")
    rng = random.Random(11)
    for _ in range(draws):
        state = game.sample_state(observation, player, rng)
        assert state.observation(player) == observation
        yield state


def test_drawn_player_to_act_can_place() -> None:
    """Player 0 is to act above 00: the hidden tile has a 1, a 2 or a 4, each as likely."""
    seen = "00@0:0 ?/33 ? 0 -"
    drawn = Counter(
        state.observation(None).split(" ")[1][:2] for state in sampled(seen, 1, "players=2", 2100)
    )
    # 36 tiles less the 15 with both symbols of 0 3 5 6 7
    assert set(drawn) == {tile for tile in TILES if set(tile) & set("124")}
    assert len(drawn) == 21
    # 100 expected, the standard deviation is below 10
    assert all(50 < count < 150 for count in drawn.values())


def test_drawn_hands_are_uniform_given_one_useful_tile() -> None:
    """Of two hidden tiles one must fit: how often both do is as among all such pairs."""
    seen = "00@0:0 ?,?/33 ? 0 -"
    both = 0
    for state in sampled(seen, 1, "players=2", 2000):
        hand = state.observation(None).split(" ")[1].split("/")[0].split(",")
        both += all(set(tile) & set("124") for tile in hand)
    # unseen: 21 tiles that fit, 13 that do not; pairs with one that fits: 34*33/2 - 13*12/2 = 483,
    # with two: 21*20/2 = 210; 870 expected, the standard deviation is 22
    assert 760 < both < 980


def test_drawn_supply_is_uniform() -> None:
    """To the player to act every unseen tile is as likely in each place."""
    seen = "00@0:0 12,77/?,? ? 0 -"
    supply = Counter(
        state.observation(None).split(" ")[2] for state in sampled(seen, 0, "players=2", 3300)
    )
    assert set(supply) == set(TILES) - {"00", "12", "77"}
    # 100 expected, the standard deviation is below 10
    assert all(50 < count < 150 for count in supply.values())


def test_drawn_hands_after_a_block_fit_nowhere() -> None:
    """After a block nobody still in can place, but of a dropped player nothing is known."""
    seen = "00@0:0 33/?/? - - - drop=2"
    hands = [
        state.observation(None).split(" ")[1].split("/")
        for state in sampled(seen, 0, "players=3", 600)
    ]
    useless = {tile for tile in TILES if not set(tile) & set("124")} - {"00", "33"}
    assert {hand[1] for hand in hands} == useless
    assert {hand[2] for hand in hands} == set(TILES) - {"00", "33"}


# Playouts.


def test_playout_plays_uniformly() -> None:
    """Player 0 wins as often in playouts as by the whole tree of this position."""
    state = at("00@0:0 12,33/11 - 0 -")
    wins = Counter(engines.playout(state, random.Random(seed)) for seed in range(1200))
    exact = wins_of_first(state)
    # 1200 playouts: the standard deviation is below 18
    assert abs(wins[(1.0, -1.0)] - 1200 * exact) < 100


def wins_of_first(state: State) -> float:
    """Return how often player 0 wins under uniform play, by walking the whole tree."""
    if state.is_terminal():
        return float(state.returns() == (1.0, -1.0))
    player = state.players_to_act()[0]
    actions = state.legal_actions(player)
    return sum(wins_of_first(state.apply_action(player, a)) for a in actions) / len(actions)


# For a person.


def test_text_board_of_an_ended_game() -> None:
    """Who is out or dropped is said, and that the game is over; columns left of 0 are negative."""
    state = at("00@0:0 12/44,55/33 66 0 -", "players=3").apply_action(0, "12@-1:1").drop_player(2)
    assert str(state).split("\n") == [
        "  1  [1  2]",
        "  0     [0  0]",
        "y/x  -1  0  1",
        "player 0: - (out, place 1)",
        "player 1: 44,55",
        "player 2: 33 (dropped)",
        "supply: 66",
        "the game is over: player 0 is out of tiles",
    ]


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
    with pytest.raises(IllegalAction, match=f"the game is over: {why}"):
        state.apply_action(0, "12@0:1")


SVG = "{http://www.w3.org/2000/svg}"


def tiles_of(picture: str) -> dict[str, ElementTree.Element]:
    """Return the group of each tile that can be seen, by its title."""
    groups = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return {g[0].text or "": g for g in groups if len(g) and g[0].tag == f"{SVG}title"}


def test_picture_shows_the_tree() -> None:
    """Each tile is a titled group with a circle a ring, higher rows are higher up."""
    picture = at("00@0:0,10@1:1,53@0:2 06,24,77/33 15 0 -").to_svg()
    tiles = tiles_of(picture)
    assert list(tiles) == ["00@0:0", "10@1:1", "53@0:2", "06", "24", "77", "33", "15"]
    circles = {name: len(group.findall(f"{SVG}circle")) for name, group in tiles.items()}
    assert circles["00@0:0"] == 0
    assert circles["10@1:1"] == 1
    assert circles["53@0:2"] == 2 + 2
    assert circles["77"] == 6
    tops = [float(tiles[name][1].attrib["y"]) for name in ("00@0:0", "10@1:1", "53@0:2")]
    assert tops == sorted(tops, reverse=True)
    lefts = [float(tiles[name][1].attrib["x"]) for name in ("00@0:0", "53@0:2", "10@1:1")]
    assert lefts[0] == lefts[1] < lefts[2]
    assert "<title>The Tree: player 0 to act</title>" in picture


def test_the_key_has_every_symbol() -> None:
    """Beside each digit are its rings: pip 1, small circle 2, big circle 4."""
    lines = at("00@0:0 06,24,77/33 15 0 -").to_svg().split("\n")
    digits = [
        i for i, line in enumerate(lines) if re.fullmatch("<text[^>]*bold[^>]*>[0-7]<.*", line)
    ]
    key = {lines[i].split(">")[1][0]: lines[i - 1].count("<circle") for i in digits}
    assert key == {"0": 0, "1": 1, "2": 1, "3": 2, "4": 1, "5": 2, "6": 2, "7": 3}


def test_the_last_tile_is_marked() -> None:
    """A frame is around the tile just placed; an action that placed none of them marks none."""
    state = at("00@0:0 12,24/33,44 15 0 -").apply_action(0, "12@-1:1")
    elements = ElementTree.fromstring(state.draw(last=(0, "12@-1:1"))).iter()
    (mark,) = [e for e in elements if e.get("class") == "last"]
    tile = tiles_of(state.to_svg())["12@-1:1"][1]
    assert [mark.get(key) for key in ("x", "y")] == [tile.get(key) for key in ("x", "y")]
    for other in ("21@-1:1", "12@0:1", "?", "00@0:99"):
        assert 'class="last"' not in state.draw(last=(0, other))


def test_text_board_with_names() -> None:
    """Names stand behind the hands, and the last tile has other brackets."""
    state = at("00@0:0 12,24/33,44 15 0 -").apply_action(0, "12@-1:1")
    assert state.draw_text(0, names=["oak", "elm"], last=(0, "12@-1:1")).split("\n") == [
        "  1  <1  2>",
        "  0     [0  0]",
        "y/x  -1  0  1",
        "player 0: 24 (oak)",
        "player 1: ?,? (elm, to act)",
        "supply: ?",
    ]


@pytest.mark.parametrize(
    ("position", "parameters", "notes"),
    [
        ("00@0:0 -/33 - - 0", "", ["0 tiles, wins", "1 tile"]),
        ("00@0:0 33/77 - - -", "", ["1 tile", "1 tile"]),  # blocked: nobody wins
        ("00@0:0 33 - - -", "players=1", ["1 tile"]),
        ("00@0:0 12/33 - - - drop=1", "", ["1 tile, wins", "1 tile, dropped"]),
        ("00@0:0 -/12/14 66 1 0", "players=3,play_on=yes",
         ["0 tiles, out: place 1", "1 tile", "1 tile"]),
    ],
)  # fmt: skip
def test_the_legend_says_who_has_won(position: str, parameters: str, notes: list[str]) -> None:
    """Beside each player are their tiles, and at the end how they did."""
    texts = re.findall(">([^<]* tiles?[^<]*)</text>", at(position, parameters).to_svg())
    assert texts[: len(notes)] == notes


def test_picture_for_a_player_hides_the_rest() -> None:
    """Player 1 sees the own tiles and as many backs as there are hidden tiles."""
    picture = at("00@0:0 06,24,77/33 15 0 -").to_svg(1)
    assert list(tiles_of(picture)) == ["00@0:0", "33"]
    assert picture.count('<rect class="rule faint-line"') == 4
