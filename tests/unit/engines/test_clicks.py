"""What is clicked for an action, in words."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from support.arborius_setups import EXAMPLES
from support.board_lines import placed, size

from engines import load_game

TREE = "00@0:0 12,77/33 55 0 -"
CUBES = "0 main 1 idle - 1.1.0 - 2.2.0"
STARTER = load_game("arborius").setup(0)
STACKS = EXAMPLES["C"]
GIVING = STACKS.replace("hit=-", "hit=b0").replace("give=-", "give=w0/b0/1")
ARBORETUM = "build_your_arboretum"
BIDDING = "10 bid 1 --- 2/1 P1 Q3 - P3,P4,P5,P6,P7,P8,Q1 R4@C3 S8@A1 Q7,S1 P2 ./. -"
PLANTING = BIDDING.replace("bid", "play").replace("./. -", "- 0g,1b")
HIRING = BIDDING.replace("bid", "play").replace("./. -", "- 0b,1g")


@pytest.mark.parametrize(
    ("game", "setup", "action", "clicks"),
    [
        ("connect_four", "-/-/-/-/-/-/- 0", "c", ["column c"]),
        # the first leaf makes the tree longer, and its numbers begin further out: the places stay
        ("leaves", "#/#/# 1 9,9 2 *", "E3-1", ["east side, row 3", "south side, column 0"]),
        ("leaves", "#/#/# 1 9,9 2 *", "N1-4", ["north side, column 1", "east side, row 4"]),
        (
            "leaves(turns=free)",
            "#/#/# 1 9,9 2 *",
            "S1-E1",
            ["south side, column 1", "east side, row 0"],
        ),
        (
            "leaves(push=any)",  # the first column is empty then
            ".#/## 1 9,9 2 *",
            "W2:2-1:1",
            ["west side, row 2", "row 2, column 2", "north side, column 2", "row 1, column 2"],
        ),
        (
            "leaves(push=any)",  # from the far side of the longer tree
            "#.#/### 1 9,9 2 *",
            "N1:2-3:1",
            ["north side, column 1", "row 2, column 1", "east side, row 3", "row 3, column 1"],
        ),
        # the lower symbol first
        ("the_tree", TREE, "12@1:1", ["hand: tile 1 2", "column 1, row 1", "column 2, row 1"]),
        ("the_tree", TREE, "21@1:1", ["hand: tile 1 2", "column 2, row 1", "column 1, row 1"]),
        ("treeblox", "0 first 1 - - - - -", "L3.1.0", ["x 3, y 1, z=0"]),
        ("treeblox", CUBES, "B3.1.0", ["branch", "x 3, y 1, z=0"]),
        ("treeblox", CUBES, "pass", ["pass"]),
        # what goes without saying is left out: here where the tile looks, there how many move
        ("arborius", STARTER, "play:w1:root:1,0:W", ["w1 triangle", "empty cell 1,0 in root"]),
        ("arborius", STACKS, "move:w7:1", ["w7 square, 0,0 in w0 circle", "move"]),
        ("arborius", STACKS, "move:w2:3", ["w2 penitent, 0,1 in root", "move", "3 tiles"]),
        (
            "arborius",
            STACKS,
            "enter:w0:1:-1,1",
            ["w0 circle, 0,0 in root", "enter", "empty cell -1,1 in b0 brute"],
        ),
        ("arborius", GIVING, "give:b0:0,1", ["b3 square, 0,1 in b0 brute"]),
        (ARBORETUM, BIDDING, "bid:1g-1b", ["1 garden", "1 bulletin", "bid"]),
        (ARBORETUM, BIDDING, "bid:-", ["bid nothing", "bid"]),
        (ARBORETUM, PLANTING, "skip", ["skip", "done"]),
        (ARBORETUM, PLANTING, "plant:P1:C2", ["offering: P1", "garden: C2"]),
        (ARBORETUM, PLANTING, "dig:Q3:C2", ["refuse: Q3", "garden: C2"]),
        (ARBORETUM, PLANTING, "start", ["once a round: start"]),
        (ARBORETUM, HIRING, "hire:Q7", ["once a round: hire", "ad board: Q7", "done"]),
    ],
)
def test_action_is_made_by_clicks(game: str, setup: str, action: str, clicks: list[str]) -> None:
    """The clicks of an action, one after the other, are on what is labelled so."""
    state = load_game(game).new_initial_state(setup)
    player = next(p for p in state.players_to_act() if action in state.legal_actions(p))
    choices = state.legal_actions(player)
    index, found = choices.index(action), {}
    for element in ElementTree.fromstring(state.to_svg(player, choices)).iter():
        for step, numbers in re.findall(r"(\d+):(\S+)", element.get("data-choices", "")):
            if str(index) in numbers.split(","):
                found[int(step)] = element.get("aria-label")
    assert [found[step] for step in sorted(found)] == clicks


def test_a_place_far_from_the_tree_is_in_the_picture() -> None:
    """Where two leaves from one side push a line to its other end, and beyond the numbers."""
    state = load_game("leaves(push=any)").new_initial_state("##/## 0 9,9 2 *")
    svg = state.to_svg(0, state.legal_actions(0))
    drawn = placed(ElementTree.fromstring(svg), 0, 0)
    xs = [x + float(one.attrib["x"]) for one, x, _ in drawn if one.get("class") == "pick"]
    assert 0 <= min(xs) < max(xs) < size(svg)[0]
