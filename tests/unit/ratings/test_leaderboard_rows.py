"""Leaderboards and cross-tables of two small tournaments, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.ratings.crosstable import cross_rows, fold_meetings
from arena.ratings.fold import fold
from arena.ratings.leaderboard import leaderboard_rows
from arena.values.tables import CrossRow, LeaderboardRow, MatchRow

# four bots, of whom two and two met once
DRAWN = (
    MatchRow((1, 0), ("oak", "elm"), (1, 1), answers=(10, 10), charged_us=(20_000, 5_000)),
    MatchRow((1, 1), ("fir", "yew"), (1, 1), answers=(0, 0), charged_us=(0, 0)),
)
# two bots, three matches with faults, answers and time: two forfeits, and both failed at once
FORFEITS = (
    MatchRow((1, 0), ("oak", "elm"), (1, 2), ((1, "time"),), (3, 2), (30, 20)),
    MatchRow((1, 1), ("elm", "oak"), (2, 1), ((0, "crash"),), (0, 1), (0, 10)),
    MatchRow((1, 2), ("oak", "elm"), (2, 2), ((0, "time"), (1, "time")), (0, 0), (0, 0)),
)


def ranked(results: Sequence[MatchRow], *names: str) -> list[LeaderboardRow]:
    return [*leaderboard_rows(fold(results), {name: (name, 1) for name in names}).values()]


def test_equal_scores_share_a_rank() -> None:
    """Two draws of beginners make four equal bots, all of rank 1, in order of names."""
    rows = ranked(DRAWN, "yew", "oak", "fir", "elm")
    assert [(row.rank, row.bot) for row in rows] == [(1, "elm"), (1, "fir"), (1, "oak"), (1, "yew")]
    # the published rating of two beginners after a draw: 25 and 6.4575
    for row in rows:
        assert row.mu == pytest.approx(25.0, abs=1e-6)
        assert row.sigma == pytest.approx(6.4575, abs=1e-4)
        assert row.score == pytest.approx(25.0 - 3 * 6.4575, abs=4e-4)


def test_counts() -> None:
    """Forfeits are wins and losses; where nobody won, both lost; faults are counted by code."""
    oak, elm = ranked(FORFEITS, "elm", "oak")
    assert (oak.bot, oak.rank, oak.games, oak.wins, oak.draws, oak.losses) == ("oak", 1, 3, 2, 0, 1)
    assert (elm.bot, elm.rank, elm.games, elm.wins, elm.draws, elm.losses) == ("elm", 2, 3, 0, 0, 3)
    assert oak.faults == {"time": 1}
    assert elm.faults == {"crash": 1, "time": 2}
    assert list(elm.faults) == ["crash", "time"]
    # ranks 1, 1 and a shared place of two: (1 + 1 + 1.5) / 3; and (2 + 2 + 1.5) / 3
    assert oak.mean_rank == pytest.approx(3.5 / 3, abs=1e-6)
    assert elm.mean_rank == pytest.approx(5.5 / 3, abs=1e-6)
    # 30 + 10 microseconds for 4 answers
    assert (oak.mean_ms, elm.mean_ms) == (0.010, 0.010)


def test_crosstable() -> None:
    """Per pair and seat: oak won from both seats, and drew from the first."""
    rows = cross_rows(fold_meetings(FORFEITS), ["oak", "elm"], ["Oak", "Elm"])
    assert rows == (
        CrossRow("Oak", "Elm", None, 2, 1, 0),
        CrossRow("Oak", "Elm", 0, 1, 1, 0),
        CrossRow("Oak", "Elm", 1, 1, 0, 0),
        CrossRow("Elm", "Oak", None, 0, 1, 2),
        CrossRow("Elm", "Oak", 0, 0, 0, 1),
        CrossRow("Elm", "Oak", 1, 0, 1, 1),
    )
    assert [row.points for row in rows] == [2.5, 1.5, 1.0, 0.5, 0.0, 0.5]
