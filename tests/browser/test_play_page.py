"""Matches in Chromium: by clicks on the board, by keyboard, on a phone, with hidden hands."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support import looks
from support.arena_command import arena
from support.serving import Playing, Serving
from support.slowly import nightly, slowly

from arena.record.record import parse_record

pytestmark = pytest.mark.timeout(300)

Open = Callable[..., Any]
LIT = "#board .lit"
LOST = "Failed to load resource"  # the server ends before the page does
# games that end soon where one side plays what it finds first
GAMES = [*slowly(["connect_four"])]
GAMES += nightly(["build_your_arboretum", "leaves", "the_tree", "treeblox", "arborius"])
SHORT = "arborius(max_turns=3)"  # else pieces may go and come back for 200 turns
SIX = [*slowly(["build_your_arboretum", "leaves"])]
SIX += nightly([SHORT, "connect_four", "the_tree", "treeblox"])
# has the page a turn by its title and by its status, can anything be chosen, and after how much?
TURN = """() => {
  const texts = [document.title, document.querySelector("#status").textContent];
  const turns = texts.map((text) => text.startsWith("Your turn"));
  const lit = Boolean(document.querySelector("#board .lit"));
  return [...turns, lit, document.querySelectorAll("#log li, #board .chosen").length];
}"""
CLICK = """(number) => {
  const open = [...document.querySelectorAll("#board .lit")];
  open[(number * 7) % open.length]?.dispatchEvent(new Event("click"));
}"""
RESIGN = "() => [1, 2].forEach(() => document.querySelector('#resign').click())"
# notes when which step was on the page, and whether somebody else acted there
SHOWN = """() => {
  const note = (when) => {
    const rows = [...document.querySelectorAll("#log li")];
    const at = rows.findIndex((row) => row.matches("[aria-current]"));
    if (at >= 0) window.seen.push([at, !rows[at].textContent.startsWith("You "), when]);
  };
  window.seen = [];
  note(0); // it was there before
  const observer = new MutationObserver(() => note(performance.now()));
  observer.observe(document.querySelector("#log"), { childList: true });
  window.noted = () => {
    const seen = window.seen;
    window.seen = [];
    note(0);
    return seen;
  };
}"""
SMALL = """() => [...document.querySelectorAll("button, #board text, p, li")].filter((node) => {
  const box = node.getBoundingClientRect();
  const scale = node.getScreenCTM ? node.getScreenCTM().a : 1;
  const size = parseFloat(getComputedStyle(node).fontSize) * scale;
  return box.width && node.textContent.trim() && size < 10.9;
}).map((node) => node.textContent)"""


def read(page: Any) -> Any:
    """Close the primer, which is open at the first match of a browser."""
    page.locator("#primer #close").click()
    return page


def click_on(page: Any, *, most: int | None = None) -> int:
    """Click lit parts of the board until the match is over; return how many clicks it took.

    After ``most`` clicks, if that is given, it may go on.
    """
    clicks = 0
    while clicks < (most or 600):
        page.wait_for_function(
            f"() => document.querySelector('{LIT}') || !document.querySelector('#record').hidden"
        )
        if page.locator("#record").is_visible():
            return clicks
        assert page.evaluate(CLICK, clicks) is None
        clicks += 1
    assert most, "the match does not end"
    return clicks


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_clicks(open_page: Open, tmp_path: Path, game: str) -> None:
    """Nothing but the board is needed; the record that it leaves is right by the rules."""
    kept = tmp_path / "record.json"
    with Playing(tmp_path / "home", game, "human", "random", "--record", str(kept)) as match:
        page = open_page(match.address, lost=LOST)
        read(page)
        page.locator(LIT).first.wait_for()
        assert page.locator(f"{LIT}:not([aria-label])").count() == 0
        assert click_on(page) > 0
        assert "won" in (said := page.locator("#status").text_content()) or "draw" in said
        page.locator("#record").click()
        page.locator("#slider").wait_for()
        while not kept.exists():
            page.wait_for_timeout(50)
    assert arena(tmp_path / "home", "verify", str(kept)).returncode == 0
    assert any(seat == 0 for seat, *_ in parse_record(kept.read_text()).actions)


@pytest.mark.slow
def test_a_whole_match_by_keyboard(open_page: Open, tmp_path: Path) -> None:
    """The tab key reaches what can be chosen, Enter chooses it, Backspace takes it back."""
    with Playing(tmp_path, "leaves", "human", "random") as match:
        page = open_page(match.address, lost=LOST)
        read(page)
        page.locator(LIT).first.wait_for()
        presses = 0
        page.locator("#board").focus()
        while not page.locator("#record").is_visible():
            presses += 1
            assert presses < 2000
            on_board = page.evaluate("document.activeElement.matches('#board .lit')")
            if on_board and page.locator("#board .chosen").count() and presses % 5 == 0:
                page.keyboard.press("Backspace")
                assert page.locator("#board .chosen").count() == 0
                page.locator("#board").focus()
            page.keyboard.press("Enter" if on_board else "Tab")
            if page.evaluate("!document.activeElement.closest('#board')"):
                page.locator("#board").focus()
        assert page.locator("#log li").count() == 12  # with the beginning


@pytest.mark.slow
def test_match_page_fits_phone(open_page: Open, tmp_path: Path) -> None:
    """On a phone the page of a match is not too wide, no text is tiny, the board is first."""
    with Playing(tmp_path, "leaves", "human", "greedy") as match:
        page = open_page(match.address, size=(390, 844), scheme="dark", lost=LOST)
        page.locator(LIT).first.wait_for(state="attached")
        assert page.locator(".rules img").first.is_visible()
        read(page)
        assert looks.overflow(page) == 0
        assert page.evaluate(SMALL) == []
        board, side = (page.locator(name).bounding_box() for name in ("#board", ".side"))
        assert board["y"] < side["y"]
        click_on(page)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["arborius", "build_your_arboretum"])
def test_pieces_on_a_phone(open_page: Open, tmp_path: Path, game: str) -> None:
    """On a phone, a wide board is split into pieces below each other, and the legend is collapsed.

    Each part is drawn once. A click causes fewer layouts of the page than the board has texts.
    """
    with Playing(tmp_path, game, "human", "random") as match:
        wide = open_page(match.address, lost=LOST)
        page = open_page(match.address, size=(390, 844), lost=LOST)
        for one in (wide, page):
            one.locator(LIT).first.wait_for(state="attached")
            read(one)
        parts = [one.locator("#board [data-choices]").count() for one in (wide, page)]
        assert parts[0] == parts[1] > 0
        assert looks.overflow(page) == 0
        assert page.evaluate(SMALL) == []
        boxes = [svg.bounding_box() for svg in page.locator(".pieces > .piece > svg").all()]
        lows = [box["y"] + box["height"] for box in boxes]
        gardens = [box for box in boxes if box["height"] > 250]
        if game == "arborius":
            assert page.locator("details svg").first.is_hidden()
            page.get_by_text("Legend").click()
            assert page.locator("details svg").first.is_visible()
        else:
            assert [box["x"] for box in gardens] == 2 * [gardens[0]["x"]]
            assert gardens[1]["y"] >= min(low for low in lows if low > gardens[0]["y"] + 250)
        counts = page.context.new_cdp_session(page)
        counts.send("Performance.enable")
        click_on(page, most=12)
        counted = counts.send("Performance.getMetrics")["metrics"]
        [layouts] = (one["value"] for one in counted if one["name"] == "LayoutCount")
        assert layouts < 12 * page.locator("#board text").count()


@pytest.mark.parametrize("game", SIX)
def test_two_browsers(open_page: Open, tmp_path: Path, game: str) -> None:
    """One player or both can always move, and both browsers show the current board."""
    with Playing(tmp_path, game, "human", "human") as match:
        one, two, watcher = (open_page(match.at(link), lost=LOST) for link in match.links[1:])
        for page in (one, two):
            read(page)
            page.locator("#pace").uncheck()
        for _ in range(3000):
            for page in (one, two):
                page.wait_for_function("() => document.querySelector('#board > *')")
                turns, says, lit, made = page.evaluate(TURN)
                assert turns == says
                assert turns or not lit
                if lit and made > 12 and game == "build_your_arboretum":  # it has up to 122
                    page.evaluate(RESIGN)
                elif lit:
                    page.evaluate(CLICK, made)  # not by how often a busy machine looks
            if one.locator("#record").is_visible():
                break
        else:
            pytest.fail("the match does not end")
        for page in (one, two, watcher):
            page.locator("#record").wait_for()
        said = [page.locator("#status").text_content() for page in (one, two)]
        assert any(text.startswith("You won") for text in said) or "draw" in said[0]
        rows = [page.locator("#log li").count() for page in (one, two, watcher)]
        assert rows == [rows[0]] * 3
        one.keyboard.press("ArrowLeft")
        one.get_by_text(f"Position {rows[0] - 2} of {rows[0] - 1}").wait_for()
        two.locator("#log button").first.click()
        two.get_by_text(f"Position 0 of {rows[0] - 1}").wait_for()


@pytest.mark.slow
def test_moves_of_others_are_shown_one_by_one(open_page: Open, tmp_path: Path) -> None:
    """Looked back while playing: no choices; then back to the turn. Resign asks, and forgets."""
    with Playing(tmp_path, "leaves", "human", "greedy") as match:
        page = read(open_page(match.address, lost=LOST))
        click_on(page, most=4)
        page.wait_for_function("() => document.querySelectorAll('#log li').length > 2")
        page.locator(LIT).first.wait_for()
        page.keyboard.press("ArrowLeft")
        page.get_by_text("leads back").wait_for()
        assert page.locator(LIT).count() == 0
        page.keyboard.press("ArrowRight")
        page.locator(LIT).first.wait_for()
        page.locator("#resign").click()
        page.get_by_text("Really resign?").wait_for()
        page.locator("#resign", has_text=re.compile("^Resign$")).wait_for()
        page.reload()
        page.locator(LIT).first.wait_for()
        assert page.locator("#primer").is_hidden()  # it was read
        page.locator("#how").click()
        assert page.locator("#primer").is_visible()


def pauses(page: Any) -> list[float]:
    """Return the ms between the moves of others that were shown since this was last asked."""
    first: dict[int, float] = {}
    for at, others, when in page.evaluate("() => window.noted()"):
        if others:
            first.setdefault(at, when)
    times = [first[at] for at in sorted(first)]
    return [later - earlier for earlier, later in pairwise(times)]


@pytest.mark.slow
def test_each_move_of_others_stays_a_while(open_page: Open, tmp_path: Path) -> None:
    """Each is shown for at least 400 ms, or none of them; the switch is kept.

    It is off for who wants no motion. While it is off, the page needs no timer to come to the turn.
    """
    with Playing(tmp_path, "the_tree(players=3)", "human", "random", "random") as match:
        page = read(open_page(match.address, lost=LOST))
        page.locator(LIT).first.wait_for()
        page.evaluate(SHOWN)
        click_on(page, most=9)
        page.locator(LIT).first.wait_for()
        found = pauses(page)
        assert len(found) >= 3
        assert min(found) > 390
        steps = page.locator("#log li").count()
        page.locator("#undo").click()
        page.wait_for_function(f"() => document.querySelectorAll('#log li').length < {steps}")
        page.locator(LIT).first.wait_for()
        page.locator("#pace").uncheck()
        page.clock.install()
        page.clock.pause_at(time.time() + 60)
        click_on(page, most=6)
        page.locator(LIT).first.wait_for()
        page.clock.resume()
        page.reload()
        page.locator(LIT).first.wait_for()
        assert not page.locator("#pace").is_checked()  # it is kept
        page.evaluate("() => localStorage.removeItem('pace')")
        for motion, paced in (("reduce", False), ("no-preference", True)):
            page.emulate_media(reduced_motion=motion)
            page.reload()
            page.locator(LIT).first.wait_for()
            assert page.locator("#pace").is_checked() == paced


@pytest.mark.slow
def test_a_friend_asks_and_goes_away(open_page: Open, tmp_path: Path) -> None:
    """Who has to agree is asked above the board, by name; who waits is told that nobody is there.

    A page that is loaded again is at the present at once.
    """
    with Playing(tmp_path, "connect_four", "human", "human") as match:
        one, two = (read(open_page(match.at(link), lost=LOST)) for link in match.links[1:3])
        click_on(one, most=1)
        two.locator(LIT).first.wait_for()
        one.locator("#undo").click()
        asks = two.get_by_text("Person 1 asks")
        asks.wait_for()
        assert asks.bounding_box()["y"] < two.locator("#board").bounding_box()["y"]
        two.get_by_role("button", name="Refuse").click()
        two.locator("#agree").wait_for(state="hidden")
        two.reload()
        two.locator(LIT).first.wait_for()
        assert two.locator("#log li").last.get_attribute("aria-current") == "step"
        two.goto("about:blank")
        one.get_by_text("is away").wait_for(timeout=60_000)


@pytest.mark.slow
def test_a_match_that_makes_room(open_page: Open, tmp_path: Path) -> None:
    """Its page says so, and offers nothing any more; neither does its link."""
    room = "MOST_MATCHES=1 UNWANTED_SECONDS=0"
    with Serving(tmp_path, "--play", limits=room) as lobby:
        asked = json.dumps({"game": "connect_four", "seats": ["human", "random"]})
        kind = {"Content_Type": "application/json"}

        def begin() -> str:
            return str(json.loads(lobby.ask("new", "POST", asked, **kind)[1])["link"])

        link = begin().removeprefix("..")
        page = open_page(lobby.at(link), lost=LOST)
        page.locator(LIT).first.wait_for()
        begin()
        page.get_by_text("made room").wait_for()
        assert page.locator("main").evaluate("node => node.inert")
        answer, text = lobby.ask(link)
        assert (answer.status, "made room" in text) == (410, True)


@pytest.mark.slow
def test_friends_meet_by_one_link(open_page: Open, tmp_path: Path) -> None:
    """From a card of the lobby to a match; a friend takes the seat by its link, and may come back.

    On a board the keyboard goes by arrows and letters, and stays at its place.
    """
    with Serving(tmp_path, "--play") as lobby:
        ann = open_page(lobby.address, lost=LOST)
        ann.get_by_label("Your name").fill("Ann")
        card = ann.locator("form", has_text="Connect Four")
        card.get_by_role("button", name="With a friend").click()
        read(ann).locator(LIT).first.wait_for()
        link = ann.get_by_label("The link for a friend").input_value()
        assert ann.locator(".invite svg").is_visible()
        bob = open_page(link, lost=LOST)
        bob.get_by_label("Your name").fill("Bob")
        bob.get_by_role("button", name="Take a seat").click()
        read(bob)
        ann.locator("#invite").wait_for(state="hidden")
        assert ann.evaluate("document.activeElement.id") != "board"
        for key, name in (("a", "a"), ("ArrowRight", "b"), ("d", "d"), ("ArrowLeft", "c")):
            ann.keyboard.press(key)
            assert ann.evaluate("document.activeElement.ariaLabel") == f"column {name}"
        ann.keyboard.press("Enter")
        bob.get_by_role("button", name="column a", exact=True).click()
        ann.wait_for_function("() => document.activeElement.ariaLabel?.includes('column c')")
        assert ann.locator("#board > svg").get_attribute("role") == "group"
        bob.goto(link)
        bob.get_by_role("link", name="Back to your seat").click()
        bob.locator("main.playing").wait_for()


@pytest.mark.slow
def test_a_round_is_not_given_up_by_one_key(open_page: Open, tmp_path: Path) -> None:
    """A key that is pressed twice gives up no turns; a mark ends when the mouse leaves its row."""
    with Playing(tmp_path, "build_your_arboretum", "human", "random") as match:
        page = read(open_page(match.address, lost=LOST))
        page.locator(LIT).first.wait_for()
        if page.get_by_role("button", name=re.compile("^first:")).count():
            click_on(page, most=1)
        bid = page.get_by_role("img", name="bid", exact=True)
        bid.wait_for()  # it is no button yet
        rows = page.locator("#choices button")
        rows.nth(1).hover()
        page.locator("#board .shown").first.wait_for(state="attached")
        page.mouse.move(1, 1)
        page.wait_for_function("() => !document.querySelector('#board .shown')")
        page.get_by_role("button", name="1 garden", exact=True).focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="bid", exact=True).focus()
        page.keyboard.press("Enter")
        page.locator(LIT).first.wait_for(state="hidden")
        page.locator(LIT).first.wait_for()
        assert page.evaluate("() => document.activeElement.id") == "board"
