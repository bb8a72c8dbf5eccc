"""Treeblox does what docs/rules/treeblox.md says: examples, rulings, errors, setups, pictures."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest
from support.engine_play import play

import engines
from engines.core.interface import State
from engines.treeblox import TreebloxState

GAME = engines.load_game("treeblox")

# positions of the rules page, section Perft
C = (
    "0 main 2 end 1.2.0 0.0.0,1.0.0,2.0.0,3.0.0,0.1.0,2.1.0,3.2.0,0.3.0,3.3.0,1.2.1 1.1.0 "
    "3.1.0,0.2.0,2.2.0,1.3.0,2.3.0,1.1.1"
)
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


def test_taking_the_last_light_ends_the_game() -> None:
    """A cube over the only active leaf of a tree ends the game at once."""
    state = play(state_of(D), "B1.1.1")
    assert state.observation(None) == "- over 0 - - 1.1.0 1.2.0,1.1.1,1.2.1 2.2.0"
    assert state.is_terminal()
    assert state.scores() == (0, 1)
    assert state.ranks() == (2, 1)
    assert state.returns() == (-1.0, 1.0)


def test_leaf_in_the_shade_is_not_active() -> None:
    """A leaf under any cube of its column, however far above, does not count; cells there do."""
    state = state_of("0 main 1 idle 0.0.0,0.0.1,0.0.2,1.0.2 3.3.0 - 2.2.0")
    after = play(state, "L1.0.0")
    assert after.scores() == (1, 1)
    # 1.0.1 is shut in by four cubes and under an overhang, and free for all that
    assert "L1.0.1" in after.apply_action(1, "pass").legal_actions(0)


def test_growth_rate_is_fixed_as_the_turn_begins() -> None:
    """A turn begun with three active leaves has two cubes, even when the first shades a leaf."""
    setup = "0 main 2 idle 0.0.0 1.0.0,0.1.0,3.3.0 - 2.2.0"
    state = play(state_of(setup), "B0.0.1", "B1.0.1")
    assert state.scores() == (2, 1)
    assert state.observation(None).startswith("1 main 1 idle ")
    state = play(state_of(setup), "B1.1.0", "L1.1.1")  # the second stands on the first
    assert state.observation(None).startswith("1 main 1 idle ")
    state = play(state_of(setup), "B0.0.1", "pass", "pass")
    assert state.observation(None).startswith("0 main 2 end ")
    # the other way round: the third active leaf gives no second cube before the next turn
    state = play(state_of("0 main 1 idle - 0.0.0,1.0.0 - 2.2.0"), "L2.0.0")
    assert state.observation(None) == "1 main 1 idle - 0.0.0,1.0.0,2.0.0 - 2.2.0"


def test_two_empty_turns_in_a_row_end_the_game() -> None:
    """An empty turn after an empty turn is the end; a stopped turn with a cube is not empty."""
    begin = "0 main 2 idle - 0.0.0,1.0.0,2.0.0 - 2.2.0"
    assert play(state_of(begin), "pass").observation(None).startswith("1 main 1 end ")
    over = play(state_of(begin), "pass", "pass")
    assert over.observation(None) == "- over 0 - - 0.0.0,1.0.0,2.0.0 - 2.2.0"
    assert over.ranks() == (1, 2)
    stopped = play(state_of(begin), "pass", "B3.3.0", "B3.0.0", "pass")
    assert stopped.observation(None).startswith("1 main 1 idle ")


def test_without_a_cell_passing_is_forced() -> None:
    """With no available cell pass is the only action, at the start of a turn and within it."""
    state = state_of(C)
    assert state.legal_actions(0) == ("pass",)
    over = play(state, "pass")
    assert over.is_terminal()
    assert over.scores() == (10, 6)

    dark = "0.0.0,1.0.0,2.0.0,3.0.0,0.1.0,1.1.0,2.1.0,3.1.0"
    light = "0.2.0,1.2.0,2.2.0,3.2.0,0.3.0,1.3.0,2.3.0"
    state = state_of(f"0 main 2 idle - {dark} - {light}")
    filled = play(state, "L3.3.0")
    assert filled.observation(None) == f"0 main 1 stop - {dark},3.3.0 - {light}"
    assert filled.legal_actions(0) == ("pass",)
    assert play(filled, "pass").legal_actions(1) == ("pass",)
    assert play(filled, "pass").observation(None).startswith("1 main 2 idle ")
    assert play(filled, "pass", "pass", "pass").scores() == (9, 7)


def test_empty_stock_starts_the_final_growth_of_the_other() -> None:
    """The opponent of an empty stock places all the rest, without passing, and the game ends."""
    leaves = ",".join(f"{x}.0.0" for x in range(-14, 0))
    setup = f"0 main 1 stop 0.0.0,{ARM} {leaves},0.1.0 1.1.0 2.2.0"
    state = play(state_of(setup), "L0.1.1")
    assert state.observation(None) == f"1 final 30 - {DARK_DONE} 1.1.0 2.2.0"
    assert "pass" not in state.legal_actions(1)
    rng = random.Random(5)
    for left in range(30, 0, -1):
        assert state.observation(None).startswith(f"1 final {left} - ")
        # away from Dark's one leaf, and where no leaf is: only the stock can end this
        high = [a for a in state.legal_actions(1) if not a.startswith(("B0.1.", "L0.1."))]
        state = state.apply_action(1, rng.choice(high))
    assert state.is_terminal()
    assert state.count_legal(1) == 0


def test_empty_stock_with_the_first_cube_of_two_ends_the_turn() -> None:
    """LEFT is never more than the stock, and its end is the other's final growth at once."""
    leaves = ",".join(f"{x}.0.0" for x in range(-12, 0))
    setup = f"0 main 1 idle 0.0.0,{ARM} {leaves},3.0.0,0.1.0,3.1.0 1.1.0 2.2.0"
    state = play(state_of(setup), "L3.2.0")
    assert state.observation(None).startswith("1 final 30 - ")
    with pytest.raises(engines.BadSetup, match='expected "0 main 1 idle"'):
        state_of(setup.replace("0 main 1", "0 main 2"))


