"""The page of ``arena balance`` in a browser: names, contrast, phones, and nothing it asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.report.balance_page import balance_page
from arena.stats.fairness import MirrorRow, balance
from arena.stats.shape_of_games import PlayedMatch
from arena.stats.weights import moves_hash

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page_text() -> str:
    """A game between three kinds of bots, one with a hostile name."""
    rows = []
    for bot in ("random", "<b>bold</b>", "n" * 60):
        matches = []
        for number in range(40):
            seen = (4, 1, *(2,) * number), {"E": 3}, (2.0, 1.0), (), "rules", f"E{number % 3}"
            play = moves_hash(str(number), "")
            ranks = (1, 2) if number % 3 else (2, 1)
            matches.append(PlayedMatch(number, (bot, bot), ranks, play, *seen))
        row = MirrorRow("leaves", bot, balance(matches), 40, 1.0, 0, 0, 0)
        rows += [row, row._replace(game="leaves(tree=u)")]
    return balance_page(rows, [], 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900), (360, 640)])
def test_balance_page_is_readable(
    open_page: Callable[..., Any],
    accessible: Callable[[Any], None],
    page_text: str,
    scheme: str,
    size: tuple[int, int],
) -> None:
    """The page of ``balance`` has names, contrast, and no more than a phone's width."""
    page = open_page(page_text, scheme=scheme, size=size)
    accessible(page)
    assert page.locator("svg.graph").count() == 6
    assert page.locator("b", has_text="bold").count() == 0
    page.locator("summary").first.click()
    assert page.locator("details table").first.is_visible()
