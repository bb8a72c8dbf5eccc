"""A match to step through: by keys, buttons, slider and links, whatever bots wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
from support import looks
from support.explained import explanation
from support.hostile_names import HARMLESS, HOSTILE
from support.recorded import recorded

from arena.record.passages import OutputLine, Passage
from arena.record.replay import replay_states
from arena.report.replay_page import replay_page
from arena.values.model import Fault, Record, Termination
from engines.core.base import ValueState
from engines.core.drawing import frame

pytestmark = pytest.mark.slow

GAMES = ("leaves", "treeblox", "the_tree", "build_your_arboretum", "arborius")
Open = Callable[..., Any]


def page_of(record: Record, said: tuple[Passage, ...] = ()) -> str:
    return replay_page(record, replay_states(record), said)


def pictures_of(record: Record) -> list[str]:
    """Return the pictures that a page shows, without their style."""
    read = re.search(r'id="data">(.*)</script>', page_of(record))
    assert read is not None
    found = json.loads(read[1])
    return ["\n".join(found["lines"][n] for n in numbers) for numbers in found["frames"]]


def shape(svg: str) -> list[list[Any]]:
    """Return the elements of a picture and the names of their attributes, in order."""
    nodes = ElementTree.fromstring(svg).iter()
    return [[node.tag.rpartition("}")[2], sorted(node.attrib)] for node in nodes]


# the same in the page, which has given the picture a style for its size
DRAWN = """() => {
  const boards = [...document.querySelectorAll("#board > svg")];
  return {
    wrong: document.querySelectorAll("#board parsererror").length,
    shapes: boards.map(svg => [svg, ...svg.querySelectorAll("*")].map(node => [node.localName,
      node.getAttributeNames().filter(name => !["style", "xmlns"].includes(name)).sort()])),
    title: document.querySelector("#board > svg > title").textContent,
  };
}"""

_HTML = 'xmlns="http://www.w3.org/1999/xhtml"'
EVIL = (
    f'<foreignObject width="200" height="200"><meta {_HTML} http-equiv="refresh"'
    ' content="0;url=http://localhost:9/leak"/>'
    f'<iframe {_HTML} srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"/></foreignObject>',
    "<script>alert(2)</script>",
    '<a href="http://localhost:9/click"><rect width="99" height="99"/></a>',
    '<rect onload="alert(3)" onclick="alert(4)" width="9" height="9"/>',
    '<image href="http://localhost:9/i.png" onerror="alert(5)"/>',
)


@cache
def small() -> str:
    """Return the page of a match of Leaves: 6 decisions, the last of them a fault."""
    fault = Fault(0, Termination.ILLEGAL, 3, '"Z9" is not legal; expected one of 12')
    said = (
        Passage(
            0, 2, 2, (OutputLine("log", b"on row 2"), OutputLine("stderr", b"a <b>bold</b> one"))
        ),
        Passage(1, 1, 1, (OutputLine("stderr", b"words of elm"),)),
    )
    return page_of(recorded("leaves", most=5, fault=fault), said)


AT = """() => ({
  index: Number(document.querySelector("#slider").value),
  head: document.querySelector("#head").textContent,
  current: [...document.querySelectorAll("#actions a[aria-current=step]")].map(node => node.hash),
  cursors: [...document.querySelectorAll(".cursor")].map(node => node.getAttribute("d")),
})"""


def at(page: Any) -> int:
    """Return the position shown: the heading, the slider, the list and the plots agree on it."""
    found = page.evaluate(AT)
    index = int(found["index"])
    assert found["head"] == "Setup" if index == 0 else found["head"].startswith(f"{index}. ")
    assert found["current"] == [f"#{index}"]
    assert all(cursor.startswith(f"M{index} ") for cursor in found["cursors"])
    return index


def wait_for(page: Any, index: int) -> None:
    page.locator(f"#actions a[aria-current][href='#{index}']").wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_every_position_of_every_game_is_drawn(open_page: Open, game: str) -> None:
    """Each step shows one board, with a title and no part of it that is no SVG."""
    record = recorded(game, most=16)
    drawn = pictures_of(record)
    page = open_page(page_of(record))
    last = page.locator("#slider").evaluate("node => Number(node.max)")
    titles = set()
    for index in range(last + 1):
        assert at(page) == index
        found = page.evaluate(DRAWN)
        assert found["wrong"] == 0
        assert found["shapes"] == [shape(drawn[index])]
        titles.add(found["title"])
        page.keyboard.press("ArrowRight")
    assert index + 1 == len(drawn)
    assert len(titles) > 1
    width = page.locator("#board > svg").evaluate("node => node.getBoundingClientRect().width")
    assert width > 200


@pytest.mark.usefixtures("small_games")
def test_pictures_of_plug_ins_in_our_style_are_images(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of them gets into the page, so that nothing runs and nothing is requested."""
    monkeypatch.setattr(ValueState, "svg", lambda *_: frame("Pebbles", [], "", (300, 300), EVIL))
    page = open_page(page_of(recorded("pebbles", most=3)), at="#2")
    image = page.locator("#board > img")
    image.evaluate("node => node.decode()")
    assert image.evaluate("node => node.naturalWidth") > 0
    assert page.locator("iframe, foreignObject, #board svg, #board a").count() == 0


