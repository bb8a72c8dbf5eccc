"""An answer that is not legal may be taken back, as often as the tournament says."""

from __future__ import annotations

import pytest
from support.match_jobs import seat
from support.referees import asked

from arena.match.charging import Spent
from arena.values.model import Clock, Termination
from arena.values.said import SaidWhere

NO_COLUMN = b"play z 1"
PAIR = [seat(clock=Clock(move_ms=1000, first_ms=0, main_ms=9000)) for _ in range(2)]


def after(ms: float) -> Spent:
    return Spent(ms, ms, ms)


def test_bot_is_asked_again_with_remaining_time() -> None:
    """After an illegal answer at 100.5 of 1000 ms, ``go`` is repeated with 899 ms left."""
    log: list[tuple[int, SaidWhere, str]] = []
    referee = asked(*PAIR, note=lambda *said: log.append(said), rethink=1)
    assert not referee.line(0, NO_COLUMN, after(100.5))
    bad, go, rest = referee.players[0].again.split(b"\n")
    assert bad.startswith(b"bad illegal ")
    assert (go, rest) == (b"go 1 left=8899 limit=899", b"")
    [(player, source, text)] = log
    assert (player, source) == (0, SaidWhere.REFEREE)
    assert "z" in text
    assert referee.line(0, b"play d 1", after(300.0))
    referee.close_node()
    (decision,) = referee.course.decisions
    assert (decision.tries, decision.charged_ms) == (1, 300.0)
    assert referee.course.actions == [(0, "d")]


@pytest.mark.parametrize("rethink", [1, 3])
def test_illegal_answer_after_last_rethink_loses(rethink: int) -> None:
    """A bot that has used up its ``rethink`` loses; the record counts the answers taken back."""
    referee = asked(*PAIR, rethink=rethink)
    for _ in range(rethink):
        assert not referee.line(0, NO_COLUMN, after(10.0))
    assert referee.line(0, NO_COLUMN, after(20.0))
    assert referee.players[0].code is Termination.ILLEGAL
    assert referee.players[0].decision.tries == rethink


def test_rethink_is_counted_anew_for_each_decision() -> None:
    """Illegal answers taken back in one decision do not count in the next one."""
    referee = asked(*PAIR, rethink=1)
    assert not referee.line(0, NO_COLUMN, after(10.0))
    assert referee.line(0, b"play d 1", after(20.0))
    referee.close_node()
    referee.ask(1)
    referee.line(1, b"play d 1", after(1.0))
    referee.close_node()
    referee.ask(0)
    assert not referee.line(0, b"play z 2", after(10.0))
    assert referee.line(0, b"play d 2", after(20.0))
    referee.close_node()
    assert [decision.tries for decision in referee.course.decisions] == [1, 0, 1]


def test_illegal_answer_within_late_margin_loses() -> None:
    """An illegal answer that comes after the limit, within the margin, cannot be taken back."""
    referee = asked(*PAIR, rethink=1)
    assert referee.line(0, NO_COLUMN, after(1001.0))
    assert referee.players[0].code is Termination.ILLEGAL
