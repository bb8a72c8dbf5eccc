"""The page of ``arena balance``, from values made by hand."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from support.hostile_names import HOSTILE

from arena.report.balance_page import balance_page
from arena.report.balance_text import verdict_text
from arena.stats.fairness import MirrorRow, MixedRow, PlayedMatch, balance, skill
from arena.stats.shape_of_games import Waypoints
from arena.stats.weights import moves_hash


def rows(bot: str = "oak", game: str = "leaves") -> tuple[list[MirrorRow], list[MixedRow]]:
    """Return one measurement of four deals, of which player 0 wins three."""
    matches = [played(number, bot) for number in range(4)]
    rest = (4, 60_000.0, 0, 0, 0)
    mirror = MirrorRow(game, bot, balance(matches), *rest)
    return [mirror], [MixedRow(game, bot, "elm", skill([(0, m) for m in matches]), *rest, True)]


def played(number: int, bot: str) -> PlayedMatch:
    ranks = (1, 2) if number else (2, 1)
    length = 3 + number
    way = Waypoints((4, 1, *(2,) * (length - 2)), (0,) * length, 0, 1.0, "rules", bot, 1.0)
    play = moves_hash(str(number), "")
    return PlayedMatch(number, (bot, bot), ranks, play, length, 9, {"move": length}, (2, 1), way)


def test_the_page_says_what_the_text_says() -> None:
    """Verdict, intervals, choices, lengths and first actions are there, in charts with titles."""
    mirrors, mixed = rows()
    page = balance_page(mirrors, mixed, 1)
    assert verdict_text(mirrors[0].balance) in page
    assert "oak - elm" in page
    charts = [ET.fromstring(svg) for svg in re.findall(r"<svg class=\"graph\".*?</svg>", page)]
    assert [chart.findtext("title") for chart in charts] == [
        "Legal actions to choose from",
        "Forced actions, in percent",
        "Length, oak",
    ]
    assert "First actions" in page
    assert "twice as many simulations, Elo +191" in page  # 400 log10(3), of a score of 3/4
    assert "looked at up to 6 times" in balance_page(mirrors, mixed, 6)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_others_wrote_is_text(name: str) -> None:
    """Bots, games and actions are escaped wherever they stand."""
    page = balance_page(*rows(name, name), 1)
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "\u202e" not in page
    assert "Content-Security-Policy" in page