def test_keys_step_through_match(open_page: Open) -> None:
    """The arrow keys step through a match."""
    page = open_page(small())
    places = []
    for key in ("ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"):
        page.keyboard.press(key)
        places.append(at(page))
    assert places == [0, 1, 2, 1, 6, 6, 0]


def test_space_plays_and_stops(open_page: Open) -> None:
    """It plays to the end by itself and stops there; from the end it plays from the beginning."""
    page = open_page(small())
    page.locator("#speed").select_option("8")
    page.locator("h1").click()
    page.keyboard.press(" ")
    assert page.locator("#play").get_attribute("aria-label") == "Pause"
    wait_for(page, 6)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.locator("#speed").select_option("0.5")
    page.locator("h1").click()
    page.keyboard.press(" ")
    assert at(page) == 0
    assert page.locator("#play").get_attribute("aria-label") == "Pause"
    page.keyboard.press(" ")
    assert page.locator("#play").get_attribute("aria-label") == "Play"


def test_buttons_step_through_match(open_page: Open) -> None:
    """The buttons step through a match."""
    page = open_page(small())
    places = []
    for name in ("Forward", "Forward", "Back", "Last position", "First position"):
        page.get_by_role("button", name=name, exact=True).click()
        places.append(at(page))
    assert places == [1, 2, 1, 6, 0]
    assert page.get_by_role("button", name="Back", exact=True).is_disabled()


def test_links_lead_to_positions(open_page: Open) -> None:
    """An address opens its position, follows the steps, and can be changed."""
    page = open_page(small(), at="#3")
    assert at(page) == 3
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#4")
    page.evaluate("location.hash = '#2'")
    wait_for(page, 2)
    assert at(page) == 2
    page.keyboard.press("ArrowRight")
    page.locator("#actions a").nth(2).click()  # the address still says so
    wait_for(page, 2)
    page.locator("#actions a").nth(5).click()
    wait_for(page, 5)
    page.get_by_role("link", name="Show the position.").click()
    wait_for(page, 6)
    assert at(page) == 6


@pytest.mark.parametrize(("address", "place"), [("#99", 6), ("#x", 0), ("#-1", 0), ("#1e0", 0)])
def test_invalid_address_shows_first_or_last(open_page: Open, address: str, place: int) -> None:
    """An address past the end shows the last position, any other invalid one the first."""
    assert at(open_page(small(), at=address)) == place


def test_plots_lead_to_positions(open_page: Open) -> None:
    """A click on a plot goes to the position under it."""
    page = open_page(small())
    plot = page.locator(".plot").first
    box = plot.bounding_box()
    plot.click(position={"x": box["width"] * 4.5 / 7, "y": box["height"] / 2})
    assert at(page) == 4


TAGS = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "--><!--<script>alert(1)//",
    "&lt;script&gt;",
    "javascript:alert(1)",
)


LONG = "w" * 10**5
HIDDEN = "[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b\u200b]"


