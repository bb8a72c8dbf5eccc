"""Who is kept from match to match, and what looks at them may cost those at the table."""

from __future__ import annotations

import logging
import resource
from collections.abc import Callable

import pytest
from support.match_jobs import seat
from support.scripted_bots import ScriptedBot, World

from arena.match.protocol import Ready
from arena.process.memory import Usage
from arena.session import pool as pool_module
from arena.session.pool import Pool
from arena.values.model import Entrant

READY = Ready(want=())


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Say how much of the memory is free: all, until it is called; nobody is swept away here."""
    monkeypatch.setattr(pool_module, "end_strays", lambda _: None)

    def say(part: float) -> None:
        monkeypatch.setattr(pool_module, "free_part", lambda: part)

    say(1.0)
    monkeypatch.setattr("arena.session.holdings.usage", lambda *words: Usage(1, 1))
    return say


def entrant(number: int = 0) -> Entrant:
    return seat(name=f"{number}").entrant


def keep(pool: Pool, count: int) -> list[ScriptedBot]:
    """Have a pool keep so many bots, the first one longest."""
    world = World(0, [""] * count)
    for number in range(count):
        bot = world.start(None)
        bot.pid = 1000 + number
        pool.put(entrant(number), bot, READY, ponder=True)
    return world.bots


def gone(bots: list[ScriptedBot]) -> list[bool]:
    return [bot.gone for bot in bots]


def test_kept_bot_over_memory_is_waited_for_after_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept bot over its memory is killed at once, and waited for when the match is over."""
    monkeypatch.setattr("arena.session.holdings.usage", lambda *words: Usage(1 << 31, 1))
    pool = Pool()
    [bot] = keep(pool, 1)
    pool.look(bot.next_check_ns)
    assert (bot.gone, bot.killed) == (True, False)
    assert pool.take(entrant()) is None
    pool.reap()
    pool.close()
    assert bot.killed


def test_kept_bots_are_bounded_by_open_files(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With more bots than open files allow, the least used are ended; one warning says so."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (320, 320))
    pool = Pool()
    with caplog.at_level(logging.WARNING, logger="arena"):
        bots = keep(pool, 23)
    assert gone(bots) == [True] * 3 + [False] * 20
    assert len(pool.pids()) == 20
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "20" in caplog.text
    pool.evict_all()


def test_kept_bots_are_ended_when_memory_is_scarce(memory: Callable[[float], None]) -> None:
    """With little free memory fewer and fewer bots are kept, the least used go first."""
    pool = Pool()
    bots = keep(pool, 10)
    memory(0.12)
    pool.look(1)
    assert len(pool.pids()) == 10
    memory(0.08)
    for left in (4, 1, 0, 0):
        pool._next_check_ns = 0
        pool.look(1)
        assert len(pool.pids()) == left
        assert gone(bots) == [True] * (10 - left) + [False] * left
    pool.reap()


def test_end_of_match_spares_kept_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a match is over its processes are killed, except for kept bots and those that stay."""
    sweeps: list[frozenset[int]] = []
    monkeypatch.setattr(pool_module, "end_strays", sweeps.append)
    pool = Pool()
    bots = keep(pool, 2)
    pool.reap(frozenset((7,)))
    assert sweeps == [{1000, 1001, 7}]
    bots[1].lines.feed(b"late")
    taken = pool.take(entrant(1))
    assert taken is not None
    assert (taken.bot, bool(taken.bot.lines)) == (bots[1], False)
    taken.bot.kill()
    pool.evict_all()


def test_evict_all_ends_all_kept_bots() -> None:
    """``evict_all``, for a match that lacks something, kills and waits for all kept bots."""
    pool = Pool()
    bots = keep(pool, 3)
    pool.evict_all()
    assert pool.pids() == frozenset()
    assert [bot.killed for bot in bots] == [True] * 3
