"""Tables as text: exact in every format, and harmless whatever a bot is called."""

from __future__ import annotations

import csv
import io
import json

import pytest

from arena.report.crosstable_text import crosstable_text
from arena.report.leaderboard_text import leaderboard_text
from arena.report.table import csv_table, fit, formatted, md_table, plain_table
from arena.values.errors import UsageError
from arena.values.tables import CrossRow, CrossTable, Leaderboard, LeaderboardRow, OutRow, SeatRow
from arena.values.untrusted import width

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
WICKED = [
    "\x1b[2J\x1b]0;title\x07",
    "\x9b31m",
    "a\nb\r\n",
    "\u202eabc\u2066\u200b",
    "\ud800",
    "=cmd|' /C calc'!A0",
    "| x | `y` | <script>alert(1)</script>",
    "\t\x00\x7f\x85\u2028",
    "木" * 30,
]


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

    def test_times_only_when_asked_for(self) -> None:
        """Without times, two runs of one tournament give the same bytes, however long they took."""
        slower = Leaderboard("open", tuple(row._replace(mean_ms=99.0) for row in BOARD.rows))
        for style in ("table", "json", "csv", "md"):
            text = leaderboard_text(slower, style)
            assert text == leaderboard_text(BOARD, style)
            assert text != leaderboard_text(BOARD, style, times=True)
        assert '"mean_rank":null}]}\n' in leaderboard_text(BOARD, "json")

    def test_markdown(self) -> None:
        """A head, a line of dashes that says where numbers are, a line a bot."""
        lines = leaderboard_text(BOARD, "md").splitlines()
        assert lines[0].startswith("| rank | bot | version | score |")
        assert lines[1].startswith("| --: | --- | --: | --: |")
        assert lines[2].startswith("| 1 | oak | 2 | 7.88 | 29.40 | 7.17 | 3 |")
        assert len(lines) == 4

    def test_elo_for_people(self) -> None:
        """Elo in whole numbers with its interval, and a mark where the order is not settled."""
        lines = leaderboard_text(RATED).splitlines()
        assert lines[0].split()[:7] == ["rank", "bot", "version", "score", "95", "%", "los"]
        assert lines[1].split()[3:11] == ["1612", "1567", "to", "1658", "94.9", "%", "?", "29.40"]
        assert lines[2].split()[3:10] == ["1500", "1438", "to", "1561", "99.9", "%", "20.00"]
        assert lines[3].split()[3:8] == ["1388", "1438", "or", "less", "20.00"]
        assert lines[4] == ""
        assert lines[5].startswith("? ")
        assert "95 %" in lines[5]

    def test_a_settled_table_has_no_mark(self) -> None:
        """Where every order is settled, nothing is said of it."""
        settled = RATED._replace(rows=RATED.rows[1:])
        assert "?" not in leaderboard_text(settled)

    def test_elo_for_programs(self) -> None:
        """JSON and CSV have the interval's ends and the likelihood, none in the last row."""
        rows = json.loads(leaderboard_text(RATED, "json"))["rows"]
        assert [(row["low"], row["high"], row["los"]) for row in rows] == [
            (1567.25, 1657.75, 0.9499),
            (1438.4, 1561.4, 0.99999),
            (None, 1437.6, None),
        ]
        (first, *_, last) = csv.DictReader(io.StringIO(leaderboard_text(RATED, "csv")))
        assert (first["score"], first["low"], first["los"]) == ("1612.5", "1567.25", "0.9499")
        assert (last["low"], last["los"]) == ("", "")

    def test_matches_without_weight(self) -> None:
        """Their number stands below the table with the remedy, and in JSON."""
        board = RATED._replace(weightless=24)
        assert "24 matches repeat others" in leaderboard_text(board)
        assert '"opening"' in leaderboard_text(board)
        assert "1 match repeats others" in leaderboard_text(RATED._replace(weightless=1))
        assert json.loads(leaderboard_text(board, "json"))["weightless"] == 24
        assert "weightless" not in json.loads(leaderboard_text(RATED, "json"))
        assert leaderboard_text(board, "csv") == leaderboard_text(RATED, "csv")

    def test_matches_of_one_position(self) -> None:
        """Where chance played one deal again and again, the table says what it holds for."""
        board = RATED._replace(same_deal=600)
        assert "600 matches" in leaderboard_text(board)
        assert '"opening"' in leaderboard_text(board)
        assert json.loads(leaderboard_text(board, "json"))["same_deal"] == 600

    @pytest.mark.parametrize(
        ("low", "high", "words"),
        [
            (1400.4, 1600.6, "1400 to 1601"),
            (1400.4, None, "1400 or more"),
            (None, 1600.6, "1601 or less"),
            (None, None, "not known"),
        ],
    )
    def test_intervals_in_words(self, low: float | None, high: float | None, words: str) -> None:
        """What nothing bounds has no end, for people; programs read null, or nothing in CSV."""
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

    def test_a_narrow_terminal(self) -> None:
        """What does not fit is left out and named; what somebody asked for is all there."""
        wide = leaderboard_text(RATED)
        assert leaderboard_text(RATED, width=200) == wide
        narrow = leaderboard_text(RATED, width=75)
        assert max(map(len, narrow.splitlines()[:4])) <= 75
        heads = narrow.splitlines()[0].split()
        assert "mean" not in heads
        assert set(heads) >= {"rank", "bot", "score", "games", "wins", "losses", "faults"}
        assert "mean rank" in narrow.splitlines()[-1]
        assert "--columns" in narrow.splitlines()[-1]
        narrowest = leaderboard_text(RATED, width=10)
        assert narrowest.splitlines()[0].split()[:3] == ["rank", "bot", "score"]
        assert "los" not in narrowest.splitlines()[0].split()
        assert "95" in narrowest.splitlines()[0]
        columns = ["bot", "mu", "sigma"]
        asked = leaderboard_text(RATED, columns=columns, width=10)
        assert asked == leaderboard_text(RATED, columns=columns)
        assert leaderboard_text(RATED, "md", width=10) == leaderboard_text(RATED, "md")

    def test_unknown_column(self) -> None:
        """A column that does not exist is a mistake of the person."""
        with pytest.raises(UsageError, match='did you mean "score"'):
            leaderboard_text(BOARD, columns=["scor"])

    def test_who_is_out(self) -> None:
        """Who is out stands below the table with the reason, and in JSON; CSV has rows only."""
        board = BOARD._replace(out=(OutRow("e*m", 3, "suspended: 3 faults"),))
        plain = leaderboard_text(BOARD)
        assert leaderboard_text(board).startswith(plain + "\n")
        line = leaderboard_text(board).removeprefix(plain + "\n")
        assert line.startswith("e*m is suspended: 3 faults")
        assert "none of its matches count" in line
        markdown = leaderboard_text(board, "md").removeprefix(leaderboard_text(BOARD, "md"))
        assert markdown.startswith("\n" + r"e\*m is suspended: 3 faults")
        assert leaderboard_text(board, "csv") == leaderboard_text(BOARD, "csv")
        found = json.loads(leaderboard_text(board, "json"))
        assert found["out"] == [{"bot": "e*m", "version": 3, "reason": "suspended: 3 faults"}]
        assert found["rows"] == json.loads(leaderboard_text(BOARD, "json"))["rows"]
        assert "out" not in json.loads(leaderboard_text(BOARD, "json"))

    def test_all_together_have_no_name(self) -> None:
        """Merged tournaments are no tournament."""
        assert json.loads(leaderboard_text(Leaderboard(None, ()), "json")) == {
            "tournament": None,
            "rows": [],
        }

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

    def test_json_and_csv(self) -> None:
        """A row a pair, and one for each of its seats."""
        rows = json.loads(crosstable_text(CROSS, "json"))["rows"]
        assert rows[0] == {
            "bot": "oak",
            "opponent": "elm",
            "seat": None,
            "games": 3,
            "wins": 2,
            "draws": 1,
            "losses": 0,
            "points": 2.5,
        }
        assert [row["seat"] for row in rows] == [None, 0, 1, None, 0, 1]
        assert crosstable_text(CROSS, "csv").splitlines()[:3] == [
            "bot,opponent,seat,games,wins,draws,losses,points",
            "oak,elm,,3,2,1,0,2.5",
            "oak,elm,0,2,1,1,0,1.5",
        ]

    def test_markdown(self) -> None:
        """The same squares as tables of Markdown."""
        text = crosstable_text(CROSS, "md")
        assert "| 1 | oak | 2.5/3 | x | 2-1-0 |\n" in text
        assert "\nAs player 0:\n\n|  | bot |" in text

    def test_strangers_leave_a_gap(self) -> None:
        """Two that never met have an empty place, and nobody meets itself."""
        lone = CrossTable("open", ("oak", "elm"), ())
        assert crosstable_text(lone) == (
            "   bot  points  1  2\n1  oak  0/0     x\n2  elm  0/0        x\n"
        )


