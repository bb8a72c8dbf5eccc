"""Leaderboards and cross-tables of three small tournaments, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.ratings.crosstable import cross_rows, fold_meetings
from arena.ratings.fold import fold
from arena.ratings.leaderboard import leaderboard_rows
from arena.values.tables import CrossRow, LeaderboardRow, MatchRow


def result(
    number: int,
    names: str,
    ranks: Sequence[int],
    *,
    faults: Sequence[tuple[int, str]] = (),
    answers: Sequence[int] | None = None,
    charged_us: Sequence[int] | None = None,
) -> MatchRow:
    nothing = [0] * len(ranks)
    return MatchRow(
        (1, number),
        tuple(names.split()),
        tuple(ranks),
        tuple(faults),
        tuple(answers or nothing),
        tuple(charged_us or nothing),
    )


def board(results: Sequence[MatchRow], names: str) -> dict[str, LeaderboardRow]:
    entrants = {name: (name, 1) for name in names.split()}
    rows = leaderboard_rows(fold(results), entrants).values()
    assert [row.bot for row in rows] == [
        row.bot for row in sorted(rows, key=lambda row: (-(row.score or 0.0), row.bot))
    ]
    return {row.bot: row for row in rows}


class TestTies:
    """Four bots, each pair once: oak and elm drew both their matches with one another only."""

    RESULTS = (
        result(0, "oak elm", [1, 1], answers=[10, 10], charged_us=[20_000, 5_000]),
        result(1, "fir yew", [1, 1]),
    )

    def test_equal_scores_share_a_rank(self) -> None:
        """Two draws of beginners make four equal bots, all of rank 1, in order of names."""
        rows = leaderboard_rows(
            fold(self.RESULTS), {name: (name, 1) for name in ("yew", "oak", "fir", "elm")}
        ).values()
        assert [(row.rank, row.bot) for row in rows] == [
            (1, "elm"),
            (1, "fir"),
            (1, "oak"),
            (1, "yew"),
        ]
        # the published rating of two beginners after a draw: 25 and 6.4575
        for row in rows:
            assert row.mu == pytest.approx(25.0, abs=1e-6)
            assert row.sigma == pytest.approx(6.4575, abs=1e-4)
            assert row.score == pytest.approx(25.0 - 3 * 6.4575, abs=4e-4)


class TestForfeits:
    """Two bots, three matches: two forfeits, and one in which both failed at once."""

    RESULTS = (
        result(0, "oak elm", [1, 2], faults=[(1, "time")], answers=[3, 2], charged_us=[30, 20]),
        result(1, "elm oak", [2, 1], faults=[(0, "crash")], answers=[0, 1], charged_us=[0, 10]),
        result(2, "oak elm", [2, 2], faults=[(0, "time"), (1, "time")]),
    )

    def test_counts(self) -> None:
        """Forfeits are wins and losses; where nobody won, both lost; faults are counted by code."""
        rows = board(self.RESULTS, "oak elm")
        oak, elm = rows["oak"], rows["elm"]
        assert (oak.rank, oak.games, oak.wins, oak.draws, oak.losses) == (1, 3, 2, 0, 1)
        assert (elm.rank, elm.games, elm.wins, elm.draws, elm.losses) == (2, 3, 0, 0, 3)
        assert oak.faults == {"time": 1}
        assert elm.faults == {"crash": 1, "time": 2}
        assert list(elm.faults) == ["crash", "time"]
        # ranks 1, 1 and a shared place of two: (1 + 1 + 1.5) / 3; and (2 + 2 + 1.5) / 3
        assert oak.mean_rank == pytest.approx(3.5 / 3, abs=1e-6)
        assert elm.mean_rank == pytest.approx(5.5 / 3, abs=1e-6)
        # 30 + 10 microseconds for 4 answers
        assert oak.mean_ms == 0.010
        assert elm.mean_ms == 0.010

    def test_crosstable(self) -> None:
        """Per pair and seat: oak won from both seats, and drew from the first."""
        rows = cross_rows(fold_meetings(self.RESULTS), ["oak", "elm"], ["Oak", "Elm"])
        assert rows == (
            CrossRow("Oak", "Elm", None, 2, 1, 0),
            CrossRow("Oak", "Elm", 0, 1, 1, 0),
            CrossRow("Oak", "Elm", 1, 1, 0, 0),
            CrossRow("Elm", "Oak", None, 0, 1, 2),
            CrossRow("Elm", "Oak", 0, 0, 0, 1),
            CrossRow("Elm", "Oak", 1, 0, 1, 1),
        )
        assert [row.points for row in rows] == [2.5, 1.5, 1.0, 0.5, 0.0, 0.5]
