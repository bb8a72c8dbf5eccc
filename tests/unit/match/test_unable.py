"""`unable` ends a match as if it had not begun, if a seat that asks says it; from others not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.match_jobs import seat
from support.referees import asked, greeted

from arena.match.referee import Referee
from arena.values.errors import MatchVoid, UnableSeat
from arena.values.model import Cause, Seat, Termination
from arena.values.origins import ASK

SAYS = b"unable no answer from the server"


def asks(one: Seat) -> Seat:
    entrant = one.entrant
    return replace(one, entrant=replace(entrant, bot=replace(entrant.bot, origin=ASK)))


def said_by(referee: Referee, player: int, raw: bytes = SAYS) -> UnableSeat:
    """Have a player say it; return what the match was left with."""
    with pytest.raises(MatchVoid) as found:
        referee.line(player, raw)
    void = found.value.void
    assert void.unable is not None
    assert void.lack is None
    assert void.unable.text in str(found.value)
    return void.unable


GPT, OAK = asks(seat(name="gpt")), seat(name="oak")


def test_unable_before_first_answer_counts_as_unanswered() -> None:
    """A trusted bot that is unable at its start or first decision has answered nothing."""
    expected = UnableSeat("gpt", "no answer from the server", False)
    assert said_by(greeted(GPT, OAK), 0) == expected
    assert said_by(asked(GPT, OAK), 0) == expected


def test_unable_after_first_answer_counts_as_answered() -> None:
    """A trusted bot that is unable at a later decision, asked or not, has answered."""
    referee = asked(GPT, OAK)
    referee.line(0, b"play d 1")
    referee.close_node()
    assert said_by(referee, 0).answered
    referee.ask(1)
    referee.line(1, b"play d 1")
    referee.close_node()
    referee.ask(0)
    assert said_by(referee, 0).answered


def test_unable_during_opponents_first_decision_has_no_answer() -> None:
    """A bot that is unable before its own first decision counts as having answered nothing."""
    assert not said_by(asked(OAK, GPT), 1).answered


def test_reason_of_unable_is_safe_to_show() -> None:
    """The text of ``unable`` is cut, and its control characters are escaped."""
    found = said_by(asked(GPT, OAK), 0, b"unable \xc2\x9b2J" + b"x" * 1000)
    assert found.text.startswith("\\x9b2J")
    assert len(found.text) == 200


@pytest.mark.parametrize("player", [0, 1])
def test_unable_of_isolated_bot_is_crash(player: int) -> None:
    """A bot that is not trusted and says ``unable`` crashes, also beside one that is trusted."""
    seats = [GPT, GPT]
    seats[player] = OAK
    referee = asked(*seats)
    assert referee.line(player, SAYS)
    (fault,) = referee.faults
    assert (fault.player, fault.code, fault.cause) == (player, Termination.CRASH, Cause.ERROR)
    assert "no answer from the server" in fault.detail


def test_unable_of_isolated_bot_at_start_is_startup_fault() -> None:
    """A bot that is not trusted and says ``unable`` before it is ready has a startup fault."""
    referee = greeted(OAK, GPT)
    assert referee.line(0, SAYS)
    (fault,) = referee.faults
    assert (fault.code, fault.cause) == (Termination.STARTUP, Cause.ERROR)