class TestWickedNames:
    """What a bot is called can do no harm in any format."""

    @pytest.mark.parametrize("name", WICKED)
    @pytest.mark.parametrize("style", ["table", "csv", "md", "json"])
    def test_nothing_unprintable_comes_out(self, name: str, style: str) -> None:
        """Line by line, everything is printable, and there are as many lines as rows."""
        board = Leaderboard("open", (ELM, _named(name)))
        cross = CrossTable("open", (name, "b"), (CrossRow(name, "b", None, 1, 0, 0),))
        for text in (leaderboard_text(board, style), crosstable_text(cross, style)):
            assert all(line.isprintable() for line in text.split("\n"))
        assert (
            len(leaderboard_text(board, style).splitlines())
            == {"table": 3, "csv": 3, "md": 4, "json": 1}[style]
        )

    @pytest.mark.parametrize("start", ["=", "+", "-", "@"])
    def test_no_formula_in_csv(self, start: str) -> None:
        """A text that begins like a formula is marked as a text; numbers are not."""
        text = csv_table(["bot", "score"], [[f"{start}1+1", -5], ["a", -0.5]])
        assert list(csv.reader(io.StringIO(text))) == [
            ["bot", "score"],
            [f"'{start}1+1", "-5"],
            ["a", "-0.5"],
        ]

    def test_csv_can_be_read_back(self) -> None:
        """Commas and quotes stay within their cell."""
        text = csv_table(["a", "b"], [['x,"y"', "z"]])
        assert list(csv.reader(io.StringIO(text))) == [["a", "b"], ['x,"y"', "z"]]

    def test_markdown_cannot_be_broken_out_of(self) -> None:
        """Bars, brackets, backticks and tags are escaped."""
        text = md_table(["bot"], [["a|b `c` [d](e) <f> \\"]])
        assert text.splitlines()[2] == "| a\\|b \\`c\\` \\[d\\](e) &lt;f&gt; \\\\ |"


