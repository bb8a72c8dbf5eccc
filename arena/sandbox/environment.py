"""The environment that untrusted programs get: a few fixed words, none of the user's own."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import engines
from arena.sandbox.importable import import_folder
from arena.sandbox.interface import HOME, Task

__all__ = ["clean_environment", "engines_root", "environment_of", "threads"]

# libraries for numbers start a thread a core of the machine otherwise, and a bot may have few
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
MOST_THREADS = 32  # half of the processes and threads that a bot may have


def clean_environment(path: str = os.defpath) -> dict[str, str]:
    """Return a new environment with ``path`` as ``PATH``.

    The same seed gives the same match: hashes of strings in Python do not differ between runs.
    Libraries for numbers start a thread for each core that this process may use.
    """
    environment = {
        **threads(len(os.sched_getaffinity(0))),
        "PATH": path,
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    root = engines_root()
    if root is not None:
        environment["PYTHONPATH"] = str(root)
    return environment


def environment_of(task: Task) -> dict[str, str]:
    """Return the environment of a task that sees all of the machine's programs and files."""
    environment = clean_environment(os.environ.get("PATH", os.defpath))
    if task.imports:
        folder, _ = import_folder(task.imports)
        places = (folder, environment.get("PYTHONPATH"))
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, places))
    return {**environment, **dict(task.env)}


def threads(cores: int) -> dict[str, str]:
    """Return the variables by which libraries for numbers start so many threads, 32 at most."""
    return dict.fromkeys(
        [f"{name}_NUM_THREADS" for name in LIBRARIES], str(min(cores, MOST_THREADS))
    )


@lru_cache(maxsize=1)
def engines_root() -> Path | None:
    """Return the folder from which a bot imports ``engines``, ``None`` if it is site-packages.

    Arena may run from a source tree that is not installed.
    """
    place = Path(engines.__file__).resolve().parent.parent
    return None if place.name == "site-packages" else place
