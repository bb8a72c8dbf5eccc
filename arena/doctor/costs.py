"""What isolation costs: the start of a bot, plain and at a level, and a trip through its pipes."""

from __future__ import annotations

import os
import select
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from arena.doctor.finding import Finding, State
from arena.owner import name_part
from arena.process.bot import BotProcess
from arena.sandbox import Launch, Task

__all__ = ["cost_finding", "plain", "start_ms", "trip_finding", "trip_us"]

STARTS = 8
FEWEST = 3
SECONDS = 0.3  # after so long a few starts are enough
TRIPS = 300
ANSWER_MS = 5000
LINE = b"go\n"
PLAIN = "plain"


def plain(task: Task) -> Launch:
    """Return how a task is started with nothing in between."""
    return Launch(task.argv, {}, task.folder)


def start_ms(launch: Callable[[Task], Launch], starts: int = STARTS) -> float:
    """Return the median time from the start of a tiny bot to its first answer, in ms.

    On a slow machine fewer starts are tried.

    Raises:
        OSError: this machine has no process or descriptor left, or the bot does not answer.
        LaunchError: the bot cannot be started.
    """
    costs: list[float] = []
    end = time.monotonic() + SECONDS
    while len(costs) < starts and (len(costs) < FEWEST or time.monotonic() < end):
        begin = time.perf_counter()
        with _echo(launch) as bot:
            _trip(bot)
            costs.append((time.perf_counter() - begin) * 1000)
    return statistics.median(costs)


def trip_us(launch: Callable[[Task], Launch], trips: int = TRIPS) -> float:
    """Return the median time of a line to a tiny bot and back, both on one core, in µs.

    Raises:
        OSError: this machine has no process or descriptor left, or the bot does not answer.
        LaunchError: the bot cannot be started.
    """
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        with _echo(launch) as bot:
            _trip(bot)
            costs = []
            for _ in range(trips):
                begin = time.perf_counter()
                _trip(bot)
                costs.append((time.perf_counter() - begin) * 1e6)
    finally:
        os.sched_setaffinity(0, cores)
    return statistics.median(costs)


@contextmanager
def _echo(launch: Callable[[Task], Launch]) -> Iterator[BotProcess]:
    """Run a bot that says what it is told."""
    tool = shutil.which("cat", path="/usr/bin:/bin") or "cat"
    with tempfile.TemporaryDirectory(prefix=f"arena-cost-{name_part()}-") as folder:
        os.chmod(folder, 0o755)
        bot = BotProcess(launch(Task((tool,), folder)))
        try:
            yield bot
        finally:
            bot.kill()


def _trip(bot: BotProcess) -> None:
    poll = select.poll()
    poll.register(bot.stdout, select.POLLIN)
    bot.write(LINE)
    while bot.lines.take() is None:
        if not poll.poll(ANSWER_MS) or not (bot.read() or bot.stdout_open):
            raise TimeoutError("a bot that should answer at once does not")
    bot.lines.next_decision()


def cost_finding(costs: Mapping[str, float]) -> Finding:
    """Return what starts cost.

    Args:
        costs: the median start at each level and, under ``plain``, with nothing in between; ms.
    """
    shown = ", ".join(f"{name} {cost:.1f}" for name, cost in costs.items())
    data = {name: round(cost, 3) for name, cost in costs.items()}
    return Finding("start of a bot", State.GREEN, f"in ms: {shown}", data=data)


def trip_finding(costs: Mapping[str, float]) -> Finding:
    """Return what trips through the pipes cost; ``costs`` as above, in µs."""
    shown = ", ".join(f"{name} {cost:.1f}" for name, cost in costs.items())
    data = {name: round(cost, 1) for name, cost in costs.items()}
    return Finding("trip through pipes", State.GREEN, f"in µs: {shown}", data=data)
