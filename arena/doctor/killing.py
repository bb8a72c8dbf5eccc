"""The kill test: bots killed while they are just starting leave nothing behind."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import tempfile
import time

from arena import procfs
from arena.doctor.finding import Finding, State
from arena.owner import name_part
from arena.process.bot import BotProcess, become_subreaper, children, kill_strays
from arena.sandbox import Level, Task

__all__ = ["kill_at", "kill_finding", "running_with"]

KILLS = 20
WINDOW_MS = 8.0  # within which a start is killed; a start takes about so long
GONE_SECONDS = 1.0  # for the kernel to take down what was killed


def kill_at(level: Level, kills: int = KILLS) -> int:
    """Start a bot and kill it at once, again and again; return how many processes are left.

    The bots are started and killed exactly as those of matches are.

    Raises:
        OSError: this machine has no process or descriptor left.
        LaunchError: the bot cannot be started.
    """
    become_subreaper()
    spare = children()
    token = f"{random.randrange(10**6, 2 * 10**6)}.{os.getpid()}"  # seconds, and found in /proc
    sleep = shutil.which("sleep", path="/usr/bin:/bin") or "sleep"
    with tempfile.TemporaryDirectory(prefix=f"arena-kill-{name_part()}-") as folder:
        os.chmod(folder, 0o755)
        for number in range(kills):
            begin = time.perf_counter()
            bot = BotProcess(level.launch(Task((sleep, token), folder)))
            try:
                instant = begin + WINDOW_MS * number / kills / 1000
                bot.has_exited(wait_ms=max(0, round((instant - time.perf_counter()) * 1000)))
            finally:
                bot.kill()
                kill_strays(spare)
    deadline = time.monotonic() + GONE_SECONDS
    while (left := running_with(token)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return len(left)


def running_with(token: str) -> tuple[int, ...]:
    """Return the processes that have a word on their command line; the dead have none."""
    found = []
    for pid in procfs.pids():
        with contextlib.suppress(OSError):
            if token.encode() in procfs.command_line(pid):
                found.append(pid)
    return tuple(found)


def kill_finding(level: Level, left: int) -> Finding:
    """Return what the kill test at a level comes to, which left so many processes."""
    data = {"level": level.name, "kills": KILLS, "survivors": left}
    what = f"{left} processes left after {KILLS} kills while starting"
    remedy = "end them with arena doctor --sweep, and report this" if left else ""
    state = State.RED if left else State.GREEN
    return Finding(f"kills at {level.name}", state, what, remedy, data)
