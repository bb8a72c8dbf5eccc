"""The page of a match: each thing stands where it belongs, and what is hidden is nowhere in it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.recorded import recorded

from arena.record.passages import OutputLine, Passage
from arena.record.replay import replay_states
from arena.report import replay_page as module
from arena.report.replay_page import replay_page
from arena.values.model import Decision, Fault, Record, Termination
from engines import load_game


def page(record: Record, said: Sequence[Passage] = (), player: int | None = None) -> str:
    return replay_page(record, replay_states(record), said, player=player)


def data(text: str) -> Any:
    """Return what the page's script reads."""
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', text)
    assert found is not None
    return json.loads(found[1])


def words(seat: int, decision: int, answer: int | None, *lines: tuple[str, bytes]) -> Passage:
    return Passage(seat, decision, answer, tuple(OutputLine(*line) for line in lines))


def test_a_long_match_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has its first actions, says how many it leaves out, and counts all of them."""
    fault = Fault(1, Termination.ILLEGAL, 16, "no such action")
    record = recorded("arborius", most=31, fault=fault)
    assert "A long match" not in page(record)
    monkeypatch.setattr(module, "LONG", 20)
    text = page(record)
    assert "the last 12 actions are not on this page" in text
    found = data(text)
    assert len(found["steps"]) == len(found["frames"]) == 21
    assert text.count('<li><a href="#') == 21
    assert '<td class="num">17</td>' in text


HIDING = ("the_tree", "build_your_arboretum", "draws")


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize("game", HIDING)
@pytest.mark.parametrize("seed", range(3))
def test_a_player_page_is_the_same_whatever_is_hidden(game: str, seed: int) -> None:
    """Two matches that differ in nothing that the player saw give one page, to the byte."""
    rules = load_game(game)
    dealt = rules.new_initial_state(rules.setup(seed))
    first, seen = dealt.observation(None), dealt.observation(0)
    drawn = (rules.sample_state(seen, 0, random.Random(n)).observation(None) for n in range(99))
    other = next(setup for setup in drawn if setup != first)
    pages: list[str] = []
    open_pages: list[str] = []
    for setup, secret in ((first, "J5"), (other, "K7")):
        fault = Fault(1, Termination.ILLEGAL, 1, f"expected {secret}", stderr=secret)
        record = recorded(game, seed, most=0, setup=setup, fault=fault)
        record = replace(
            record,
            seed=len(secret) + len(pages),
            decisions=(Decision(9.0, 1.0, 9.0, info=(("score", secret),)),),
        )
        said = [words(1, 1, 0, ("stderr", secret.encode())), words(0, 1, None, ("log", b"mine"))]
        pages.append(page(record, said, player=0))
        open_pages.append(page(record, said))
    assert pages[0] == pages[1]
    assert "mine" in pages[0]
    assert open_pages[0] != open_pages[1]


SCRIPT = "</script><script>alert(1)</script>"


@pytest.mark.parametrize("hostile", [SCRIPT, "a\u202eb", "\x1b[2J", "{{ 7 * 7 }}", "x" * 10**5])
def test_what_bots_wrote_is_text(hostile: str) -> None:
    """Names, words and numbers open no element, and hide nothing."""
    fault = Fault(1, Termination.CRASH, 2, hostile, stderr=hostile)
    record = recorded(
        "leaves", most=3, bots=(hostile, "elm"), fault=fault, info=((hostile[:60], hostile),)
    )
    text = page(record, [words(0, 1, 0, ("log", hostile.encode()))])
    plain = page(recorded("leaves", most=3, fault=replace(fault, detail="x")), [])
    assert text.count("<script") == plain.count("<script")
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "49" not in data(text)["steps"][1]["head"]
    assert len(text) < 1_500_000


@pytest.mark.usefixtures("small_games")
def test_events_are_shown_to_whom_they_happened() -> None:
    """Each player sees the own hand dealt, and an open page says to whom."""
    record = recorded("draws", most=3)
    events = replay_states(record)[0].events()
    assert {event.player for event in events} == {0, 1}
    for viewer in (0, 1):
        own = [event.text for event in events if event.player in (None, viewer)]
        assert data(page(record, player=viewer))["steps"][0]["events"] == own
    shown = data(page(record))["steps"][0]["events"]
    assert [text for text in shown if "(to player 1)" in text]
