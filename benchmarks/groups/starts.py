"""Starts of bots at every level of isolation, and their burials, against bare ones."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from arena.isolation.choose import problem_with
from arena.match.protocol import HELLO
from arena.process.bot import BotProcess
from arena.process.launcher import dismiss_launcher
from arena.sandbox import LEVELS, Task
from arena.session.launch import launch_in_group
from benchmarks.measuring import Measured, Sizes, side_by_side
from benchmarks.workshop import Workshop
from benchmarks.yardsticks import ANSWER_MS, exit_ms, python, spawn_ms

__all__ = ["ROWS", "measure"]

ORDER = ("none", "limits", "landlock", "bwrap")
ROWS = (
    *(
        f"{what}-{bot}-{level}"
        for bot in ("c", "python")
        for level in ORDER
        for what in ("start", "burial")
    ),
    "life-c-landlock", "life-c-bwrap", "engines-import",
)  # fmt: skip
# a bot that does what one has to that searches: it has the engines and its game before it answers
BOT = """\
import sys
import engines
engines.load_game("leaves")
for line in sys.stdin:
    if line.startswith("hello"):
        print("ready", flush=True)
"""
IMPORT = 'import engines; engines.load_game("leaves")'


class Life(NamedTuple):
    """The ms until a bot has answered, and those until it is gone after it was killed."""

    start: float
    burial: float


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield ms, a C bot's against ``posix_spawn``, a Python bot's against ``python -c pass``."""
    program = shop.program("instant")
    folder = shop.path("bot")
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "bot.py").write_text(BOT)
    bare = python("-c", "pass")
    bots: dict[str, tuple[Task, Callable[[], float]]] = {
        "c": (Task(("./instant",), str(program.parent)), lambda: spawn_ms([str(program)])),
        "python": (
            Task((sys.executable, "-u", "./bot.py"), str(folder)),
            lambda: exit_ms(bare),
        ),
    }
    problems = {level: problem_with(level) for level in ORDER}
    assert set(ORDER) == set(LEVELS), "a level has no row"
    levels = [level for level in ORDER if problems[level] is None]
    rounds = sizes.pick(40, 7)
    try:
        for bot, (task, yardstick) in bots.items():
            for level in levels:
                _live(task, level)  # what is made once: the launcher, what is read from disk
            found, references = _rounds(rounds, task, levels, yardstick)
            for level in ORDER:
                lives = found.get(level, [])
                problem = problems[level]
                note = "" if problem is None else problem.reason
                start = tuple(life.start for life in lives)
                yield Measured(f"start-{bot}-{level}", start, references if lives else (), note)
                burial = tuple(life.burial for life in lives)
                yield Measured(f"burial-{bot}-{level}", burial, references if lives else (), note)
                if f"life-{bot}-{level}" in ROWS:
                    whole = tuple(map(sum, lives))
                    yield Measured(f"life-{bot}-{level}", whole, references if lives else (), note)
    finally:
        dismiss_launcher()
    with_engines, without = side_by_side(
        sizes.pick(15, 5), partial(exit_ms, python("-c", IMPORT)), partial(exit_ms, bare)
    )
    added = tuple(more - less for more, less in zip(with_engines, without, strict=True))
    yield Measured("engines-import", added, without)


def _rounds(
    rounds: int, task: Task, levels: list[str], yardstick: Callable[[], float]
) -> tuple[dict[str, list[Life]], tuple[float, ...]]:
    """Return a life a round at each level, and the yardstick's ms in the same rounds."""
    found: dict[str, list[Life]] = {level: [] for level in levels}
    references = []
    for _ in range(rounds):
        references.append(yardstick())
        for level in levels:
            found[level].append(_live(task, level))
    return found, tuple(references)


def _live(task: Task, level: str) -> Life:
    """Start a bot, hear its answer to ``hello``, and kill it."""
    poll = select.poll()
    begin = time.perf_counter()
    bot = BotProcess(launch_in_group(task, level))
    try:
        bot.write(HELLO)
        poll.register(bot.stdout, select.POLLIN)
        poll.poll(ANSWER_MS)
        answered = time.perf_counter()
        if not bot.read():
            raise TimeoutError("a bot that should answer at once does not")
    finally:
        killed = time.perf_counter()
        bot.kill()
    return Life((answered - begin) * 1e3, (time.perf_counter() - killed) * 1e3)
