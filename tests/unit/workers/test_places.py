"""Which bots a worker starts ahead, on which of its cores, and when it no longer does."""

from __future__ import annotations

import errno
import os
from types import SimpleNamespace
from typing import Any

import pytest

from arena.errors import Lack
from arena.workers.worker import Void, _Places


class FakePool:
    """A pool that notes which match is started on which core."""

    def __init__(self, where: list[int]) -> None:
        self.done: list[tuple[object, ...]] = []
        self.lacking = -1  # the match for which something is lacking
        self._where = where

    def start_ahead(self, number: int) -> None:
        if number == self.lacking:
            raise OSError(errno.EAGAIN, "no process is left")
        self.done.append((number, self._where[0]))

    def give_up_started(self, number: int) -> None:
        self.done.append(("over", number))

    def give_way(self) -> None:
        self.done.append(("all ended",))


def given(number: int) -> Any:
    match = SimpleNamespace(number=number)
    return SimpleNamespace(order=SimpleNamespace(match=match), job=lambda: number)


@pytest.fixture
def where(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The core of this process, and after it those that cannot be had."""
    place = [-1]

    def move(pid: int, cores: set[int]) -> None:
        [core] = cores
        if core in place[1:]:
            raise OSError(errno.EINVAL, "there is no such core")
        place[0] = core

    monkeypatch.setattr(os, "sched_setaffinity", move)
    return place


def test_each_match_has_its_core(where: list[int]) -> None:
    """The bots of the present match are the first to be started; then those of the next ones."""
    pool: Any = FakePool(where)
    places = _Places((5, 6, 7))
    places.start_ahead([given(0), given(1), given(2)], pool)
    assert pool.done == [(0, 5), (1, 6), (2, 7)]
    assert where == [5]
    places.go_on(pool)
    assert where == [6]
    places.start_ahead([given(1), given(2), given(3)], pool)
    assert pool.done[3:] == [(1, 6), (2, 7), (3, 5)]


def test_one_core_starts_nothing_ahead(where: list[int]) -> None:
    """A worker with one core starts the bots of a match in that match."""
    pool: Any = FakePool(where)
    places = _Places((5,))
    places.start_ahead([given(0)], pool)
    places.go_on(pool)
    assert pool.done == []
    assert where == [5]


def test_a_core_that_cannot_be_had(where: list[int]) -> None:
    """Nobody is started on another core in its place, and nothing ahead any more."""
    pool: Any = FakePool(where)
    places = _Places((5, 6))
    where.append(6)
    places.start_ahead([given(0), given(1)], pool)
    assert pool.done == [(0, 5), ("all ended",)]
    assert (places.ahead, where[0]) == (0, 5)


def test_a_core_that_is_gone(where: list[int]) -> None:
    """The bots that were started there are ended: their match would be played elsewhere."""
    pool: Any = FakePool(where)
    places = _Places((5, 6))
    places.start_ahead([given(0), given(1)], pool)
    where.append(6)
    places.go_on(pool)
    assert pool.done[2:] == [("all ended",)]
    assert (places.ahead, where[0]) == (0, 5)


def test_a_start_that_lacks_something(where: list[int]) -> None:
    """Where a bot cannot be started ahead, the match that is played gets all there is."""
    pool: Any = FakePool(where)
    pool.lacking = 1
    places = _Places((5, 6))
    places.start_ahead([given(0), given(1)], pool)
    assert pool.done == [(0, 5), ("all ended",)]
    assert (places.ahead, where[0]) == (0, 5)


@pytest.mark.parametrize(("lack", "ahead"), [(None, 1), (Lack.PROCESSES, 0)])
def test_a_match_that_lacked_something(lack: Lack | None, ahead: int, where: list[int]) -> None:
    """After it nothing starts ahead any more; after another failure of a match it does."""
    pool: Any = FakePool(where)
    places = _Places((5, 6))
    places.end(given(0), Void("it failed", lack), pool)
    assert places.ahead == ahead
    assert pool.done[0] == ("over", 0)
    assert (("all ended",) in pool.done) == (lack is not None)
