"""Pages of a report, from values made by hand: who met whom, what was won, what is not shown."""

from __future__ import annotations

import html
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from arena.report.findings import findings
from arena.report.site_bot import bot_page
from arena.report.site_index import index_page
from arena.report.site_values import (
    BotFacts,
    BotTally,
    Site,
    Tally,
)
from arena.schedule.knockout import Tie
from arena.site.report import site_pages
from arena.values.costs import Costs
from arena.values.tables import (
    CrossRow,
    CrossTable,
    Leaderboard,
    LeaderboardRow,
    MatchRow,
    SeatRow,
    Unexpected,
)

TAG = re.compile(r"\s*<[^>]*>\s*")


def row(rank: int, bot: str, wins: int, losses: int, **more: object) -> LeaderboardRow:
    values: dict[str, object] = {
        "version": 1,
        "score": 1600.0 - 100 * rank,
        "rating": "order-free",
        "mu": 25.0,
        "sigma": 8.0,
        "draws": 0,
        "mean_rank": 1.5,
        "mean_ms": 2.5,
        "faults": {},
        "low": 1550.0 - 100 * rank,
        "high": 1650.0 - 100 * rank,
        "seats": (SeatRow(0, wins, 0, losses),),
    }
    values |= {"rank": rank, "bot": bot, "games": wins + losses, "wins": wins, "losses": losses}
    return LeaderboardRow(**{**values, **more})  # type: ignore[arg-type]


def facts(bot: str, version: int = 1) -> BotFacts:
    """Return a version of a tree that has not played."""
    return BotFacts(bot, "tree", version, BotTally())


def site(**more: object) -> Site:
    """Return a report of oak, who beat elm three times of four."""
    values: dict[str, object] = {
        "label": "cup",
        "state": "finished",
        "format": "round-robin",
        "games": ("leaves",),
        "created": "2026-01-01T00:00:00Z",
        "last_run": "2026-01-02T00:00:00Z",
        "tally": Tally(4, {"oak": [(1, 1600.0), (2, 1650.0)], "elm": [(2, 1350.0)]}),
        "board": Leaderboard("cup", (row(1, "oak", 3, 1), row(2, "elm", 1, 3, version=2))),
        "cross": CrossTable(
            "cup",
            ("oak", "elm"),
            (CrossRow("oak", "elm", None, 3, 0, 1), CrossRow("elm", "oak", None, 1, 0, 3)),
        ),
        "bracket": False,
        "rounds": (),
        "bots": (facts("oak", 1), facts("elm", 2)),
        "config": "{}",
        "seed": "7",
        "seed_hash": "",
        "public": False,
    }
    return Site(**{**values, **more})  # type: ignore[arg-type]


def rows_of(page: str) -> list[list[str]]:
    """Return the rows of a page's tables, as texts of cells."""
    rows = re.findall(r"(?s)<tr\b.*?</tr>", page)
    cells = [re.findall(r"(?s)<t[hd]\b[^>]*>(.*?)</t[hd]>", row) for row in rows]
    return [[html.unescape(TAG.sub("", cell)).strip() for cell in row] for row in cells]


def test_costs_table_needs_reported_costs() -> None:
    """The first page has a table of costs only if a bot reported some."""
    oak, elm = row(1, "oak", 3, 1, costs=Costs(1200, 30, 4, 0.25)), row(2, "elm", 1, 3)
    page = index_page(site(board=Leaderboard("cup", (oak, elm))))
    assert ["oak", "1200", "30", "4", "0.25"] in rows_of(page)
    assert ["elm", "0", "0", "0", "0"] in rows_of(page)
    assert 'id="costs"' not in index_page(site())


BEYOND = (row(1, "oak", 4, 0, los=0.9999), row(2, "elm", 0, 4, score=1400.0))
GIVEN = Unexpected("elm", "oak", 38.5, 40, 22.4)
FINAL = (("final", (Tie(("elm", "oak"), (Fraction(1), Fraction(3)), winner="oak"),)),)


