"""A program that holds memory in the way its argument says: HOW=MIB. It says ``held`` and waits."""

import ctypes
import mmap
import os
import platform
import sys
import threading
import time

MIB = 1 << 20
EXIT = {"x86_64": 60, "aarch64": 93}[platform.machine()]  # of a thread alone
CLOSE_RANGE, UNSHARE = 436, 2
NO_DUMP = 4  # PR_SET_DUMPABLE
NORESERVE = 0x4000

libc = ctypes.CDLL(None, use_errno=True)
how, _, number = sys.argv[1].partition("=")
mib = int(number)
held: list[object] = []


def hold() -> None:
    held.append(b"x" * (mib * MIB))


def hold_file() -> None:
    """Hold a file in memory that nobody maps."""
    file = os.memfd_create("x")
    for _ in range(mib):
        os.write(file, b"x" * MIB)
    held.append(file)


def hold_tables() -> None:
    """Read a byte of each 2 MiB: a page of zeros for all of them, and a page table for each."""
    size = mib * 256 * 2 * MIB
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE
    space = mmap.mmap(-1, size, flags=flags, prot=mmap.PROT_READ)
    space.madvise(mmap.MADV_NOHUGEPAGE)
    for place in range(0, size, 2 * MIB):
        space[place]
    held.append(space)


def hold_apart() -> None:
    """Hold a file by a descriptor that only this thread has."""
    assert libc.syscall(CLOSE_RANGE, 1 << 20, 1 << 20, UNSHARE) == 0
    hold_file()


def report() -> None:
    print("held", flush=True)
    time.sleep(3600)


def work() -> None:
    {
        "leader": hold,
        "leader-file": hold_file,
        "tables": hold_tables,
        "thread-file": hold_apart,
        "undumpable": hold_file,
    }[how]()
    report()


if how == "undumpable":
    assert libc.prctl(NO_DUMP, 0, 0, 0, 0) == 0
if how == "unreadable":  # a program that may be executed only, in which nobody may look
    os.execv(sys.argv[2], [sys.argv[2], "3600"])
if how.startswith(("leader", "thread")):
    threading.Thread(target=work).start()
    if how.startswith("thread"):
        time.sleep(3600)
    libc.syscall(EXIT, 0)
work()
