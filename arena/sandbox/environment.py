"""The environment that untrusted programs get: a few fixed words, none of the user's own."""

from __future__ import annotations

import os

from arena.sandbox.interface import HOME, Task

# libraries for numbers start a thread a core of the machine otherwise, and a bot may have few
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
MOST_THREADS = 32  # half of the processes and threads that a bot may have


def clean_environment(path: str = os.defpath) -> dict[str, str]:
    """Return a new environment with ``path`` as ``PATH``.

    The same seed gives the same match: hashes of strings in Python do not differ between runs.
    Libraries for numbers start a thread for each core that this process may use.
    """
    return {
        **threads(len(os.sched_getaffinity(0))),
        "PATH": path,
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def environment_of(task: Task, folder: str, path: str | None = None) -> dict[str, str]:
    """Return the environment of a task that imports from ``folder``, with a ``PATH`` or ours."""
    environment = clean_environment(path or os.environ.get("PATH", os.defpath))
    return {**environment, "PYTHONPATH": folder, **dict(task.env)}


def threads(cores: int) -> dict[str, str]:
    """Return the variables by which libraries for numbers start so many threads, 32 at most."""
    return dict.fromkeys(
        [f"{name}_NUM_THREADS" for name in LIBRARIES], str(min(cores, MOST_THREADS))
    )
