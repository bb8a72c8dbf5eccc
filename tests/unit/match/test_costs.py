"""What a bot says by ``info`` that its answers cost is added up, whatever else of it is kept."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support import finished
from support.match_jobs import seat
from support.referees import asked

from arena.match.charging import Spent
from arena.match.protocol import MAX_INFO
from arena.packed.match import is_as_recorded
from arena.record.record import format_record, parse_record
from arena.results.standings import board_of
from arena.store import open_store
from arena.values.costs import NO_COSTS, Costs, added, all_of, reached
from arena.values.errors import RecordError
from arena.values.model import Clock, MatchResult

PAIR = [seat(clock=Clock(move_ms=1000, first_ms=0)) for _ in range(2)]
SPENT = Spent(1.0, 1.0, 1.0)


def test_last_cost_of_each_answer_is_added() -> None:
    """Of several ``info`` lines of one answer the last value counts; answers are added up."""
    referee = asked(*PAIR)
    for line in (b"info calls=1 cost=0.1", b"info calls=2 cost=0.25 depth=9", b"play d 1"):
        referee.line(0, line, SPENT)
    referee.close_node()
    referee.ask(1)
    referee.line(1, b"play d 1", SPENT)
    referee.close_node()
    referee.ask(0)
    referee.line(0, b"info calls=3 cost=0.5", SPENT)
    referee.line(0, b"resign", SPENT)
    referee.close_node()
    record = referee.record({}, "2026-01-01T00:00:00.000Z", 1)
    assert record.players[0].costs == Costs(calls=5, cost=0.75)
    assert record.players[1].costs == NO_COSTS
    assert '"costs":{"calls":5,"cost":0.75}' in format_record(record)
    assert parse_record(format_record(record)) == record


def test_cost_of_answer_taken_back_counts() -> None:
    """With ``rethink``, the cost reported before an illegal answer is added to that of the next."""
    referee = asked(*PAIR, rethink=1)
    for line in (b"info cost=1", b"play z 1", b"info cost=0.5", b"play d 1"):
        referee.line(0, line, SPENT)
    assert referee.players[0].costs == Costs(cost=1.5)


def test_costs_count_where_info_is_full() -> None:
    """Costs are added up also where other keys of ``info`` have used all the room of a decision."""
    referee = asked(*PAIR)
    many = " ".join([f"k{number}=1" for number in range(MAX_INFO)])
    referee.line(0, f"info {many} cost=2".encode(), SPENT)
    referee.line(0, b"play d 1", SPENT)
    assert "cost" not in dict(referee.players[0].decision.info)
    assert referee.players[0].costs.cost == 2


def test_invalid_costs_are_counted_as_ignored() -> None:
    """A cost that is negative, infinite or no number is not added, but counted as ignored."""
    said: dict[str, float | str] = {
        "cost": -1,
        "calls": "nan",
        "prompt_tokens": float("inf"),
        "completion_tokens": 7,
    }
    assert added(NO_COSTS, said) == Costs(completion_tokens=7, ignored=3)
    assert added(NO_COSTS, {"depth": "deep", "score": -4}) == NO_COSTS


def test_sums_of_costs_are_decimal_and_finite() -> None:
    """Fifty costs of 0.1 are exactly 5, and no sum becomes infinite."""
    costs = NO_COSTS
    for _ in range(50):
        assert not reached(costs, (("cost", 5.0),))
        costs = added(costs, {"cost": 0.1, "calls": 999_999_999_999_999})
    assert costs.cost == 5
    assert reached(costs, (("calls", 1e300), ("cost", 5.0))) == "cost"
    most = Costs(cost=sys.float_info.max)
    assert all_of([most, most]) == most
    record = finished.record(0, ["oak", "elm"], [1, 2])
    oak, elm = record.players
    large = replace(record, players=(replace(oak, costs=all_of([costs, most])), elm))
    assert parse_record(format_record(large)) == large


@pytest.mark.parametrize("wrong", ['{"cost":-1}', '{"calls":"3"}', "[]", '{"ignored":0.5}'])
def test_record_with_impossible_costs_is_refused(wrong: str) -> None:
    """A record whose costs no match can have is a ``RecordError`` that names ``costs``."""
    record = finished.record(0, ["oak", "elm"], [1, 2])
    oak, elm = record.players
    text = format_record(replace(record, players=(replace(oak, costs=Costs(calls=1)), elm)))
    with pytest.raises(RecordError, match="costs"):
        parse_record(text.replace('{"calls":1}', wrong))


def test_leaderboard_shows_costs_by_bot(tmp_path: Path) -> None:
    """A leaderboard has the sum of each bot's costs, computed anew or from a kept table."""
    with open_store(tmp_path, create=True) as store:
        people = finished.entrants(["oak", "elm"])
        edition = store.tournaments.create("open", "f", {}, people)
        for number in range(4):
            record = finished.record(number, ["oak", "elm"], [1, 2], ms=[[1.0], [1.0]])
            oak, elm = record.players
            paid = replace(oak, costs=Costs(calls=2, cost=0.1, ignored=1))
            match = MatchResult(number, replace(record, players=(paid, elm)))
            finished.add(store, edition.id, match)
        for _ in range(2):
            board = board_of(store, "open")
            assert {row.bot: row.costs.there for row in board.rows} == {
                "oak": {"calls": 8, "cost": 0.4, "ignored": 4},
                "elm": {},
            }
            assert board.costs == Costs(calls=8, cost=0.4, ignored=4)
        row = store.matches.inspect(record.id)
        assert row.costs == (Costs(calls=2, cost=0.1, ignored=1), NO_COSTS)
        assert is_as_recorded(row, parse_record(row.text))
        others = row._replace(costs=()), row._replace(entrants=row.entrants[::-1])
        for other in (*others, row._replace(started_ms=0)):
            assert not is_as_recorded(other, parse_record(row.text))
