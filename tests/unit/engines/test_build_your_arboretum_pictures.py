"""Build Your Arboretum for people: the scored paths, the points, the last action, who sees what."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from support.board_lines import SVG, marks, size

import engines
from engines import State
from engines.build_your_arboretum.cards import CARD_INDEX, CARDS

GAME = engines.load_game("build_your_arboretum")
# where the example of the rules page ends
END = (
    "11 over 0 --- 10/10 - P6,Q1,R6,S2,U6,W2,W4,W5 "
    "P3,Q3,Q4,Q5,R5,R7,S1,S3,S7,S8,T1,T2,T3,T7,U2,U3,U4,U7,V4,V5,V6,W3,W6,W7,W8 - "
    "R1@B2,R2@C2,R3@C3,R4@C4,Q8@C5,S4@D3,S5@D4,Q7@D5,Q2@E3,R8@E4 "
    "P8@A4,V7@B4,V8@B5,T5@C3,T6@C4,T8@C5,V1@D1,V3@D2,P4@D3,U5@D4,P1@E3,W1@E4 "
    "P7,U1 P2,P5,Q6,S6,T4,U8,V2 - -"
)
BIDDING = "2 bid 0 --- 6/6 P6,P7,P8,Q1,Q2 - - {} - - - - ./. -"


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


def test_the_example_shows_its_scored_paths() -> None:
    """The page counts P, T and V for Blue, R for Red, and nothing where the right is missing."""
    state = GAME.new_initial_state(END)
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


def test_nobody_sees_that_the_other_has_bid() -> None:
    """Neither the legend nor the mark of the last action tells player 1 that 0 has bid."""
    after = bidding()
    before = GAME.new_initial_state(after.observation(None).replace("4b-2g/.", "./."))
    last = (0, "bid:4b-2g")
    assert after.draw(1, last=last) == before.draw(1)
    assert after.draw_text(1, last=last) == before.draw_text(1)
    assert len(marks(after.draw(0, last=last))) == 1
