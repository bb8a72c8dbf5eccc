"""Tables as text: exact in every format, and harmless whatever a bot is called."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support.hostile_names import HOSTILE

from arena.report.crosstable_text import crosstable_text
from arena.report.leaderboard_text import leaderboard_text
from arena.report.table import csv_table, fit, md_table
from arena.values.errors import UsageError
from arena.values.tables import CrossRow, CrossTable, Leaderboard, LeaderboardRow, OutRow, SeatRow

OAK = LeaderboardRow(
    rank=1,
    bot="oak",
    version=2,
    score=7.8815,
    rating="trueskill",
    mu=29.3958320,
    sigma=7.1714755873,
    games=3,
    wins=2,
    draws=1,
    losses=0,
    mean_rank=1.1666666,
    mean_ms=12.345,
    faults={},
)
ELM = LeaderboardRow(
    rank=2,
    bot="elm",
    version=1,
    score=-0.0000001,
    rating="trueskill",
    mu=20.0,
    sigma=6.66666666,
    games=3,
    wins=0,
    draws=1,
    losses=2,
    mean_rank=None,
    mean_ms=None,
    faults={"crash": 1, "time": 2},
)
BOARD = Leaderboard("open", (OAK, ELM))
RATED = Leaderboard(
    "open",
    (
        OAK._replace(score=1612.5, rating="order-free", low=1567.25, high=1657.75, los=0.9499),
        ELM._replace(score=1499.9, rating="order-free", low=1438.4, high=1561.4, los=0.99999),
        ELM._replace(rank=3, bot="fir", score=1387.6, rating="order-free", high=1437.6),
    ),
)
CROSS = CrossTable(
    "open",
    ("oak", "elm"),
    (
        CrossRow("oak", "elm", None, 2, 1, 0),
        CrossRow("oak", "elm", 0, 1, 1, 0),
        CrossRow("oak", "elm", 1, 1, 0, 0),
        CrossRow("elm", "oak", None, 0, 1, 2),
        CrossRow("elm", "oak", 0, 0, 0, 1),
        CrossRow("elm", "oak", 1, 0, 1, 1),
    ),
)


class TestLeaderboard:
    """The leaderboard."""

    def test_json_is_exact(self) -> None:
        """The published keys in the published order, six decimals, one line feed."""
        assert leaderboard_text(BOARD, "json", times=True) == (
            '{"tournament":"open","rows":['
            '{"rank":1,"bot":"oak","version":2,"score":7.8815,"mu":29.395832,"sigma":7.171476,'
            '"games":3,"wins":2,"draws":1,"losses":0,"faults":{},"rating":"trueskill",'
            '"mean_rank":1.1666666,"mean_ms":12.345},'
            '{"rank":2,"bot":"elm","version":1,"score":0.0,"mu":20.0,"sigma":6.666667,'
            '"games":3,"wins":0,"draws":1,"losses":2,"faults":{"crash":1,"time":2},'
            '"rating":"trueskill","mean_rank":null,"mean_ms":null}]}\n'
        )

    def test_table_is_exact(self) -> None:
        """Two decimals, numbers to the right, nothing behind the last column."""
        assert leaderboard_text(BOARD, times=True) == (
            "rank  bot  version  score     mu  sigma  games  wins  draws  losses  mean rank"
            "  faults           ms/decision\n"
            "   1  oak        2   7.88  29.40   7.17      3     2      1       0       1.17"
            "                         12.35\n"
            "   2  elm        1   0.00  20.00   6.67      3     0      1       2           "
            "  crash 1, time 2\n"
        )

    def test_csv_is_exact(self) -> None:
        """Names of JSON's keys, six decimals, faults as one word each."""
        assert leaderboard_text(BOARD, "csv", times=True) == (
            "rank,bot,version,score,mu,sigma,games,wins,draws,losses,mean_rank,faults,mean_ms\n"
            "1,oak,2,7.8815,29.395832,7.171476,3,2,1,0,1.166667,,12.345\n"
            "2,elm,1,0.0,20.0,6.666667,3,0,1,2,,crash:1 time:2,\n"
        )

    def test_elo_for_people(self) -> None:
        """Elo in whole numbers with its interval, and a mark where the order is not settled."""
        lines = leaderboard_text(RATED).splitlines()
        assert lines[0].split()[:7] == ["rank", "bot", "version", "Elo", "95", "%", "los"]
        assert lines[1].split()[3:11] == ["1612", "1567", "to", "1658", "94.9", "%", "?", "29.40"]
        assert lines[2].split()[3:10] == ["1500", "1438", "to", "1561", "99.9", "%", "20.00"]
        assert lines[3].split()[3:8] == ["1388", "1438", "or", "less", "20.00"]
        assert lines[4] == ""
        assert lines[5].startswith("? ")
        assert "95 %" in lines[5]

    def test_matches_without_weight_are_below_table(self) -> None:
        """The number of matches without weight stands below the table, and in JSON."""
        board = RATED._replace(weightless=24)
        assert "24 matches repeat others" in leaderboard_text(board)
        assert '"opening"' in leaderboard_text(board)
        assert "1 match repeats others" in leaderboard_text(RATED._replace(weightless=1))
        assert json.loads(leaderboard_text(board, "json"))["weightless"] == 24
        assert "weightless" not in json.loads(leaderboard_text(RATED, "json"))
        assert leaderboard_text(board, "csv") == leaderboard_text(RATED, "csv")

    @pytest.mark.parametrize(
        ("low", "high", "words"),
        [
            (1400.4, 1600.6, "1400 to 1601"),
            (1400.4, None, "1400 or more"),
            (None, 1600.6, "1601 or less"),
            (None, None, "not known"),
        ],
    )
    def test_open_interval_is_shown(
        self, low: float | None, high: float | None, words: str
    ) -> None:
        """An interval without an end is shown in words, as null in JSON, and empty in CSV."""
        board = Leaderboard("open", (RATED.rows[0]._replace(low=low, high=high),))
        assert words in leaderboard_text(board)
        assert words in leaderboard_text(board, "md")
        row = json.loads(leaderboard_text(board, "json"))["rows"][0]
        assert (row["low"], row["high"]) == (low, high)
        (line,) = csv.DictReader(io.StringIO(leaderboard_text(board, "csv")))
        assert (line["low"] == "", line["high"] == "") == (low is None, high is None)

    def test_columns_that_are_asked_for(self) -> None:
        """Only these columns, in this order, in every format."""
        row = OAK._replace(seats=(SeatRow(0, 2, 0, 0), SeatRow(1, 0, 1, 0)), late=3, used_ms=1500.0)
        board = Leaderboard("open", (row,))
        columns = ["late", "bot", "seats", "used_ms"]
        assert leaderboard_text(board, columns=columns) == (
            "late  bot  seats               seconds\n   3  oak  0: 2-0-0, 1: 0-1-0     1.50\n"
        )
        assert leaderboard_text(board, "csv", columns=columns) == (
            "late,bot,seats,used_ms\n3,oak,0:2-0-0 1:0-1-0,1500.0\n"
        )
        assert json.loads(leaderboard_text(board, "json", columns=columns))["rows"] == [
            {
                "late": 3,
                "bot": "oak",
                "seats": [
                    {"seat": 0, "wins": 2, "draws": 0, "losses": 0},
                    {"seat": 1, "wins": 0, "draws": 1, "losses": 0},
                ],
                "used_ms": 1500.0,
            }
        ]

    def test_unknown_column(self) -> None:
        """A column that does not exist is a mistake of the person."""
        with pytest.raises(UsageError, match='did you mean "score"'):
            leaderboard_text(BOARD, columns=["scor"])

    def test_suspended_bot_is_below_table(self) -> None:
        """A bot that is out stands below the table with the reason and in JSON, not in CSV."""
        board = BOARD._replace(out=(OutRow("e*m", 3, "is suspended: 3 faults"),))
        plain = leaderboard_text(BOARD)
        assert leaderboard_text(board).startswith(plain + "\n")
        line = leaderboard_text(board).removeprefix(plain + "\n")
        assert line.startswith("e*m is suspended: 3 faults")
        assert "none of its matches count" in line
        markdown = leaderboard_text(board, "md").removeprefix(leaderboard_text(BOARD, "md"))
        assert markdown.startswith("\n" + r"e\*m is suspended: 3 faults")
        assert leaderboard_text(board, "csv") == leaderboard_text(BOARD, "csv")
        found = json.loads(leaderboard_text(board, "json"))
        assert found["out"] == [
            {"bot": "e*m", "version": 3, "reason": "is suspended: 3 faults", "replaced_by": 0}
        ]
        assert found["rows"] == json.loads(leaderboard_text(BOARD, "json"))["rows"]
        assert "out" not in json.loads(leaderboard_text(BOARD, "json"))

    def test_unknown_format(self) -> None:
        """A format that does not exist is a mistake of the person."""
        with pytest.raises(UsageError, match=r'expected a format of .* found "xml"'):
            leaderboard_text(BOARD, "xml")


