"""Who is kept from match to match, and what looks at them may cost those at the table."""

from __future__ import annotations

import errno
import logging
import resource
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from arena.match.protocol import HELLO, Ready
from arena.model import Clock
from arena.process.bot import LaunchError
from arena.process.memory import Usage
from arena.session import pool as pool_module
from arena.session.pool import OF_ONE_USER, Pool

READY = Ready(want=())


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Say how much of the memory is free: all, until it is called; nobody is swept away here."""
    monkeypatch.setattr(pool_module, "kill_strays", lambda *_, **__: 0)

    def say(part: float) -> None:
        monkeypatch.setattr(pool_module, "free_part", lambda: part)

    say(1.0)
    monkeypatch.setattr("arena.session.guard.usage", lambda *words: Usage(1, 1))
    return say


class FakeBot:
    """A kept bot that notes what is done to it."""

    def __init__(self, pid: int = 1) -> None:
        self.pid = pid
        self.done: list[str] = []
        self.tree = SimpleNamespace(
            kill=lambda: self.done.append("killed"), group=None, members=lambda: (pid,)
        )
        self.meter = SimpleNamespace(cpu_ns=lambda now: 0)
        self.lines = SimpleNamespace(forget=lambda: self.done.append("forgotten"))
        self.memory_bytes, self.look_at, self.slot = 8, 0, None

    def has_exited(self, wait_ms: int = 0) -> bool:
        return False

    def kill(self) -> None:
        self.done.append("waited for")

    def settle(self, wait_ms: float) -> None:
        assert wait_ms > 0
        self.done.append("settled")

    def is_quiet(self) -> bool:
        return True

    def drain(self) -> None:
        self.done.append("drained")


def seat(number: int = 0) -> Any:
    return SimpleNamespace(
        entrant=number,
        bot=SimpleNamespace(hash=""),
        args=(),
        env=(),
        memory_bytes=8,
        clock=Clock(start_ms=3000 if number else 4000),
    )


def keep(pool: Pool, count: int) -> list[Any]:
    bots: list[Any] = [FakeBot(pid=1000 + number) for number in range(count)]
    for number, bot in enumerate(bots):
        pool.give(seat(number), bot, READY, ponder=True)
    return bots


def test_nobody_waits_for_a_kept_bot_to_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept bot over its memory is killed at the look, and waited for when the match is over."""
    monkeypatch.setattr("arena.session.guard.usage", lambda *words: Usage(9, 1))
    pool = Pool()
    [bot] = keep(pool, 1)
    pool.look(1)
    assert bot.done == ["killed"]
    assert pool.take(seat()) is None
    pool.tidy(frozenset(), alone=True)
    pool.dismiss()
    assert bot.done == ["killed", "waited for"]


def test_last_words_are_waited_for_when_it_is_taken() -> None:
    """Nobody sleeps at the end of a match; whoever takes the bot has it read that end first."""
    pool = Pool()
    [bot] = keep(pool, 1)
    assert bot.done == []
    assert pool.take(seat()) is not None
    assert bot.done == ["settled", "forgotten"]
    assert pool.take(seat()) is None