def test_final_growth_needs_a_cell() -> None:
    """Final growth begins, and goes on, only while a cell is available; else the game is over."""
    over = play(state_of(SHUT_IN), "B2.-1.0")
    assert over.observation(None).startswith("- over 0 - ")
    assert over.scores() == (14, 11)

    final = play(state_of(SHUT_IN.replace(",3.2.1", "")), "B2.-1.0")
    assert final.observation(None).startswith("1 final 17 - ")
    assert final.legal_actions(1) == ("B3.2.1", "L3.2.1")
    over = play(final, "L3.2.1")  # a leaf carries nothing
    assert over.is_terminal()
    assert over.scores() == (14, 11)
    on = play(final, "B3.2.1")
    cells = ("3.1.1", "2.2.1", "4.2.1", "3.3.1", "3.2.2")
    assert on.legal_actions(1) == tuple(kind + cell for kind in "BL" for cell in cells)


def test_final_growth_stops_when_a_tree_is_without_light() -> None:
    """The end by the last active leaf has no exception for the final growth."""
    over = play(state_of(FINAL), "B0.1.2")
    assert over.is_terminal()
    assert over.scores() == (0, 1)


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


def test_samples_reach_every_action_alike() -> None:
    """Of 3700 draws among 37 actions each comes up between 50 and 150 times."""
    state, rng = state_of(D), random.Random(1)
    drawn = [state.sample_action(1, rng) for _ in range(3700)]
    assert {*drawn} == {*state.legal_actions(1)}
    assert all(50 <= drawn.count(action) <= 150 for action in state.legal_actions(1))
    with pytest.raises(engines.IllegalAction):
        state.sample_action(0, rng)


@pytest.mark.parametrize("setup", ["0 first 1 - - - - -", D, FINAL])
def test_fast_playouts_end_like_played_ones(setup: str) -> None:
    """Playouts have the same shares of wins and draws as random games action by action."""
    state, rng, games = state_of(setup), random.Random(2), 400
    slow = [State.random_playout(state, rng)[0] for _ in range(games)]
    fast = [engines.playout(state, rng)[0] for _ in range(10 * games)]
    for value in (1.0, 0.0, -1.0):
        share, other = slow.count(value) / games, fast.count(value) / (10 * games)
        # five standard deviations of the smaller sample
        assert abs(share - other) < 5 * 0.5 / games**0.5


SVG = "{http://www.w3.org/2000/svg}"


def paints(picture: str) -> list[str]:
    """Return the colours of the cubes in the order in which they are drawn."""
    root = ElementTree.fromstring(picture)
    return [e[0].attrib["class"] for e in root.iter(f"{SVG}g") if e.get("class") == "cube"]


