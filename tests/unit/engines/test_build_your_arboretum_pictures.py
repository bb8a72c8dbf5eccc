"""Build Your Arboretum for people: the scored paths, the points, the last action, who sees what."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from support.board_lines import SVG, distinct_bytes, drawn, marks, size, spots, texts

import engines
from engines import State
from engines.build_your_arboretum.cards import CARD_INDEX, CARDS, CELL_INDEX, EMPTY, NEIGHBOURS
from engines.build_your_arboretum.scoring import best_path, path_value, scored_path

GAME = engines.load_game("build_your_arboretum")
# E1 of the rules page, and the actions with which its example ends
E1 = (
    "11 play 0 --- 9/10 P5,P6,Q1,Q6,R6,W2,W4 S8,V1,W7 "
    "P3,Q3,Q4,Q5,R5,R7,S1,S3,S7,T1,T2,T3,T7,U2,U3,U4,U7,V4,V5,V6,W3,W6,W8 - "
    "R1@B2,R2@C2,R3@C3,R4@C4,Q8@C5,S4@D3,S5@D4,Q2@E3,R8@E4 "
    "P8@A4,V7@B4,V8@B5,T5@C3,T6@C4,T8@C5,V3@D2,P4@D3,U5@D4,P1@E3,W1@E4 "
    "P7,Q7,T4,U1 P2,S2,S6,U6,U8,V2,W5 - 0b,1b,1g,0g,1b,0g,0g,1b,0g"
)
E1_END = (
    (0, "hire:Q7,T4"),
    (1, "take:T4:S2"),
    (1, "dig:V1:D1"),
    (0, "plant:Q7:D5"),
    (1, "take:P5:W5"),
    (0, "start"),
    (0, "skip"),
    (1, "take:Q6:U6"),
)
BIDDING = "2 bid 0 --- 6/6 P6,P7,P8,Q1,Q2 - - {} - - - - ./. -"


def example(*, actions: int = len(E1_END)) -> State:
    """Return the page's example after some of its actions."""
    state = engines.load_game("build_your_arboretum(advantage=1)").new_initial_state(E1)
    for player, action in E1_END[:actions]:
        state = state.apply_action(player, action)
    return state


def bidding() -> State:
    """Return a position of round 2 in which player 0 has bid and player 1 has not."""
    left = [card for card in CARDS if card not in ("P6", "P7", "P8", "Q1", "Q2")]
    state = GAME.new_initial_state(BIDDING.format(",".join(left[:54])))
    return state.apply_action(0, "bid:4b-2g")


def lines_drawn(svg: str) -> list[tuple[int, str]]:
    """Return the paths of a picture: whose garden they are in, and the cards that they pass."""
    root = ET.fromstring(svg)
    faces = {}
    for group in root.iter(f"{SVG}g"):
        face, name = group.find(f"{SVG}rect"), group.find(f"{SVG}text")
        if face is not None and name is not None and name.text in CARD_INDEX:
            left, top = float(face.attrib["x"]), float(face.attrib["y"])
            faces[name.text] = left, top, left + float(face.attrib["width"])
    found = []
    for trail in root.iter(f"{SVG}path"):
        if re.fullmatch(r"s\d-line", trail.get("class", "")) and "L" in trail.attrib["d"]:
            points = [list(map(float, p.split())) for p in trail.attrib["d"][1:].split("L")]
            cards = [
                card
                for x, y in points
                for card, (left, top, right) in faces.items()
                if left <= x <= right and top <= y <= top + right - left
            ]
            found.append((int(points[0][0] > size(svg)[0] / 2), "-".join(cards)))
    return found


def garden(text: str) -> bytes:
    """Read a garden written as ``CARD@CELL,…``."""
    cells = [EMPTY] * 36
    for card, _, cell in (part.partition("@") for part in text.split(",")):
        cells[CELL_INDEX[cell]] = CARD_INDEX[card]
    return bytes(cells)


# Paths.


@pytest.mark.parametrize(
    ("planted", "suit", "cells"),
    [
        ("P2@A1,P3@B1,P4@C1,P5@D1,Q6@E1,P7@F1", 0, "A1 B1 C1 D1"),  # 8, against 6 for all six
        ("P1@A1,P8@A2", 0, "A1 A2"),
        ("P4@A1,P3@A2", 0, "A2 A1"),  # from the lower number to the higher
        ("P2@A1,Q2@A2,P3@A3", 0, ""),  # numbers rise strictly
        ("Q1@A1,P2@A2,Q3@A3,P4@A4,Q8@A5", 0, "A2 A3 A4"),
        ("Q1@A1,P2@A2,Q3@A3,P4@A4,Q8@A5", 1, "A1 A2 A3 A4 A5"),
        ("P2@A1", 0, ""),  # one card is no path
    ],
)
def test_the_path_that_scores(planted: str, suit: int, cells: str) -> None:
    """By the page: rising numbers, adjacent cells, both ends of the suit, the most points."""
    path = scored_path(garden(planted), suit)
    assert path == tuple(CELL_INDEX[cell] for cell in cells.split())


