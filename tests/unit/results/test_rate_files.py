"""Results from elsewhere: the same table from each kind of file, and bad lines by their number."""

from __future__ import annotations

from math import log
from pathlib import Path

import pytest
from support.bot_files import write

from arena.results.rate_files import rate_files
from arena.values.errors import UsageError

HEAD = "white,black,result\n"
PGN = '[Event "{0}"]\n[White "{1}"]\n[Black "{2}"]\n[Result "{3}"]\n\n1. e4 {{a\n[%clk 1]}} {3}\n\n'
PLAYED = [("oak", "elm", "1-0"), ("elm", "oak", "1/2-1/2"), ("fir", "elm", "0-1")]


def written(folder: Path, name: str, text: str) -> Path:
    return write(folder / name, text)


def test_all_kinds_of_files_say_the_same(tmp_path: Path) -> None:
    """A header in any order, points for results, ranks, tags: one table; ``*`` is counted."""
    cells = "".join([f"{','.join(played)}\n" for played in [*PLAYED, ("oak", "fir", "*")]])
    games = "".join([PGN.format(*played[:1], *played) for played in [*PLAYED, ("a", "b", "*")]])
    files = [
        written(tmp_path, "plain.csv", HEAD + cells),
        written(
            tmp_path,
            "other.CSV",
            '\ufeffresult,note,black,white\r\n1,"x\r\ny",elm,oak\r\n0.5,, oak,elm\r\n'
            "\r\n0,,elm,fir\r\n*,,fir,oak\r\n",
        ),
        written(tmp_path, "games.pgn", games),
    ]
    boards = [rate_files([file]).leaderboard for file in files]
    assert boards[0] == boards[1] == boards[2]
    assert boards[0].skipped == 1
    many = "players,ranks\noak;elm,1;2\nelm; oak,1;1\nfir;elm,7;3\n"
    ranked = rate_files([written(tmp_path, "many.csv", many)])
    assert ranked.leaderboard.rows == boards[0].rows
    assert {row.bot: (row.wins, row.draws, row.losses) for row in boards[0].rows} == {
        "oak": (1, 1, 0),
        "elm": (1, 1, 1),
        "fir": (0, 0, 1),
    }
    met = [row for row in ranked.crosstable.rows if (row.bot, row.opponent) == ("oak", "elm")]
    assert [(row.seat, row.wins, row.draws, row.losses) for row in met] == [(None, 1, 1, 0)]
    assert rate_files(files).leaderboard.rows[0].games == 6


def test_many_braces_that_nothing_closes_take_no_time(tmp_path: Path) -> None:
    """A comment that is open to the end of its line is looked for once, not once a brace."""
    braces = "1. e4 " + "{" * 500_000 + "\n} {a} ; {\n"
    text = GAME.replace("\n\n", f"\n\n{braces}")
    assert rate_files([written(tmp_path, "a.pgn", text + GAME)]).leaderboard.rows[0].games == 2


def test_two_equals_by_hand(tmp_path: Path) -> None:
    """Of 400 even matches each counts, though all repeat two: ± 1.96 × 4 × 400 / ln 10 / 40 / 2."""
    file = written(tmp_path, "a.csv", HEAD + "a,b,1-0\nb,a,1-0\n" * 200)
    first, second = rate_files([file]).leaderboard.rows
    half = 1.96 * 4.0 * 400.0 / log(10.0) / 40.0 / 2.0
    for row in (first, second):
        assert row.score == 1500.0
        assert row.high == pytest.approx(1500.0 + half, rel=0.001)
        assert row.low == pytest.approx(1500.0 - half, rel=0.001)
    anchored = rate_files([file], anchor={"b": 100}).leaderboard.rows
    assert {(row.bot, row.score) for row in anchored} == {("a", 100.0), ("b", 100.0)}
    (other,) = [row for row in anchored if row.bot == "a"]
    assert other.high == pytest.approx(100.0 + 2.0 * half, rel=0.01)


GAME = PGN.format("x", "oak", "elm", "1-0")


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("a.csv", "", 1, "white,black,result"),
        ("a.csv", "white,black\noak,elm\n", 1, "players,ranks"),
        ("a.csv", HEAD + "oak,elm,1-0\noak,elm,2-0\n", 3, "1/2-1/2"),
        ("a.csv", HEAD + "oak,elm,1-0\noak,elm\n", 3, "3 cells"),
        ("a.csv", HEAD + "oak,oak,1-0\n", 2, "twice"),
        ("a.csv", HEAD + ",oak,1-0\n", 2, "name"),
        ("a.csv", HEAD + 'oak,"elm,1-0\n', 2, "CSV"),
        ("a.csv", "players,ranks\noak;elm,1;2\noak;elm,1\n", 3, "rank a player"),
        ("a.csv", "players,ranks\noak;elm,1;0\n", 2, "1 or more"),
        ("a.csv", "players,ranks\noak,1\n", 2, "two players"),
        ("a.pgn", GAME + '[White "oak"]\n[Black "?"]\n[Result "1-0"]\n', 9, "Black"),
        ("a.pgn", GAME + GAME.replace("1-0", "won"), 9, "won"),
        ("a.pgn", GAME + "[White oak]\n", 9, "tag"),
        ("a.pgn", "1. e4 e5\n", 1, "tags"),
        ("a.jsonl", "\n{}\n", 2, "format"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, name: str, text: str, line: int, words: str) -> None:
    """Nothing is rated, and the message has the file, the line, and what was expected."""
    with pytest.raises(UsageError, match=words) as caught:
        rate_files([written(tmp_path, name, text)])
    assert f"{name}:{line}: " in str(caught.value)


def test_what_is_no_file_of_results(tmp_path: Path) -> None:
    """A suffix says what is in a file, before one is read; bytes and names are checked."""
    good = written(tmp_path, "a.csv", HEAD + "oak,elm,1-0\n")
    with pytest.raises(UsageError, match=r"\.pgn"):
        rate_files([tmp_path / "missing.csv", written(tmp_path, "a.txt", HEAD)])
    good.write_bytes(HEAD.encode() + b"oak,\xff,1-0\n")
    with pytest.raises(UsageError, match=r"a\.csv:2: not UTF-8"):
        rate_files([good])
    good.write_text(HEAD + "oak,elm,1-0\n")
    with pytest.raises(UsageError, match=r'"aok" .*oak'):
        rate_files([good], anchor={"aok": 1500})
    board = rate_files([good], anchor={"oak": 1500}).leaderboard
    assert board.no_zero
    assert board.anchor is not None
    assert "both ways" in board.anchor.refused
