"""Python processes of ours that import nothing from the folder that a command is typed in."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

SAFE_PATH = "PYTHONSAFEPATH"  # a variable of Python's


@contextlib.contextmanager
def safe_path() -> Iterator[None]:
    """Return a block in which Python is started without the current folder in its path.

    A folder of bots may well have a ``random.py`` in it, which would be imported and run. Whatever
    makes a lock or a queue of ``multiprocessing`` may start a process: its resource tracker; see
    ``sharing``.
    """
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before
