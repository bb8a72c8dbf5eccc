"""A bot that uses CPU time or memory as its argument says: MODE, and MODE=NUMBER where it has one.

It does so at every decision, and plays its first legal action.
"""

import contextlib
import functools
import hashlib
import mmap
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import NoReturn

mode, _, number = sys.argv[1].partition("=")
MIB = 1 << 20
held: list[object] = []
started: list[object] = []
unseen_ms = memoryview(mmap.mmap(-1, 4096)).cast("L")  # shared with children


def burn() -> NoReturn:
    """Use a CPU forever, without the interpreter's lock."""
    while True:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000)


def burn_alone() -> NoReturn:
    """Do so in a session of one's own."""
    os.setsid()
    burn()


def burn_for(cpu_ms: float) -> None:
    """Use a CPU until this process has used so much more."""
    end = time.process_time() + cpu_ms / 1000
    while time.process_time() < end:
        pass


def in_threads(count: int, task: Callable[[], None]) -> None:
    for _ in range(count):
        thread = threading.Thread(target=task, daemon=True)
        thread.start()
        started.append(thread)


def in_children(count: int, task: Callable[[], None]) -> None:
    for _ in range(count):
        child = os.fork()
        if child == 0:
            task()
            os._exit(0)
        started.append(child)


def hold(mib: int) -> None:
    """Take memory and write to all of it, in pieces."""
    held.extend(b"x" * (10 * MIB) for _ in range(mib // 10))


def hold_and_sleep() -> None:
    hold(int(number))
    time.sleep(3600)


def unseen(number: int) -> None:
    """Have one child after the other burn for 3 ms, and wait for none of them."""
    while True:
        if os.fork() == 0:
            burn_for(3)
            unseen_ms[number] += 3
            os._exit(0)
        with contextlib.suppress(ChildProcessError):
            os.wait()


def hold_and_say(tell: int) -> None:
    hold(int(number))
    os.write(tell, b"x")
    time.sleep(3600)


def think() -> None:
    if mode == "burn":
        burn_for(float(number))
    elif mode == "threads":  # they stand in the queue before the main thread, which computes, too
        in_threads(int(number), burn)
        burn()
    elif mode == "children":
        in_children(int(number), burn)
        burn()
    elif mode == "short-children":  # each is waited for: what it used counts when it is gone
        while True:
            in_children(1, lambda: burn_for(30))
            os.wait()
    elif mode == "unseen-children":  # each ends before anybody counts it; the main thread waits
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for place in range(12):
            in_children(1, functools.partial(unseen, place))
        end = time.monotonic() + float(number)
        while time.monotonic() < end:
            pass
        for child in started:
            os.kill(int(str(child)), signal.SIGKILL)
        started.clear()
        print("unseen", sum(unseen_ms), file=sys.stderr, flush=True)
    elif mode == "ponder-thread" and not started:
        in_threads(1, burn)
    elif mode == "ponder-child" and not started:
        in_children(1, burn)
    elif mode == "swarm" and not started:  # the kernel may share its CPUs among sessions first
        in_children(int(number), burn_alone)
    elif mode == "memory-and-play":
        if not held:
            hold(int(number))
    elif mode == "memory-later":
        threading.Timer(0.3, hold_and_sleep).start()
    elif mode == "memory-crowd":  # in many small processes, one after the other
        for _ in range(0 if started else 6):
            ready, tell = os.pipe()
            in_children(1, functools.partial(hold_and_say, tell))
            os.close(tell)
            os.read(ready, 1)
    elif mode == "memory-shared":  # what they have by fork is there once
        if not held:
            hold(int(number))
            in_children(4, lambda: time.sleep(3600))
            time.sleep(0.3)
    elif mode == "memory-file":
        file = os.memfd_create("hoard")
        for _ in range(int(number)):
            os.write(file, b"x" * MIB)
        time.sleep(3600)
    elif mode == "processes":
        in_children(int(number), lambda: time.sleep(3600))
        time.sleep(3600)


def main() -> None:
    if mode == "burn-at-start":
        burn_for(float(number))
    elif mode == "hog-at-start":  # it lets nobody else start
        in_children(30, burn_alone)
        time.sleep(float(number))
        for child in started:
            os.kill(int(str(child)), signal.SIGKILL)
    elif mode == "hog-when-ready":
        threading.Timer(0.05, in_children, [30, burn_alone]).start()
    legal: list[str] = []
    for line in sys.stdin:
        verb, _, rest = line.rstrip("\n").partition(" ")
        if verb == "hello":
            print("ready want=legal", flush=True)
        elif verb == "legal":
            legal = rest.split()
        elif verb == "go":
            think()
            print("play", legal[0], rest.split()[0], flush=True)
        elif verb == "end" and mode == "ponder-end" and not started:
            in_threads(1, burn)
        elif verb == "end" and os.environ.get("LAST_WORDS"):
            with open(os.environ["LAST_WORDS"], "a") as file:
                file.write(line)
        elif verb == "quit":
            os._exit(0)  # threads may be at work


main()
