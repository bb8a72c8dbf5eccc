"""The process that forks workers, when the runner is killed in the midst of a word to it."""

from __future__ import annotations

import pytest
from support.ran import PYTHON, ran

# a runner that asks for a worker, and is gone before it has said which, or in the midst of it
PROGRAM = """
import os, sys
from multiprocessing import forkserver
from arena.workers.fork_server import start_fork_server

start_fork_server()
sentinel, word = forkserver.connect_to_new_process([])
os.write(word, bytes.fromhex(sys.argv[1]))
os.close(word)
forkserver.read_signed(sentinel)  # the worker's process id
os.read(sentinel, 8)  # its exit code: it has ended
"""


@pytest.mark.parametrize("sent", ["", "8005", "80049516"], ids=["nothing", "a little", "half"])
def test_worker_without_work_ends_silently(sent: str) -> None:
    """A worker whose runner was killed before it sent the work ends without a traceback."""
    done = ran(PYTHON, "-c", PROGRAM, sent)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
