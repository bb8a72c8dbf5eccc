"""axe-core, which knows the rules of accessible pages, finds nothing on any page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.explained import explanation
from support.recorded import recorded
from support.serving import Serving
from support.slowly import nightly

from arena.record.replay import replay_states
from arena.report.replay_page import replay_page
from engines import game_names

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SEEN = ["leaves", "treeblox", "the_tree"]  # pages of their replays are looked at every time
LOST = "Failed to load resource"  # the server ends before the page does
LOOKS = [((1280, 900), "light"), ((390, 844), "dark")]


@pytest.fixture
def clean(open_page: Callable[..., Any], accessible: Callable[[Any], None]) -> Callable[..., None]:
    """Give a function that looks at a page, wide and narrow, light and dark."""

    def clean(text: str | Path, ready: str = "main") -> None:
        for size, scheme in LOOKS:
            page = open_page(text, size=size, scheme=scheme, lost=LOST)
            page.locator(ready).first.wait_for()
            accessible(page)
            if page.locator("#primer[open]").count():  # above the board, which is not looked at
                page.locator("#close").click()
                accessible(page)
            page.close()

    return clean


@pytest.mark.parametrize("game", [*SEEN, "arborius"])
def test_replay_is_accessible(clean: Callable[..., None], game: str) -> None:
    """The page of a match passes axe-core, in every game."""
    record = recorded(game, most=8)
    clean(replay_page(record, replay_states(record), ()), "#board svg")


def test_explanation_is_accessible(clean: Callable[..., None]) -> None:
    """The page of an explained match passes axe-core."""
    record = recorded("leaves", most=5)
    states = replay_states(record)
    clean(replay_page(record, states, (), explanation=explanation()), "#mistake")


def test_lobby_is_accessible(
    clean: Callable[..., None], open_page: Callable[..., Any], tmp_path: Path
) -> None:
    """The lobby, and the pages to begin and to join, pass axe-core."""
    with Serving(tmp_path, "--play") as lobby:
        page = open_page(lobby.address, lost=LOST)
        card = page.locator("form", has_text="Connect Four")
        card.get_by_role("button", name="With a friend").click()
        page.locator("#board .lit").first.wait_for()
        invitation = page.get_by_label("The link for a friend").input_value()
        clean(lobby.address, "form")
        clean(invitation, "#join")
        clean(page.url, "#board .lit")


@pytest.mark.parametrize("game", [*nightly(SEEN), *sorted({*game_names()} - {*SEEN})])
def test_page_of_match_is_accessible(clean: Callable[..., None], tmp_path: Path, game: str) -> None:
    """The page of a match that is played passes axe-core."""
    words = (game, "human", "random", "--web", "--seed", "5")
    with Serving(tmp_path, *words, command="play") as match:
        clean(match.address, "#board > *")
