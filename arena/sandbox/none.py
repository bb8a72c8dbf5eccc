"""No isolation: a session of its own, a clean environment, and death when its worker dies."""

from __future__ import annotations

from contextlib import ExitStack

from arena.sandbox.environment import environment_of
from arena.sandbox.importable import import_folder, on_bare_python
from arena.sandbox.interface import Launch, Level, Task


def _launch(task: Task, kept: ExitStack, lent: ExitStack) -> Launch:
    folder, _ = import_folder(task.imports)
    return Launch(
        argv=task.argv if task.ours else on_bare_python(task.argv, folder),
        env=environment_of(task, folder),
        folder=task.folder,
    )


LEVEL = Level(
    name="none",
    promise="a bot can do whatever you can: for debugging",
    starts=_launch,
    isolates=False,
)