class TestCrossTable:
    """The cross-table."""

    def test_table_is_exact(self) -> None:
        """Squares of wins-draws-losses: all seats, then as each player."""
        assert crosstable_text(CROSS) == (
            "   bot  points  1      2\n"
            "1  oak  2.5/3   x      2-1-0\n"
            "2  elm  0.5/3   0-1-2  x\n"
            "\nAs player 0:\n\n"
            "   bot  points  1      2\n"
            "1  oak  1.5/2   x      1-1-0\n"
            "2  elm  0/1     0-0-1  x\n"
            "\nAs player 1:\n\n"
            "   bot  points  1      2\n"
            "1  oak  1/1     x      1-0-0\n"
            "2  elm  0.5/2   0-1-1  x\n"
        )


class TestWickedNames:
    """What a bot is called can do no harm in any format."""

    @pytest.mark.parametrize("name", HOSTILE, ids=ascii)
    @pytest.mark.parametrize("style", ["table", "csv", "md", "json"])
    def test_nothing_unprintable_comes_out(self, name: str, style: str) -> None:
        """Line by line, everything is printable, and there are as many lines as rows."""
        board = Leaderboard("open", (ELM, OAK._replace(bot=name)))
        cross = CrossTable("open", (name, "b"), (CrossRow(name, "b", None, 1, 0, 0),))
        for text in (leaderboard_text(board, style), crosstable_text(cross, style)):
            assert all(line.isprintable() for line in text.split("\n"))
        assert (
            len(leaderboard_text(board, style).splitlines())
            == {"table": 3, "csv": 3, "md": 4, "json": 1}[style]
        )

    def test_csv_can_be_read_back(self) -> None:
        """Commas and quotes stay in their cell; a text is marked that begins like a formula."""
        text = csv_table(["bot", "score"], [["=1+1", -5], ['x,"y"', -0.5]])
        rows = list(csv.reader(io.StringIO(text)))
        assert rows == [["bot", "score"], ["'=1+1", "-5"], ['x,"y"', "-0.5"]]

    def test_markdown_cannot_be_broken_out_of(self) -> None:
        """Bars, brackets, backticks and tags are escaped."""
        text = md_table(["bot"], [["a|b `c` [d](e) <f> \\"]])
        assert text.splitlines()[2] == "| a\\|b \\`c\\` \\[d\\](e) &lt;f&gt; \\\\ |"


