"""What a stopwatch takes for time that a bot waited for a CPU, with a kernel made up for it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from support.scripted_bots import World

from arena.process.bot import BotProcess
from arena.session.idle import Idle
from arena.session.listening import UnheardTime
from arena.session.seated import SeatedBot
from arena.session.stopwatch import Stopwatch

MS = 1_000_000


class Kernel:
    """A clock, and the counters of one bot, which the test turns on; both also serve as a meter."""

    last_wait_ns = 0  # nobody has looked before

    def __init__(self) -> None:
        self.now = 1_000_000 * MS
        self.waited_ns = 65 * MS  # before it was asked
        self.used_ns = 25 * MS

    def waits(self, ms: int) -> None:
        self.now += ms * MS
        self.waited_ns += ms * MS

    def works(self, ms: int) -> None:
        self.now += ms * MS
        self.used_ns += ms * MS

    def cpu_ns(self, now: int) -> int:
        return self.used_ns

    def wait_ns(self) -> int:
        self.last_wait_ns = self.waited_ns
        return self.waited_ns

    def begin(self) -> None:
        pass


def seated(kernel: Kernel, held_ms: int = 0) -> tuple[SeatedBot, BotProcess]:
    """Return a bot that sits, and holds its pipe for so long while it is written to."""

    def write(block: bytes) -> bool:
        kernel.now += held_ms * MS
        if held_ms:
            seat.stopwatch.hold(held_ms * MS, asked=True)
        return True

    bot: Any = World(0, [""]).start(None)
    bot.meter, bot.write = kernel, write
    own: Any = SimpleNamespace(read=lambda: (0, 0))
    player: Any = SimpleNamespace()
    seat = SeatedBot(player)
    seat.bot, seat.idle = bot, Idle(bot, ponder=False)
    seat.stopwatch = Stopwatch(bot, UnheardTime(own), lambda: kernel.now)
    return seat, bot


def test_late_look_does_not_move_wait_before_question() -> None:
    """A wait for a CPU after the question is not taken off, even if it is read late."""
    kernel = Kernel()
    seat, _ = seated(kernel)
    seat.ask(b"go 1\n")
    kernel.waits(119)
    # the listener wakes now, and looks after others first
    kernel.waits(170)
    seat.stopwatch.read_waits()
    kernel.works(200)
    took = seat.stopwatch.spent(kernel.now, 1000)
    assert (took.wall_ms, took.cpu_ms) == (489, 200)
    assert took.charged_ms == 200


@pytest.mark.parametrize(("held", "charged"), [(0, 0), (60, 0), (100, 0), (600, 500), (1900, 1800)])
def test_clock_starts_100_ms_after_question_blocks(held: int, charged: int) -> None:
    """The clock of a bot that blocks the pipe of its question starts after 100 ms at the latest."""
    kernel = Kernel()
    seat, bot = seated(kernel, held)
    seat.ask(b"go 1\n")
    assert kernel.now - seat.stopwatch.start == seat.stopwatch.held_ns == charged * MS
    assert bot.excess is None


def test_pipe_held_unasked_is_charged_to_next_decision() -> None:
    """Time for which a bot holds its pipe unasked is charged once, to its next decision."""
    kernel = Kernel()
    seat, _ = seated(kernel)
    seat.stopwatch.hold(300 * MS, asked=False)
    seat.ask(b"go 1\n")
    assert kernel.now - seat.stopwatch.start == 300 * MS
    seat.ask(b"go 2\n")
    assert kernel.now == seat.stopwatch.start


@pytest.mark.parametrize(
    ("calls", "flood"),
    [
        ([2000], False),
        ([2001], True),
        ([1100, 1100, 1100], False),  # 3 s without the first 100 ms of each
        ([1100, 1100, 1101], True),
        ([100] * 100, False),
    ],
)
def test_pipe_held_too_long_is_flood(calls: list[int], flood: bool) -> None:
    """A bot that holds its pipe over 2 s in a call, or 3 s in a match, is killed as a flood."""
    seat, bot = seated(Kernel())
    for ms in calls:
        seat.stopwatch.hold(ms * MS, asked=True)
    assert (bot.excess is not None) is flood
    if bot.excess is not None:
        assert (bot.excess.code, bot.excess.cause) == ("flood", "held")
        assert "held its own pipe" in bot.excess.detail


@pytest.mark.parametrize(
    ("looks", "believed"),
    [
        ([(1,), (1, 2), (1, 3), (1, 4)], 1000),
        ([(1,), (1, 2), (1,), (1, 3), (1,), (1, 4)], 1000),  # not in a row
        ([(1,), (1, 2), (1, 2), (1, 3)], None),
        ([(1, 2, 3), (1, 2), (1,), (1,)], None),
    ],
)
def test_waits_with_new_processes_are_disbelieved(
    looks: list[tuple[int, ...]], believed: int | None
) -> None:
    """After three looks that find a new process, a bot's waits are no longer believed whole."""
    seat, bot = seated(Kernel())
    watch = seat.stopwatch
    for found in looks:
        watch.helpers.look(found)
    assert watch.believed_ns(300) == (None if believed is None else believed * MS)
    assert watch.believed_ns(5000) == (None if believed is None else 5000 * MS)
    bot.tree.group = object()  # type: ignore[assignment]  # a control group counts what they use
    assert watch.believed_ns(300) is None
