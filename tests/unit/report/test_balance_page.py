"""The page of ``arena balance``, from values made by hand."""

from __future__ import annotations

import pytest
from support.hostile_names import HOSTILE

from arena.report.balance_page import balance_page
from arena.stats.fairness import MirrorRow, MixedRow, balance, skill
from arena.stats.shape_of_games import PlayedMatch
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
    seen = (4, 1, *(2,) * (length - 2)), {"move": length}, (2, 1), (0,) * length, "rules", bot
    return PlayedMatch(number, (bot, bot), ranks, moves_hash(str(number), ""), *seen)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_others_wrote_is_text(name: str) -> None:
    """Bots, games and actions are escaped wherever they stand."""
    page = balance_page(*rows(name, name), 1)
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "\u202e" not in page
    assert "Content-Security-Policy" in page
