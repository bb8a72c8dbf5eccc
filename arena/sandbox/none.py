"""No isolation: a session of its own, a clean environment, and death when its worker dies."""

from __future__ import annotations

import shutil
from functools import lru_cache

from arena.sandbox.environment import environment_of
from arena.sandbox.interface import Launch, Level, Task

__all__ = ["LEVEL"]


def _launch(task: Task) -> Launch:
    return Launch(
        argv=(*_dies_with_us(), *task.argv),
        env=environment_of(task),
        folder=task.folder,
        memory_bytes=task.memory_bytes,
    )


@lru_cache(maxsize=1)
def _dies_with_us() -> tuple[str, ...]:
    """Return a prefix that has the kernel kill the bot when the worker that started it dies.

    Where the tool is missing, a bot whose worker and runner are killed at the same instant ends
    when it reads the end of its input.
    """
    tool = shutil.which("setpriv")
    return (tool, "--pdeathsig", "KILL", "--") if tool else ()


LEVEL = Level(
    name="none",
    promise="a bot can do whatever you can: for debugging",
    launch=_launch,
    isolates=False,
)