@pytest.mark.parametrize("seed", range(12))
def test_paths_are_worth_what_is_counted(seed: int) -> None:
    """In any garden the path shown is one, and is worth the points that the score counts."""
    rng = random.Random(seed)
    cells = [EMPTY] * 36
    for cell, card in zip(rng.sample(range(36), 30), rng.sample(range(64), 30), strict=True):
        cells[cell] = card
    planted = bytes(cells)
    for suit in range(8):
        path = scored_path(planted, suit)
        assert (path_value(planted, path) if path else 0) == best_path(planted, suit)
        for cell, after in pairwise(path):
            assert after in NEIGHBOURS[cell]
            assert planted[cell] % 8 < planted[after] % 8
        assert not path or [planted[path[k]] >> 3 for k in (0, -1)] == [suit, suit]


def test_the_example_shows_its_scored_paths() -> None:
    """The page counts P, T and V for Blue, R for Red, and nothing where the right is missing."""
    state = example()
    assert state.is_terminal()
    shown = lines_drawn(state.to_svg())
    (red,) = [path for who, path in shown if who == 0]
    blue = [path for who, path in shown if who == 1]
    assert red in ("R1-R2-R3-R4", "R1-R2-R3-R4-S5-R8")  # both are worth 9
    # through T5 or U5, which is all one
    assert blue[0] in ("P1-P4-T5-T6-V7-P8", "P1-P4-U5-T6-V7-P8")
    assert blue[1] == "T5-T6-T8"
    assert blue[2] in ("V1-V3-P4-U5-T6-V7-V8", "V1-V3-P4-T5-T6-V7-V8")
    assert len(blue) == 3
    text = state.text_board(None)
    assert f"paths 0  {red}\n" in text
    assert f"paths 1  {', '.join(blue)}\n" in text


def test_paths_that_share_cards_lie_beside_each_other() -> None:
    """Where Q's path takes P's along, no point of one is a point of the other."""
    planted = "Q1@A1,P2@A2,Q3@A3,P4@A4,Q8@A5"
    left = ",".join(card for card in CARDS if card not in planted)
    hidden = left[: 3 * 54 - 1]
    svg = GAME.new_initial_state(f"2 bid 0 --- 6/6 - - {left[162:]} {hidden} {planted} - - - ./. -")
    trails = re.findall('class="(s.)-line" stroke-width="4" d="M([^"]*)"', svg.to_svg())
    assert [suit for suit, _ in trails] == ["s0", "s1"]
    first, second = ({*line.split("L")} for _, line in trails)
    assert len(first) == 3
    assert not first & second


def test_the_example_shows_its_points() -> None:
    """By suit as the page counts them: ``-`` without the right, 0 without a path."""
    state = example()
    assert state.text_board(None).split("\n\n")[2].splitlines()[:3] == [
        "points     P   Q   R   S   T   U   V   W parrots starter total",
        "      0    0   -   9   -   -   0   -   0       0       1    10",
        "      1    9   0   0   0   5   -  10   0       0       0    24",
    ]
    written = spots(state.to_svg())
    total = [y for _, y in written["total"]]
    assert [x for text in ("10", "24") for x, y in written[text] if y in total]
    assert "10 points" in written
    assert "24 points, wins" in written


# Pictures.


def test_a_picture_says_what_its_signs_mean() -> None:
    """Suits, paths, points and plans are in words."""
    shown = " ".join(texts(example(actions=3).to_svg()))
    for words in ("P to W are the eight kinds of tree", "paths that score", "no right to score"):
        assert words in shown
    assert "garden" in shown
    assert "bulletin" in shown


