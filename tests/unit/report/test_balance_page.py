"""The page of ``arena balance``, from values made by hand."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from support.hostile_names import HOSTILE

from arena.report.balance_page import balance_page
from arena.report.balance_text import balance_text, variants, verdict_text, waits_text
from arena.report.charts import histogram
from arena.stats.fairness import MirrorRow, MixedRow, PlayedMatch, balance, skill
from arena.stats.shape_of_games import Waypoints
from arena.stats.weights import play_number


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
    play = play_number(str(number), "")
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


def test_nothing_was_measured() -> None:
    """A game whose matches all failed is on the page, and in the text."""
    row = MirrorRow("leaves", "bad", None, 2, 0.0, 4, 0, 0)
    assert "no match came to its end" in balance_page([row], [], 1)
    assert "4 left out" in balance_text([row], [])


def test_variants_of_one_game_are_compared_and_no_others() -> None:
    """Each with the first of the same rules, bot by bot."""
    games = ("leaves", "leaves(tree=u)", "treeblox")
    mirrors = [row for game in games for row in rows("oak", game)[0]]
    assert [(each.first, each.game) for each in variants(mirrors)] == [("leaves", "leaves(tree=u)")]


def test_how_long_it_takes_to_settle() -> None:
    """A minute a round, over two workers."""
    (row,), _ = rows()
    assert row.balance is not None
    (line,) = waits_text([row], 2)
    assert f"{row.balance.more} more rounds, {row.balance.more / 2:.0f} min" in line


def test_columns_hold_every_number_once() -> None:
    """As high as they are frequent, and several numbers in one where there are many."""
    few = ET.fromstring(histogram("t", "d", "x", [(3, 2), (5, 4)]))
    assert [column.findtext("title") for column in few.iter("path") if len(column)] == [
        "3: 2",
        "5: 4",
    ]
    many = ET.fromstring(histogram("t", "d", "x", [(number, 1) for number in range(100)]))
    titles = [column.findtext("title") or "" for column in many.iter("path") if len(column)]
    assert titles[0] == "0 to 3: 4"
    assert sum(int(title.split(": ")[1]) for title in titles) == 100