@pytest.mark.parametrize(
    ("rows", "more", "said"),
    [
        # a normal gap of 100 is above 0 by the likelihood of a deviation of 1 if 100 is 1 of them
        (
            (row(1, "oak", 3, 1, los=0.8413), row(2, "elm", 1, 3)),
            {},
            ["oak is 100 ± 196 Elo ahead of elm; 84.1 % sure."],
        ),
        (BEYOND, {}, ["oak won all of its 4 matches."]),
        (
            (row(1, "oak", 3, 1, points=2.5), row(2, "elm", 1, 3, points=2.5, score=1500.0)),
            {},
            [
                "oak and elm lead with 2.5 points.",
                "oak and elm share the first place of the rating.",
            ],
        ),
        (
            (row(1, "oak", 3, 1, reached="winner", los=0.9995), row(2, "elm", 1, 3)),
            {"rounds": FINAL},
            [
                "oak won the knockout, the final against elm 3:1.",
                "oak is 100 Elo ahead of elm; more than 99.9 % sure.",
            ],
        ),
        ((row(1, "oak", 0, 0), row(2, "elm", 0, 0)), {}, []),
        (
            BEYOND,
            {"cross": CrossTable("cup", ("oak", "elm"), (), (GIVEN,) * 5)},
            [
                "oak won all of its 4 matches.",
                *["elm scored 38.5 of 40 against oak, expected 22.4."] * 3,
                "Unexpected as well: 2 more pairs.",
            ],
        ),
    ],
)
def test_findings_name_winner_and_odd_results(
    rows: tuple[LeaderboardRow, ...], more: dict[str, Any], said: list[str]
) -> None:
    """The findings say who won or leads, by how much, how surely, and what was unexpected."""
    assert findings(site(board=Leaderboard("cup", rows), **more)) == said


def test_of_many_bots_the_best_are_shown() -> None:
    """All are in the leaderboard and in the file beside it; the square holds the best sixty."""
    names = [f"b{number}" for number in range(70)]
    rows = tuple([row(place, name, 3, 1) for place, name in enumerate(names, start=1)])
    met = tuple([CrossRow(a, b, None, 1, 0, 0) for a in names for b in names if a != b])
    cup = site(
        board=Leaderboard("cup", rows),
        cross=CrossTable("cup", tuple(names), met),
        bots=tuple([facts(name) for name in names]),
    )
    page = index_page(cup)
    board = cup.board._replace(weightless=2, same_deal=3)
    assert "one another. 2 matches" in (counted := index_page(cup._replace(board=board)))
    assert "nothing. 3 matches" in counted
    assert page.count('href="bots/70-b69.html"') == 1
    assert page.count("against b60: ") == 0
    assert page.count("against b59: ") == 59
    assert 'href="crosstable.csv"' in page
    lines = site_pages(cup, Path())["crosstable.csv"]().splitlines()
    assert len(lines) == 71
    assert lines[70].split(",") == ["b69", *["100"] * 69, ""]


def test_commands_name_the_tournament_for_a_shell() -> None:
    """Whatever bots and tournaments are called, what is copied runs that command alone."""
    match = MatchRow(
        (1, 3), ("a; b's", "elm"), (1, 1), game="leaves", by="rules", id="0" * 14 + "aa"
    )
    bot = facts("a; b's")
    bot.tally.last.append(match)
    rows = (row(1, "a; b's", 3, 1), *site().board.rows[1:])
    cup = site(label="cup $x#2", bots=(bot,), board=Leaderboard("cup", rows))
    cup = cup._replace(cross=CrossTable("cup", (), ()))
    commands = html.unescape(index_page(cup) + bot_page(cup, bot))
    for line in (
        "arena verify --ratings 'cup $x#2' ",
        "arena export 'cup $x#2' -o ",
        """arena matches 'cup $x#2' --bot 'a; b'"'"'s'</code>""",
    ):
        assert line in commands
