"""Arborius for people: the text board of section 8 and the picture."""

from __future__ import annotations

from xml.etree import ElementTree

from support.arborius_setups import EXAMPLES, setup
from support.engine_play import play

import engines
from engines import State

SVG = "{http://www.w3.org/2000/svg}"


def start(line: str) -> State:
    return engines.load_game("arborius").new_initial_state(line)


def test_text_shows_boards_inside_boards() -> None:
    """Insides stand indented below their container; what is not active is marked."""
    line = setup(
        "-1,2:w0N|0,1:b0S+w1E*",
        "oak,elm,ivy[enter;exit]",
        "oak,fir,ash",
        w0="0,0:b1W",
        w1="10,0:w2N",
        dead="b2",
    )
    assert str(start(line)).splitlines() == [
        "turn 0: w to act",
        "[root]",
        "   -1   0",
        "2  w0^  .",
        "1  .    b0v/w1>*",
        "    [w0 oak]",
        "       0",
        "    0  b1<",
        "    [w1 elm] disabled",
        "       10",
        "    0  w2^",
        "w deck: -",
        "b deck: -",
        "dead: b2 ash",
    ]


def test_text_says_what_is_under_way() -> None:
    """Abilities, offers, gifts, defence and the end each have their words."""
    chained = play(start(EXAMPLES["B"]), "use:w0:w0", "unplay:w0", "descend:w1:1")
    assert str(chained).splitlines()[:3] == [
        "turn 0: w to act",
        "w0 performs w0 sorceress[unplay;descend.adj2], next icon 1, done to w1",
        "w1 may chain w1",
    ]
    owing = play(start(EXAMPLES["C"]), "attack:w0:b0")
    assert str(owing).splitlines()[0] == "turn 0: b gives 1 more out of b0 to w0"
    assert str(play(owing, "give:b0:0,0")).splitlines()[0] == "turn 0: b may defend"
    over = play(start(setup("0,0:w0E|1,0:b0W")), "move:w0:1")
    assert str(over).splitlines()[0] == "after 1 turn: w wins"
    assert str(over.drop_player(0)).splitlines()[0] == "after 1 turn: b wins"
    capped = engines.load_game("arborius(max_turns=1)").new_initial_state()
    assert str(play(capped, "move:w0:1")).splitlines()[0] == "after 1 turn: a draw"


def test_text_lists_the_decks_with_abilities() -> None:
    """A deck is what one can play, so abilities are shown."""
    text = str(engines.load_game("arborius(deck=tiny)").new_initial_state())
    tail = (
        "1 soldier[ascend;rotate], {0}2 horse[descend;rotate.adj1], {0}3 mask[rotate.stack;attack]"
    )
    assert f"w deck: w{tail.format('w')}" in text
    assert f"b deck: b{tail.format('b')}" in text


def test_the_picture_is_one_plain_svg_element() -> None:
    """It is well-formed, named, sized, and refers to nothing outside itself."""
    svg = start(EXAMPLES["C"]).to_svg()
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    _, _, width, height = map(int, root.attrib["viewBox"].split())
    assert 100 < width < 1000
    assert 100 < height < 1000
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Arborius, turn 0: w to act"
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert svg == start(EXAMPLES["C"]).to_svg(1)


def test_the_picture_shows_every_tile_and_board_once() -> None:
    """All tiles in play bear their ids, and every board its name, marked if it is not active."""
    texts = texts_of(start(setup("0,0:w0N+b0S|1,0:w1E", "oak,elm", "fir,ash", w1="0,0:b1N")))
    assert [texts.count(tile) for tile in ("w0", "w1", "b0", "b1")] == [1, 1, 1, 1]
    assert "root" in texts
    assert "w1 elm" in texts
    covered = texts_of(start(setup("0,0:w0N+b0S|1,0:w1E", "oak,elm", "fir,ash", w0="0,0:b1N")))
    assert "w0 oak (disabled)" in covered


def test_the_picture_turns_arrows_and_marks_ice() -> None:
    """A facing is a rotation of the tile's arrow; frozen tiles bear a flake."""
    svg = start(setup("0,0:w0E*|0,1:b0W|1,1:w1S", "a,a")).to_svg()
    assert [svg.count(f"rotate({angle})") for angle in (90, 270, 180)] == [1, 1, 1]
    assert svg.count('class="flake"') == 1
    assert svg.count('class="ice"') == 1


def texts_of(state: State) -> list[str]:
    root = ElementTree.fromstring(state.to_svg())
    return [element.text or "" for element in root.iter(f"{SVG}text")]