class TestPlainTable:
    """Columns for a terminal."""

    @pytest.mark.parametrize(
        ("columns", "cells"),
        [
            (29, ["leaves, arborius", "木木木木"]),
            (23, ["leave…rius", "木木木木"]),
            (1, ["l…s", "木…木"]),
        ],
    )
    def test_texts_are_cut_to_fit(self, columns: int, cells: list[str]) -> None:
        """One column after the other is cut, as far as it may be; numbers stay numbers."""
        rows = [{"n": 1, "games": "leaves, arborius", "bot": "木木木木"}]
        (found,), left_out = fit(rows, columns, [("games", 3), ("bot", 5), ("none", 1)])
        assert not left_out
        assert found["n"] == 1
        assert [found["games"], found["bot"]] == cells

    def test_columns_are_left_out_to_fit(self) -> None:
        """As many as it takes, in the order that is given, and texts behind them stay whole."""
        rows = [{"bot": "oak", "mu": 25.0, "sigma": 8.33, "games": 2}]
        give = [("sigma", 0), ("mu", 0), ("bot", 1)]
        assert fit(rows, None, give) == (rows, [])
        assert fit(rows, 17, give) == ([{"bot": "oak", "mu": 25.0, "games": 2}], ["sigma"])
        assert fit(rows, 10, give) == ([{"bot": "oak", "games": 2}], ["sigma", "mu"])