def test_cards_are_where_they_are() -> None:
    """A card is in its cell, and each card that lies open is there once; turns are in order."""
    state = example(actions=3)  # V1 has been dug up at D1; 0 is to plant
    svg = state.to_svg()
    written = spots(svg)
    cards = [text for text in texts(svg) if text in CARD_INDEX]
    assert len(cards) == len({*cards}) == 9 + 12 + 2 + 7 + 9 + 2
    ((x, y),) = written["V1"]
    (left, top), (column, _) = written["A"][1], written["D"][1]
    (row,) = [b for a, b in written["1"] if left - 54 < a < left - 27 and b > top]
    assert abs(x - column) < 27
    assert abs(y - row) < 27
    turns = sorted((x, text) for text in ("garden", "bulletin") for x, _ in written[text])
    assert [text for _, text in turns] == [
        "garden",
        "bulletin",
        *["garden"] * 2,
        "bulletin",
        "garden",
    ]
    assert "hire: 0" in written
    assert "start: free" in written


def test_names_are_text() -> None:
    """Markup in a name is written out, in the legend and over the garden."""
    evil = "<b>&\"'</b>]]>"
    svg = example().draw(names=(evil, "elm"))
    assert texts(svg).count(evil) == 2
    assert f"{'0 ' + evil:32}1 elm, wins" in example().draw_text(names=(evil, "elm"))


@pytest.mark.parametrize(
    ("actions", "marked"),
    [
        (1, ["Q7", "T4", "hire: 0"]),  # paid for a parrot
        (2, ["T4", "S2"]),
        (3, ["V1"]),
        (4, ["Q7"]),
        (6, ["start: 0"]),
        (7, ["0", "oak", "10 parrots, starts"]),  # skip names nothing: who skipped is marked
        (8, ["Q6", "U6"]),
    ],
)
def test_the_last_action_is_marked(actions: int, marked: list[str]) -> None:
    """What an action names is framed where it lies now, in one group."""
    last = E1_END[actions - 1]
    svg = example(actions=actions).draw(names=("oak", "elm"), last=last)
    (found,) = marks(svg)
    assert [text for text in marked if text not in found] == []
    assert [text for text in found if text in CARD_INDEX and text not in marked] == []


@pytest.mark.parametrize("last", [None, (0, "?"), (0, "plant:Z9:A1"), (7, "start"), (0, "hire")])
def test_what_cannot_be_read_marks_nothing(last: tuple[int, str] | None) -> None:
    """The picture and the text are then those without a last action."""
    state = example(actions=3)
    assert state.draw(last=last) == state.to_svg()
    assert state.draw_text(last=last) == state.text_board(None)


def test_the_last_action_is_marked_in_text() -> None:
    """A star is before each card; colours add nothing to what the characters say."""
    state = example(actions=2)
    plain = state.draw_text(names=("oak", "elm"), last=E1_END[1])
    assert "ads P2 S6*T4 U6" in plain
    assert "*S2" in plain
    assert plain.count("*") == 2
    coloured = state.draw_text(names=("oak", "elm"), last=E1_END[1], color=True)
    assert coloured != plain
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain


# Who sees what.


def test_a_bid_is_shown_to_its_owner_only() -> None:
    """The bid is in the owner's picture and in everybody's, but not in the opponent's."""
    state = bidding()
    assert "Bid: 4b-2g" in texts(state.to_svg(0))
    assert "Bid: 4b-2g" in texts(state.to_svg())
    assert "4b-2g" not in state.to_svg(1)


def test_nobody_sees_that_the_other_has_bid() -> None:
    """Neither the legend nor the mark of the last action tells player 1 that 0 has bid."""
    after = bidding()
    before = GAME.new_initial_state(after.observation(None).replace("4b-2g/.", "./."))
    last = (0, "bid:4b-2g")
    assert after.draw(1, last=last) == before.draw(1)
    assert after.draw_text(1, last=last) == before.draw_text(1)
    assert len(marks(after.draw(0, last=last))) == 1


# Size.


def test_pictures_of_a_game_are_small() -> None:
    """Each fits into 1,000 × 1,000 pixels; the lines of all take little, each stored once."""
    pictures = [svg for _, svg in drawn(GAME, 5)]
    assert max(size(svg)[0] for svg in pictures) <= 1000
    assert max(size(svg)[1] for svg in pictures) <= 1000
    assert not any("scale" in svg for svg in pictures)
    assert [len(marks(svg)) for svg in pictures] == [0] + [1] * (len(pictures) - 1)
    assert distinct_bytes(pictures) < 150_000


def test_the_headline_speaks_to_the_person() -> None:
    """The verb agrees with who has the turn: "you take", and "greedy takes"."""
    state = example(actions=0)
    assert ": greedy takes a bulletin turn\n" in state.draw_text(names=("greedy", "you"))
    assert ": you take a bulletin turn\n" in state.draw_text(names=("you", "greedy"))
