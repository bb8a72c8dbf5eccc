"""The children of this process, counted as it is asked after every match."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena.process.bot import count_children

MANY = 1024  # their ids of four digits or more are longer than the 4096 bytes of one read
FORKS = """
import os, subprocess
from arena.process.bot import count_children
sleeper = subprocess.Popen(["sleep", "3600"])
print(count_children(), flush=True)
child = os.fork()
if child == 0:
    print(count_children(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
sleeper.kill()
"""


@pytest.mark.slow
def test_counts_all_children_however_many() -> None:
    """More of them than one read holds are counted, and so are those that have ended."""
    before = count_children()
    pids = [os.posix_spawn("/bin/true", ["true"], {}) for _ in range(MANY)]
    try:
        assert count_children() == before + MANY
    finally:
        for pid in pids:
            os.waitpid(pid, 0)
    assert count_children() == before


def test_a_fork_counts_its_own() -> None:
    """A process that was forked has its own children, and not those of its parent."""
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "0"]
