"""Other people's work: processes that use a CPU for as long as a test wants them to."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from support.piped import Piped


@contextmanager
def burners(count: int) -> Iterator[list[int]]:
    """Run so many processes that never stop computing, on the cores that this one may use.

    Each has a session of its own, as bots have: a kernel may share its CPUs among sessions first.
    Yields their process ids, once each of them is at work.
    """
    # it ends with the test that started it, even where that is killed
    code = f"import os; os.write(1, b'x')\nwhile os.getppid() == {os.getpid()}: sum(range(99999))"
    words = (sys.executable, "-S", "-c", code)
    processes = [Piped(words, start_new_session=True) for _ in range(count)]
    try:
        for process in processes:
            process.stdout.read(1)
        yield [process.pid for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()


@contextmanager
def one_core() -> Iterator[int]:
    """Have this process, and all it starts meanwhile, use one core only, as a worker does."""
    cores = os.sched_getaffinity(0)
    core = max(cores)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, cores)