class Started(FakeBot):
    """A bot that was started ahead of its match; it uses half of a core."""

    def __init__(self, how: object) -> None:
        super().__init__()
        now = time.monotonic_ns()
        self.meter = SimpleNamespace(cpu_ns=lambda at: max(0, at - now) // 2)
        self.tree.freeze = self._freeze
        self.tree.thaw = lambda: self.done.append("woken")

    def _freeze(self) -> bool:
        self.done.append("stopped")
        return True

    def write(self, data: bytes) -> bool:
        self.done.append(data.decode())
        return True


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A match to come, of two bots, whose bots are ``Started``."""
    monkeypatch.setattr(pool_module, "BotProcess", Started)
    monkeypatch.setattr(pool_module, "launch", lambda seat, sandbox: None)
    seats = (seat(0), seat(1))
    return SimpleNamespace(number=7, seats=seats, over_memory=(), sandbox="limits")


def started(pool: Pool) -> list[Any]:
    """Return the bots in a pool."""
    return [kept.guard.bot for kept in pool._kept.values()]


def test_started_ahead_for_one_match(match: Any) -> None:
    """Each bot that was started ahead is greeted, and taken once, for its match and seat."""
    pool = Pool()
    pool.start_ahead(match)
    pool.start_ahead(match)  # which changes nothing
    bots = started(pool)
    assert [bot.done for bot in bots] == [[HELLO.decode()]] * 2
    other: Any = SimpleNamespace(number=8)
    assert pool.take_started(other, 0) is None
    taken = [pool.take_started(match, player) for player in range(2)]
    assert [kept.guard.bot for kept in taken if kept] == bots
    assert pool.take_started(match, 0) is None
    assert pool.pids() == frozenset()
    assert all("drained" not in bot.done for bot in bots)


def test_who_was_started_for_nothing_is_ended(match: Any) -> None:
    """A match that failed before it took its bots leaves none of them; others keep theirs."""
    pool = Pool()
    pool.start_ahead(match)
    bots = started(pool)
    pool.give_up_started(8)
    assert len(pool._kept) == 2
    pool.give_up_started(7)
    pool.tidy(frozenset(), alone=True)
    assert pool._kept == {}
    assert [bot.done[1:] for bot in bots] == [["killed", "waited for"]] * 2


def test_who_starts_for_long_is_stopped(match: Any) -> None:
    """A bot that computes on is stopped after a while, and starts again in its match."""
    pool = Pool()
    pool.start_ahead(match)
    bots = started(pool)
    now = time.monotonic_ns()
    for seconds in (0.5, 1.1, 2.0):
        assert all("stopped" not in bot.done for bot in bots)
        pool.look(now + int(seconds * 1e9))
        pool._look_at = 0
    pool.hold_started(match, now + 2_000_000_000)
    assert [bot.done[-3:] for bot in bots] == [["stopped", "killed", "waited for"]] * 2
    assert pool.take_started(match, 0) is None


def test_whose_time_to_start_is_over_starts_again(match: Any) -> None:
    """Nobody has longer to start than a bot that is started in its match."""
    pool = Pool()
    before = time.monotonic_ns()
    pool.start_ahead(match)
    after = time.monotonic_ns()
    pool.hold_started(match, after + 3_000_000_001)
    assert pool.take_started(match, 1) is None
    kept = pool.take_started(match, 0)
    assert kept is not None
    assert kept.guard.bot.done[1:] == ["stopped", "woken"]  # type: ignore[attr-defined]
    pool.give_up_started(7)
    pool.start_ahead(match)
    pool.hold_started(match, before + 3_000_000_000)
    assert len(pool._kept) == 2


def test_who_is_held_loses_no_time(match: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one bot of a match starts another is stopped, which is no part of its time to start."""
    pool, now = Pool(), 5_000_000_000
    monkeypatch.setattr(time, "monotonic_ns", lambda: now)
    pool.start_ahead(match)
    pool.hold_started(match, now + 400_000_000)
    now += 2_400_000_000
    kept = pool.take_started(match, 1)
    assert kept is not None
    assert now - kept.greeted == 400_000_000
    assert kept.guard.bot.done[1:] == ["stopped", "woken"]  # type: ignore[attr-defined]


def test_nobody_is_started_ahead_where_nothing_isolates(match: Any) -> None:
    """There the orphans of bots are children of ours, and those of two matches look alike."""
    match.sandbox = "none"
    pool = Pool()
    pool.start_ahead(match)
    assert pool.pids() == frozenset()


def test_nobody_is_started_ahead_who_cannot_be(match: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong with a bot is said in its match; who had too much memory does not start."""

    def fail(how: object) -> None:
        raise LaunchError("it is no program")

    monkeypatch.setattr(pool_module, "BotProcess", fail)
    pool = Pool()
    pool.start_ahead(match)
    monkeypatch.setattr(pool_module, "BotProcess", Started)
    match.over_memory = (1,)
    pool.start_ahead(match)
    assert pool.take_started(match, 0) is not None
    assert pool.take_started(match, 1) is None


@pytest.mark.parametrize(("files", "count"), [(16 * 7, 6), (16 * 6, 6), (16 * 5, 4), (16, 0)])
def test_no_more_are_started_ahead_than_kept(
    files: int, count: int, match: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those started ahead take no more files and users than those kept; a match starts whole."""
    monkeypatch.setattr(resource, "getrlimit", lambda which: (files, files))
    pool = Pool()
    for number in range(3):
        match.number = number
        pool.start_ahead(match)
    assert len(started(pool)) == count


def test_a_failure_while_one_is_started_loses_no_process(
    match: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that runs is in the pool, whatever happens next."""

    def fail(point: str) -> None:
        if point == "spawned":
            raise OSError(errno.EIO, "it failed")

    monkeypatch.setattr(pool_module, "cross", fail)
    pool = Pool()
    with pytest.raises(OSError, match="it failed"):
        pool.start_ahead(match)
    [bot] = started(pool)
    pool.give_way()
    assert bot.done[-2:] == ["killed", "waited for"]


def test_who_plays_no_match_is_not_waited_for(match: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end those who were started ahead are killed at once; others are told to leave."""
    left: list[object] = []
    monkeypatch.setattr(
        pool_module, "dismiss", lambda guards, within: left.extend(guard.bot for guard in guards)
    )
    pool = Pool()
    [kept] = keep(pool, 1)
    pool.start_ahead(match)
    bots = started(pool)[1:]
    pool.dismiss()
    assert left == [kept]
    assert [bot.done[1:] for bot in bots] == [["killed", "waited for"]] * 2


def test_as_many_as_there_are_files_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The least used are given up beyond that, and it is said once."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (3200, 3200))
    pool = Pool()
    with caplog.at_level(logging.WARNING, logger="arena"):
        bots = keep(pool, 203)
    assert [bot.done for bot in bots[:4]] == [["killed"], ["killed"], ["killed"], []]
    assert len(pool.pids()) == 200
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "200" in caplog.text


def test_as_many_as_there_are_users_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots with users of their own leave some for the matches of all workers."""
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    pool = Pool()
    for number in range(40):
        bot: Any = FakeBot(pid=number)
        bot.slot = SimpleNamespace()
        pool.give(seat(number), bot, READY, ponder=True)
    assert len(pool.pids()) == 17  # three quarters of 184 users, among eight


def test_an_ordinary_user_keeps_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel counts all its processes together, against the limit of each bot."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    pool = Pool()
    pool._files = OF_ONE_USER + 80
    keep(pool, OF_ONE_USER + 1)
    assert len(pool.pids()) == OF_ONE_USER


def test_none_when_memory_is_scarce(memory: Callable[[float], None]) -> None:
    """Where hardly any is left, fewer and fewer are kept, the least used first, down to none."""
    pool = Pool()
    bots = keep(pool, 10)
    memory(0.12)
    pool._look_at = 0
    pool.look(1)
    assert len(pool.pids()) == 10
    memory(0.08)
    for left in (4, 1, 0, 0):
        pool._look_at = 0
        pool.look(1)
        assert len(pool.pids()) == left
        assert ["killed" in bot.done for bot in bots] == [True] * (10 - left) + [False] * left


def test_gives_way() -> None:
    """Where a match lacks something nobody is kept."""
    pool = Pool()
    bots = keep(pool, 3)
    pool.give_way()
    assert pool.pids() == frozenset()
    assert [bot.done for bot in bots] == [["killed", "waited for"]] * 3


def test_sweeps_are_where_somebody_is_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a match leaves is killed when it is over; where all children are kept, nobody looks."""
    sweeps: list[frozenset[int]] = []
    monkeypatch.setattr(pool_module, "kill_strays", lambda stay, **_: sweeps.append(stay))
    pool = Pool()
    keep(pool, 2)
    spare = frozenset([7])
    for count, sweep in ((3, False), (4, True), (-1, True)):
        monkeypatch.setattr(pool_module, "count_children", lambda count=count: count)
        sweeps.clear()
        pool.tidy(spare, alone=True)
        assert sweeps == ([{7, 1000, 1001}] if sweep else [])
    monkeypatch.setattr(pool_module, "count_children", lambda: 3)
    pool.tidy(spare, alone=False)  # one of the children of whoever runs us may have ended
    assert len(sweeps) == 2
