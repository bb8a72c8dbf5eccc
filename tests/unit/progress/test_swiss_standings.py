"""The table of a Swiss tournament: points by hand, ranks by points."""

from __future__ import annotations

import json
from pathlib import Path

from support import finished

from arena.progress.planner import placed
from arena.results.standings import read_leaderboard
from arena.schedule.plan import Meeting, Plan
from arena.store import open_store

ROUNDS = (  # who met whom in a round, and the points that it brought
    ((("a", "b"), ("c", "d")), [["1", "0"], ["0", "1"]]),
    ((("a", "d"), ("b", "c")), [["0", "1"], ["1/2", "1/2"]]),
)
RANKS = {("1", "0"): [1, 2], ("0", "1"): [2, 1], ("1/2", "1/2"): [1, 1]}


def test_points_of_a_swiss_tournament(tmp_path: Path) -> None:
    """After two rounds d has 2 points, a has 1, and b and c share the rest; ranks follow them."""
    config = {"format": "swiss", "games": ["leaves"], "seed": 1, "rounds": 2}
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create(
            "cup", "print", json.dumps(config), finished.entrants("abcd"), 1
        )
        number = 0
        for k, (pairs, points) in enumerate(ROUNDS):
            plan = Plan(k + 1, (k,), tuple(map(Meeting, pairs)))
            store.rounds.go_on(
                edition.id, json.dumps(ROUNDS[k - 1][1]) if k else "", plan.to_text()
            )
            for pair, brought in zip(pairs, points, strict=True):
                ranks = RANKS[tuple(brought)]  # type: ignore[index]
                result = finished.match(number, pair, ranks, tournament="cup")
                store.matches.add(edition.id, result)
                number += 1
        store.rounds.go_on(edition.id, json.dumps(ROUNDS[1][1]), None)
        board = read_leaderboard(tmp_path, "cup")
        found = placed(store, edition, board)
    assert [(row.bot, row.points) for row in found.rows][:2] == [("d", 2.0), ("a", 1.0)]
    assert {row.bot: row.points for row in found.rows[2:]} == {"b": 0.5, "c": 0.5}
    assert [row.rank for row in found.rows][:3] == [1, 2, 3]
    assert found.rows == board.rows
