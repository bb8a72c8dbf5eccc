"""No isolation: a session of its own, a clean environment, and death when its worker dies."""

from __future__ import annotations

from arena.sandbox.environment import environment_of
from arena.sandbox.interface import Launch, Level, Task

__all__ = ["LEVEL"]


def _launch(task: Task) -> Launch:
    return Launch(
        argv=task.argv,
        env=environment_of(task),
        folder=task.folder,
        memory_bytes=task.memory_bytes,
    )


LEVEL = Level(
    name="none",
    promise="a bot can do whatever you can: for debugging",
    starts=_launch,
    isolates=False,
)
