"""What isolation adds to the start of a bot, at each level, against a plain start."""

from __future__ import annotations

import os
import select
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from arena.doctor.costs import plain
from arena.match.protocol import HELLO
from arena.process.bot import BotProcess, become_subreaper
from arena.sandbox import LEVELS, Launch, Task
from arena.session.choose import problem_with
from arena.session.launch import launch_in_group
from benchmarks.referee import instant_bot

RUNS = 40
ANSWER_MS = 10_000
KIT = Path(__file__).parent.parent / "bots" / "kit" / "python"


def measure() -> Iterator[tuple[str, float, str, str, float]]:
    """Yield the ms that a level adds, from the launch to the first answer: medians of pairs."""
    become_subreaper()
    ways: dict[str, Callable[[Task], Launch]] = {"plain": plain}
    for name in LEVELS:
        if problem_with(name) is None:
            ways[name] = partial(launch_in_group, sandbox=name)
    for bot, task in _bots():
        for way in ways.values():
            _start(way, task)  # what is made once: the launcher, what the machine reads from disk
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(RUNS):
            for name, way in ways.items():
                times[name].append(_start(way, task))
        reference = statistics.median(times["plain"])
        for name in list(ways)[1:]:
            pairs = zip(times[name], times["plain"], strict=True)
            added = statistics.median(isolated - bare for isolated, bare in pairs)
            yield f"start of a bot {bot}, added by {name}", added, "ms", "a plain start", reference


def _bots() -> Iterator[tuple[str, Task]]:
    (program, *rest) = instant_bot()
    if not rest:  # there is a compiler
        folder = os.path.dirname(program)
        os.chmod(folder, 0o755)
        yield "in C", Task((f"./{os.path.basename(program)}",), folder)
    yield "in Python", Task((sys.executable, "-u", "./bot.py"), str(KIT))


def _start(way: Callable[[Task], Launch], task: Task) -> float:
    """Return the ms from the launch of a bot to its answer to ``hello``."""
    poll = select.poll()
    begin = time.perf_counter()
    bot = BotProcess(way(task))
    try:
        bot.write(HELLO)
        poll.register(bot.stdout, select.POLLIN)
        poll.poll(ANSWER_MS)
        elapsed = (time.perf_counter() - begin) * 1e3
        if not bot.read():
            raise TimeoutError("a bot that should answer at once does not")
    finally:
        bot.kill()
    return elapsed