def nothing_happened(page: Any) -> None:
    """Assert that a page is as wide as its window, and that all of it is ours and can be seen."""
    assert page.locator("script").count() == 3
    assert page.locator("img, iframe, #details *:not(dl, dt, dd, h3, pre)").count() == 0
    assert looks.overflow(page) == 0
    shown = page.locator("body").evaluate("node => node.innerText")
    assert not re.search(HIDDEN, shown)


@pytest.mark.parametrize("hostile", [*TAGS, "a\u202eb", LONG], ids=lambda text: ascii(text)[:30])
def test_names_stay_text(open_page: Open, hostile: str) -> None:
    """Names, numbers, and what a fault was make no element, and run nothing."""
    fault = Fault(0, Termination.CRASH, 3, hostile, stderr=hostile)
    record = recorded(
        "leaves", most=4, bots=(hostile, "elm"), fault=fault, info=((hostile[:50], hostile),)
    )
    page = open_page(page_of(record), at="#1", size=(360, 740))
    assert at(page) == 1
    assert page.locator("#details dt").count() == 3
    nothing_happened(page)


def test_words_stay_text(open_page: Open) -> None:
    """So does each line of a log; what cannot be seen is shown as a code."""
    texts = [*TAGS, *HOSTILE, *HARMLESS, LONG[:50_000]]
    data = "\n".join(texts).encode("utf-8", "surrogatepass")
    said = (Passage(0, 1, 0, (OutputLine("log", data), OutputLine("stderr", data))),)
    page = open_page(page_of(recorded("leaves", most=2), said), at="#1", size=(360, 740))
    logged, written = page.locator("#details pre").all_text_contents()[:2]
    assert all(text in logged and text in written for text in (*TAGS, *HARMLESS))
    assert "a\\u202eb" in logged
    nothing_happened(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_replay_is_readable(
    open_page: Open, accessible: Callable[[Any], None], scheme: str
) -> None:
    """The controls of a replay have names, and its texts contrast, light and dark."""
    page = open_page(small(), at="#3", scheme=scheme)
    accessible(page)
    page.keyboard.press("End")
    accessible(page)


@pytest.mark.parametrize("game", GAMES)
def test_it_fits_a_phone(open_page: Open, game: str) -> None:
    """At 360 pixels the page is not wider than its window, and buttons can be hit."""
    page = open_page(page_of(recorded(game, most=30)), at="#20", size=(360, 740))
    assert looks.overflow(page) == 0
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 40
        assert 0 <= box["x"] <= 360 - box["width"]
    board = page.locator("#board svg").first.bounding_box()
    assert board["width"] >= 200


def test_a_costly_decision_has_a_mark_and_says_what_was_better(open_page: Open) -> None:
    """The mark has a name that says it all; the details say it at that position alone."""
    record = recorded("leaves", most=5)
    states = replay_states(record)
    best = next(one for one in states[2].legal_actions(0) if one != record.actions[2][1])
    costly = replace(explanation().decisions[1], best=best, low=0.5)
    found = replace(explanation(), decisions=(*explanation().decisions[:1], costly))
    page = open_page(replay_page(record, states, (), explanation=found))
    wait_for(page, 3)  # where it opens
    mark = page.get_by_role("img", name=f"costly: {best}, 51 % to win instead of 20 %")
    assert mark.count() == 1
    page.keyboard.press("Home")
    page.get_by_role("button", name="Next mistake").click()
    wait_for(page, 3)
    assert at(page) == 3
    assert f"{best}, 51 % to win instead of 20 %" in page.locator("#details").inner_text()
    assert (
        page.get_by_role("img", name=re.compile("^What each action of oak was worth")).count() == 1
    )
    played = page.locator("#board").inner_html()
    page.keyboard.press("b")
    assert page.locator("#board.ghost").inner_html() != played
    assert best in page.get_by_role("status").filter(has_text="Not played").inner_text()
    page.keyboard.press("b")
    assert page.locator("#board:not(.ghost)").inner_html() == played
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("button", name="Better move").is_disabled()
    assert best not in page.locator("#details").inner_text()
