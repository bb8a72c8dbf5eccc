"""Order of calls: a referee called out of order raises ``AssertionError`` and gives no verdict."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.match_jobs import job, seat
from support.script_games import Sums

from arena.match.opening import deal
from arena.match.protocol import Ready
from arena.match.referee import Referee
from arena.match.verdicts import Verdict
from arena.values.model import Decision, Termination

Call = Callable[[Referee], object]

ABSENT, GREETED, READY, ASKED, SETTLED, DROPPED, OVER = range(7)

# every call about player 0, and when it may come; at each other stage it is out of order
CALLS: dict[str, tuple[Call, set[int]]] = {
    "greet": (lambda r: r.greet(0), {ABSENT}),
    "resume": (lambda r: r.resume(0, Ready()), {ABSENT}),
    "begin": (lambda r: r.begin(), set()),
    "open_node": (lambda r: r.open_node(), set()),
    "ask": (lambda r: r.ask(0), {READY}),
    "answer": (lambda r: r.answer(0, "add:1", b"1", Decision()), {ASKED}),
    "line": (lambda r: r.line(0, b"log on"), {GREETED, READY, ASKED}),
    "fail": (lambda r: r.fail(0, Verdict(Termination.MEMORY, "")), {ABSENT, GREETED, READY, ASKED}),
    "expired": (lambda r: r.expired(0, b"", False), {GREETED, ASKED}),
    "close_node": (lambda r: r.close_node(), {SETTLED, DROPPED}),
    "farewell": (lambda r: r.farewell(0), {DROPPED, OVER}),
    "record": (lambda r: r.record({}, "", 0), {OVER}),
}


def at(stage: int) -> Referee:
    """Return the referee of a match whose player 0 is at a stage, its node open from READY on."""
    game = Sums()
    one = job("sums", seat(), seat(), setup="1 0,0", max_decisions=1)
    referee = Referee(one, game, deal(one, game), lambda *said: None)
    if stage == ABSENT:
        return referee
    referee.greet(0)
    if stage == GREETED:
        return referee
    referee.resume(1, Ready(()))
    referee.line(0, b"ready")
    referee.begin()
    referee.open_node()
    if stage == READY:
        return referee
    referee.ask(0)
    if stage != ASKED:
        referee.line(0, b"resign" if stage == DROPPED else b"play add:1")
    if stage == OVER:
        referee.close_node()
    return referee


def test_ready_player_is_not_heard_before_game() -> None:
    """A line of a player who is ready is out of order until the game begins."""
    referee = at(GREETED)
    referee.line(0, b"ready")
    with pytest.raises(AssertionError, match="before the game"):
        referee.line(0, b"log on")


@pytest.mark.parametrize("stage", [READY, ASKED, SETTLED, DROPPED])
def test_player_who_gives_up_ends_match_once(stage: int) -> None:
    """Whoever gives up loses by ``resign``, also after an answer and a second time."""
    referee = at(stage)
    referee.give_up(0)
    if stage == DROPPED:
        referee.close_node()
    assert referee.over
    record = referee.record({}, "", 0)
    assert (record.by, record.ranks) == (Termination.RESIGN, (2, 1))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("stage", range(7))
def test_referee_call_at_wrong_stage_is_wrong_order(name: str, stage: int) -> None:
    """A call of the referee is accepted at its stages, and an ``AssertionError`` at all others."""
    call, stages = CALLS[name]
    referee = at(stage)
    if stage in stages:
        call(referee)
    else:
        with pytest.raises(AssertionError):
            call(referee)


def test_match_begins_once_all_players_are_ready_or_failed() -> None:
    """``begin`` raises ``AssertionError`` while a player is neither ready nor failed."""
    referee = at(GREETED)
    referee.resume(1, Ready(()))
    with pytest.raises(AssertionError):
        referee.begin()
    referee.fail(0, Verdict(Termination.STARTUP, "it exited"))