class TestPlainTable:
    """Columns for a terminal."""

    def test_wide_characters_stay_in_their_columns(self) -> None:
        """A character of two columns counts twice, a combining one not at all."""
        lines = plain_table(
            ["name", "n"], [["木木", 1], ["e\u0301", 22], ["abcdef", 3]]
        ).splitlines()
        assert {width(line) for line in lines} == {10}

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
        (found,) = fit(rows, columns, {"games": 3, "bot": 5, "none": 1})
        assert found["n"] == 1
        assert [found["games"], found["bot"]] == cells

    def test_cells_of_all_kinds(self) -> None:
        """Nothing, truth, lists and counts have their ways to be shown."""
        text = plain_table(
            ["a", "b", "c", "d", "e"],
            [[None, True, ["x", "y"], {"time": 2}, 1.0], [5, False, [], {}, -0.001]],
        )
        assert text == (
            "a  b    c     d          e\n   yes  x, y  time 2  1.00\n5  no                 0.00\n"
        )

    def test_no_rows(self) -> None:
        """Without rows there is a head."""
        assert plain_table(["bot", "score"], []) == "bot  score\n"
        assert formatted(["bot"], [], "csv") == "bot\n"
        assert formatted(["bot"], [], "md") == "| bot |\n| --- |\n"


def _named(name: str) -> LeaderboardRow:
    return OAK._replace(bot=name)
