"""The doctor on a host of a cluster: a task of one of its worker processes."""

from __future__ import annotations

import subprocess
import sys

from arena.cluster.host import here
from arena.values.errors import WorkerError

SECONDS = 100.0  # for the whole look; it takes a few where nothing else runs
SAID = 500  # characters of what a doctor that failed has written


def look_here() -> tuple[str, str]:
    """Return the level that the worker was given (or ``auto``), and what ``arena doctor`` says.

    That is JSON, about the worker's home among other things.

    In a process of its own, as on a terminal: what it starts and kills is none of the worker's.

    Raises:
        WorkerError: it failed, or took too long.
    """
    host = here()
    assert host is not None, "only hosts are asked"
    words = (sys.executable, "-P", "-m", "arena", "doctor", "--json", "--home", str(host.home))
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise WorkerError(f"arena doctor did not come to its end in {SECONDS:g} s") from None
    if done.returncode not in (0, 1):
        said = done.stderr[-SAID:].decode("utf-8", "replace").strip()
        raise WorkerError(f"arena doctor failed with exit code {done.returncode}: {said}")
    return host.sandbox, done.stdout.decode("utf-8", "replace")
