"""Who is unable rests for longer and longer; others play on; who is waited for is said."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from support.own_clock import OwnClock

from arena.progress.rests import Rests
from arena.values.errors import UnableSeat
from arena.values.model import Match

HOUR = 3600.0
GPT = UnableSeat("gpt", "429", False)
CLAUDE = UnableSeat("claude", "529", True)


@pytest.fixture
def clock() -> OwnClock:
    return OwnClock()


@pytest.fixture
def rests(clock: OwnClock) -> Rests:
    """Return the rests of bots that may be unable for an hour."""
    return Rests(HOUR, clock=clock)


def match(number: int, *seats: str) -> Match:
    return Match(number, "leaves", 0, 0, seats)


def everything(rests: Rests) -> list[int]:
    """Return the numbers of the matches that need not wait any longer."""
    found = []
    while (one := rests.next()) is not None:
        if not rests.has_to_wait(one):
            found.append(one.number)
    return found


def fail(rests: Rests, clock: OwnClock, times: int) -> None:
    """Have a bot be unable so often, and rest each time."""
    for _ in range(times):
        rests.unable(GPT)
        assert rests.has_to_wait(match(0, "gpt", "oak"))
        clock.now += rests.pause() or 0
        everything(rests)


def test_rests_double_up_to_five_minutes(clock: OwnClock) -> None:
    """A bot that stays unable rests 1, 2, 4 s and so on up to 5 minutes, with a last try."""
    rests, found = Rests(HOUR, clock=clock), []
    one = match(0, "gpt", "oak")
    while True:
        rests.unable(GPT)
        assert rests.has_to_wait(one)
        pause = rests.pause()
        if pause is None:
            break
        found.append(pause)
        clock.now += pause
        assert rests.next() == one
    assert found[:11] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert max(found) == 300
    assert sum(found) == HOUR
    assert set(rests.waited_for()) == {"gpt"}


def test_played_match_resets_rest(rests: Rests, clock: OwnClock) -> None:
    """A match that the bot plays to its end resets its rests and frees all that waited for it."""
    fail(rests, clock, 4)
    rests.unable(GPT)
    rests.has_to_wait(match(3, "gpt", "oak"))
    rests.has_to_wait(match(1, "elm", "gpt"))
    rests.played(("oak", "gpt"))
    assert everything(rests) == [1, 3]
    assert rests.pause() is None
    assert rests.waited_for() == {}
    rests.unable(GPT)
    rests.has_to_wait(match(3, "gpt", "oak"))
    assert rests.pause() == 1


def test_failures_at_one_time_count_once(rests: Rests) -> None:
    """Eight workers that fail at the same time are one failure: the rest is 1 s."""
    for _ in range(8):
        rests.unable(GPT)
    rests.has_to_wait(match(0, "gpt", "oak"))
    assert rests.pause() == 1


def test_each_bot_rests_for_itself(rests: Rests, clock: OwnClock) -> None:
    """A bot that failed more often rests longer; a match of two waits until both may play."""
    fail(rests, clock, 3)
    rests.unable(GPT)  # for 8 s
    rests.unable(CLAUDE)  # for 1 s
    for number, seats in enumerate([("gpt", "oak"), ("claude", "oak"), ("claude", "gpt")]):
        assert rests.has_to_wait(match(number, *seats))
    assert rests.pause() == 1
    clock.now += 1
    assert everything(rests) == [1]
    rests.played(("claude", "oak"))
    assert rests.pause() == 7
    clock.now += 7
    assert everything(rests) == [0, 2]


def test_match_waits_for_second_bot_that_fails(rests: Rests, clock: OwnClock) -> None:
    """A match that waited for one bot waits on if its other bot has failed meanwhile."""
    rests.unable(GPT)
    assert rests.has_to_wait(match(0, "claude", "gpt"))
    clock.now += 1
    rests.unable(CLAUDE)
    assert everything(rests) == []
    clock.now += 1
    assert everything(rests) == [0]


def test_run_goes_on_while_one_bot_may_come_back(clock: OwnClock) -> None:
    """The run does not end while one of two unable bots is within its ``unable_for``."""
    rests = Rests(10.0, clock=clock)
    rests.unable(GPT)
    clock.now += 9
    rests.unable(CLAUDE)
    clock.now += 1
    everything(rests)
    rests.unable(GPT)
    rests.has_to_wait(match(0, "gpt", "oak"))
    assert rests.pause() is None
    rests.unable(CLAUDE)
    rests.has_to_wait(match(1, "claude", "oak"))
    assert rests.pause() == 2
    rests.has_to_wait(match(2, "claude", "gpt"))  # which needs both
    assert rests.pause() == 2
    clock.now += 2
    assert everything(rests) == [0, 1, 2]  # a rest of gpt's after the end is over, too


def test_match_of_suspended_bot_is_not_waited_for(clock: OwnClock) -> None:
    """A waiting match is given back if one of its bots is suspended meanwhile."""
    needed: dict[str, bool] = {}

    def plays(one: Match) -> bool:
        return all(needed.get(name, True) for name in one.seats)

    rests = Rests(HOUR, plays, clock=clock)
    rests.unable(GPT)
    for number in (1, 2):
        assert rests.has_to_wait(match(number, "gpt", f"bot{number}"))
    needed["bot1"] = False
    assert everything(rests) == [1]
    assert rests.pause() == 1
    needed["gpt"] = False
    assert not rests.has_to_wait(match(3, "gpt", "oak"))
    assert everything(rests) == [2]
    assert rests.pause() is None


def test_rest_that_ends_during_look_gives_short_pause(rests: Rests, clock: OwnClock) -> None:
    """A rest that ends between two looks gives a short pause, so that the run does not end."""
    rests.unable(GPT)
    assert rests.has_to_wait(match(0, "gpt", "oak"))
    assert rests.next() is None
    clock.now += 1
    assert 0 < (rests.pause() or 0) < 0.1
    assert everything(rests) == [0]


def test_matches_far_ahead_wait_while_bot_is_unable(clock: OwnClock) -> None:
    """While a bot is unable, matches too far ahead of its first one wait, and no longer."""
    end = 4
    rests = Rests(HOUR, is_far=lambda one: one.number >= end, clock=clock)
    assert not rests.has_to_wait(match(9, "oak", "elm"))
    rests.unable(GPT)
    assert rests.has_to_wait(match(0, "gpt", "elm"))
    assert not rests.has_to_wait(match(3, "oak", "elm"))
    assert not rests.is_far
    assert rests.has_to_wait(match(4, "oak", "elm"))
    assert rests.is_far
    assert everything(rests) == []
    assert rests.pause() == 1  # for gpt, not for those who are far ahead
    end = 5
    assert everything(rests) == [4]
    assert not rests.is_far
    rests.has_to_wait(match(7, "oak", "elm"))
    rests.played(("gpt", "elm"))
    assert everything(rests) == [0, 7]


SAYS = re.compile(r"waiting for gpt, unable since \d\d:\d\d \(429\); next try in (\d+) s")


def test_resting_bot_is_named_each_minute(
    rests: Rests, clock: OwnClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Once a minute a line says who is waited for, why, and when it is tried again."""
    fail(rests, clock, 9)
    rests.unable(GPT)
    rests.has_to_wait(match(0, "gpt", "oak"))
    caplog.clear()
    for _ in range(200):  # it is asked every second
        rests.pause()
        clock.now += 1
    found = [SAYS.fullmatch(record.getMessage()) for record in caplog.records]
    assert all(found)
    seconds = [int(each[1]) for each in found if each]
    assert all(each.levelno == logging.WARNING for each in caplog.records)
    assert len(seconds) in (3, 4)
    assert all(one - other == 60 for one, other in pairwise(seconds))


@pytest.mark.parametrize("ask", [lambda rests: rests.next(), lambda rests: rests.pause()])
def test_run_without_unable_bot_waits_for_nothing(ask: Callable[[Rests], object]) -> None:
    """Without a bot that is unable no match waits, and there is no pause."""
    rests = Rests(HOUR)
    assert not rests.has_to_wait(match(0, "oak", "elm"))
    assert ask(rests) is None
