"""A bot whose work is done by processes that have left it, as MODE says; it plays its first action.

Each of them has a session, a parent and an environment that say nothing of the bot.
"""

import os
import signal
import sys
import time
from collections.abc import Callable

mode = sys.argv[1]


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def leave(work: Callable[[], None]) -> None:
    """Do some work in a process that has nothing to do with this one any more."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            work()
        os._exit(0)


def forever() -> None:
    while True:
        burn(1.0)


if mode in ("unreaped", "orphans"):
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody takes note of how children end
if mode == "ponder":
    leave(forever)
actions: list[str] = []
for line in iter(input, "quit"):
    verb, _, rest = line.partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        done, tell = os.pipe()  # its end comes when no process has it any more
        for _child in range(10):
            if mode == "unreaped" and os.fork() == 0:
                burn(0.02)
                os._exit(0)
            if mode == "orphans":
                leave(lambda: burn(0.02))
        os.close(tell)
        os.read(done, 1)
        os.close(done)
        print("play", actions[0], rest.split()[0], flush=True)
