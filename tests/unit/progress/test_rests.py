"""Who is unable rests for longer and longer; others play on; who is waited for is said."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from arena.progress.rests import Rests
from arena.values.errors import UnableSeat
from arena.values.model import Match

HOUR = 3600.0
GPT = UnableSeat("gpt", "429", False)
CLAUDE = UnableSeat("claude", "529", True)


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def match(number: int, *seats: str) -> Match:
    return Match(number, "leaves", 0, 0, seats)


def everything(rests: Rests) -> list[int]:
    """Return the numbers of the matches that need not wait any longer."""
    found = []
    while (one := rests.next()) is not None:
        if not rests.has_to_wait(one):
            found.append(one.number)
    return found


def test_rests_get_longer_up_to_five_minutes(clock: Clock) -> None:
    """1, 2, 4 seconds and so on; at the end of the hour there is one more try."""
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


def test_a_match_that_ends_ends_the_rest(clock: Clock) -> None:
    """Then its rests begin anew, and all that waited for it may be played."""
    rests = Rests(HOUR, clock=clock)
    for _ in range(4):
        rests.unable(GPT)
        assert rests.has_to_wait(match(3, "gpt", "oak"))
        clock.now += rests.pause() or 0
        everything(rests)
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


def test_a_match_of_others_ends_nothing(clock: Clock) -> None:
    """Nor is a match of others kept back."""
    rests = Rests(HOUR, clock=clock)
    rests.unable(GPT)
    assert not rests.has_to_wait(match(0, "oak", "elm"))
    rests.played(("oak", "elm"))
    assert rests.has_to_wait(match(1, "oak", "gpt"))


def test_those_that_began_together_learn_nothing_new(clock: Clock) -> None:
    """Eight workers that fail at once are one failure."""
    rests = Rests(HOUR, clock=clock)
    for _ in range(8):
        rests.unable(GPT)
    rests.has_to_wait(match(0, "gpt", "oak"))
    assert rests.pause() == 1


def test_each_rests_alone(clock: Clock) -> None:
    """Who has failed three times rests longer than who has failed once; both: until both may."""
    rests = Rests(HOUR, clock=clock)
    for _ in range(3):
        rests.unable(GPT)
        rests.has_to_wait(match(0, "gpt", "oak"))
        clock.now += rests.pause() or 0
        everything(rests)
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


def test_who_fails_later_is_waited_for_too(clock: Clock) -> None:
    """A match that waited for one of its two entrants may find that the other one fails now."""
    rests = Rests(HOUR, clock=clock)
    rests.unable(GPT)
    assert rests.has_to_wait(match(0, "claude", "gpt"))
    clock.now += 1
    rests.unable(CLAUDE)
    assert everything(rests) == []
    clock.now += 1
    assert everything(rests) == [0]


def test_the_end_is_not_for_who_may_come_back(clock: Clock) -> None:
    """While one of two that rest is not waited for long enough, the run goes on for that one."""
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


def test_with_no_patience_at_all(clock: Clock) -> None:
    """An ``unable_for`` of 0 ends the run as soon as there is nothing else to play."""
    rests = Rests(0.0, clock=clock)
    rests.unable(GPT)
    assert rests.has_to_wait(match(0, "gpt", "oak"))
    assert rests.pause() is None
    assert set(rests.waited_for()) == {"gpt"}


def test_a_match_that_nobody_needs_to_play_is_given_back(clock: Clock) -> None:
    """As one of them is suspended meanwhile: then it is not waited for."""
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


def test_a_rest_that_ends_while_it_is_looked_at(clock: Clock) -> None:
    """Then there is a pause all the same: without one the run would end."""
    rests = Rests(HOUR, clock=clock)
    rests.unable(GPT)
    assert rests.has_to_wait(match(0, "gpt", "oak"))
    assert rests.next() is None
    clock.now += 1
    assert 0 < (rests.pause() or 0) < 0.1
    assert everything(rests) == [0]


def test_others_go_only_so_far(clock: Clock) -> None:
    """While somebody is unable, who is too far ahead waits for all before; and no longer."""
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


def test_once_a_minute_it_is_said(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """Who is waited for, why, and when it is tried again."""
    rests = Rests(HOUR, clock=clock)
    for _ in range(9):
        rests.unable(GPT)
        rests.has_to_wait(match(0, "gpt", "oak"))
        clock.now += rests.pause() or 0
        everything(rests)
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
def test_without_anybody_unable_there_is_nothing(ask: Callable[[Rests], object]) -> None:
    """As in nearly every run."""
    rests = Rests(HOUR)
    assert not rests.has_to_wait(match(0, "oak", "elm"))
    assert ask(rests) is None