def test_picture_shows_every_cube_once_from_back_to_front() -> None:
    """The picture has each cube, drawn by ascending x + y + z, and no layer without cubes."""
    state = state_of("0 main 1 idle 0.0.0,0.0.1,1.0.1 1.0.0,3.3.0,0.0.2 - 2.2.0")
    root = ElementTree.fromstring(state.to_svg())
    assert root.findtext(f"{SVG}title") == (
        "Treeblox: Dark to act, main: at most 1 cube; pass places nothing"
    )
    # sums: 0.0.0 is 0; 1.0.0 and 0.0.1 are 1; 1.0.1 and 0.0.2 are 2; 2.2.0 is 4; 3.3.0 is 6
    branch, leaf, light = "branch0", "p0", "p1"
    assert paints(state.to_svg()) == [branch, leaf, branch, branch, leaf, light, leaf]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert [text for text in texts if text and text.startswith(("from", "z="))] == [
        "from above",
        "z=0",
        "z=1",
        "z=2",
    ]


def test_picture_of_the_empty_board_and_of_the_end() -> None:
    """The empty board has no cubes and one layer; the end says who has won."""
    empty = state_of().to_svg()
    assert not paints(empty)
    assert "from above" not in empty
    won = play(state_of(D), "B1.1.1")
    assert "<title>Treeblox: The game is over: Light wins</title>" in won.to_svg(0)
    assert re.findall(", wins<", won.to_svg()) == [", wins<"]
    drawn = state_of("- over 0 - - 1.1.0 - 2.2.0")
    assert "The game is over: a draw" in drawn.to_svg()
    assert drawn.to_svg().count(", draw<") == 2
    assert "The game is over: a draw" in str(drawn)


def test_a_layer_is_cut_to_its_cubes() -> None:
    """A layer above the ground is as wide as what is in it, not as the board."""
    picture = state_of("0 main 1 idle 0.0.0,0.0.1,1.0.1 1.0.0,3.3.0,0.0.2 - 2.2.0").to_svg()
    layers = picture[picture.index(">z=1<") :].split(">z=2<")
    # in z=1 are x = 0 and 1, in z=2 is x = 0; y = 0 in both
    assert [re.findall(r">(-?\d+)</text>", layer) for layer in layers] == [
        ["0", "1", "0"],
        ["0", "0"],
    ]


def test_a_shaded_leaf_is_hollow() -> None:
    """Light's leaf in 1.1.0 is hollow below the cube in 1.1.1, in both places where it is seen."""
    shaded = play(state_of("0 main 1 idle 1.2.0,1.2.1 2.1.0 - 1.1.0,2.2.0"), "B1.1.1")
    # also once in the key
    assert shaded.to_svg().count('class="none on1-line"') == 2
    assert shaded.to_svg().count('class="none on0-line"') == 1


def test_the_last_cube_is_marked_wherever_it_is_seen() -> None:
    """One mark holds the outline of the cube, and its square in each view that shows it."""
    state = play(state_of("0 main 1 idle 1.2.0,1.2.1 2.1.0 - 1.1.0,2.2.0"), "B1.1.1")
    for player, action, shapes in (
        (0, "B1.1.1", 3),  # the cube, from above, and z=1
        (1, "L1.1.0", 2),  # from above another cube is there
        (0, "L1.1.1", 0),  # it is a branch
        (0, "pass", 0),
        (0, "B9", 0),
        (7, "B1.1.1", 0),
    ):
        root = ElementTree.fromstring(state.draw(last=(player, action)))
        marks = [e for e in root.iter() if e.get("class") == "last"]
        assert [len(mark) for mark in marks] == ([shapes] if shapes else [])


def test_text_with_names_and_the_last_cube() -> None:
    """Names are before Dark and Light, ``*`` is before the last cube, colour adds no character."""
    state = play(state_of(D), "B1.1.1")
    lines = state.draw_text(names=["oak", "elm"], last=(1, "B1.1.1")).splitlines()
    assert "   1  +*b + +" in lines[3]
    assert lines[-2].startswith("oak (Dark): active leaves 0")
    assert lines[-1].startswith("elm (Light): active leaves")
    coloured = state.draw_text(last=(1, "B1.1.1"), color=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == state.draw_text(last=(1, "B1.1.1"))


def test_wide_boards_break_into_lines_of_views() -> None:
    """Views that do not fit beside one another go below, and columns line up under wide numbers."""
    lines = str(state_of(FINAL)).splitlines()
    assert lines[0].split() == ["from", "above"]
    assert lines[1].split() == [str(x) for x in range(-14, 4)]
    assert lines[2] == "   0    " + "   ".join([*"B" * 15, *"+++"])
    assert [line for line in lines if "z=" in line] == ["z=0", "z=1", "z=2"]
