"""The one reader of what ``/proc`` says of processes: which there are, and what each of them does.

A process may end at any moment, so every question about one can raise ``OSError``.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")

CHUNK = 4096
ALL = 1 << 30  # bytes, more than any of these files has

DEAD = (b"Z", b"X")  # states of a process
# fields of `stat`, see proc(5)
STATE = 0  # such as b"R" ready or running, b"S" asleep, b"Z" dead and not waited for
PARENT = 1
SESSION = 3
FLAGS = 6
REAPED = slice(13, 15)  # CPU time in ticks of children waited for: user and system
THREADS = 17
START = 19  # ticks after boot
CORE = 36  # the one it ran on last


def pids() -> Iterator[int]:
    """Yield the ids of all processes, newest first, perhaps without one that has just started."""
    found = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    last = int((text_of(Path("/proc/loadavg")).split() or ["0"])[-1])  # assigned
    yield from sorted(found, key=lambda pid: (pid > last, -pid))  # ids wrap around


def read(pid: int, name: str, most: int = ALL) -> bytes:
    """Return what one of a process's files says, such as ``status``; its first ``most`` bytes.

    Python's own files ask the kernel twice as much, of which nothing is of use here.
    """
    descriptor = os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        text = b""
        while more := os.read(descriptor, min(CHUNK, most - len(text))):
            text += more
        return text
    finally:
        os.close(descriptor)


def text_of(path: Path) -> str:
    """Return what a file of the kernel's says; nothing if it cannot be read."""
    with contextlib.suppress(OSError):
        return path.read_bytes().decode("utf-8", "replace")
    return ""


def stat(pid: int) -> list[bytes]:
    """Return the fields behind the program's name, which may contain anything."""
    return read(pid, "stat").rpartition(b")")[2].split()


def is_dead(pid: int) -> bool:
    """Return whether a process has ended, and may not have been waited for.

    One whose first thread has ended looks dead as long as others of its threads go on.

    Raises:
        OSError: this machine has no descriptor left to look with.
    """
    try:
        fields = stat(pid)
    except (FileNotFoundError, ProcessLookupError):
        return True
    return fields[STATE] in DEAD and int(fields[THREADS]) <= 1


def user(pid: int) -> int:
    """Return the id of the user that a process runs as."""
    return os.stat(f"/proc/{pid}").st_uid


def command_line(pid: int, most: int = ALL) -> list[bytes]:
    """Return the words of a process's command line, of its first ``most`` bytes."""
    return read(pid, "cmdline", most).rstrip(b"\0").split(b"\0")


def open_files(pid: int, thread: int | str | None = None) -> Iterator[tuple[str, str]]:
    """Yield for each descriptor of a process the path under which it is found, and its target.

    Those of one ``thread``, which may have others than its process.
    """
    folder = f"/proc/{pid}/fd" if thread is None else f"/proc/{pid}/task/{thread}/fd"
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            yield f"{folder}/{name}", os.readlink(f"{folder}/{name}")


def tasks_of(uid: int) -> int:
    """Return how many processes and threads a user has now."""
    count = 0
    for pid in pids():
        try:
            entry = os.stat(f"/proc/{pid}/task")
        except OSError:
            continue  # it has ended
        if entry.st_uid == uid:
            count += max(1, entry.st_nlink - 2)  # a folder in it for each thread
    return count


def children_of(pid: int) -> list[int]:
    """Return the process ids of a process's children, those of all its threads; [] if it is gone.

    A process that ends meanwhile may be missing.
    """
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                found += children_of_thread(pid, thread)
    return found


def children_of_thread(pid: int, thread: int | str) -> list[int]:
    """Return the process ids of what one thread of a process has started and still has.

    Orphans that come to the process come to its first thread.
    """
    return [int(number) for number in read(pid, f"task/{thread}/children").split()]


def children_by_scan(parent: int) -> list[int]:
    """Return a process's children on a kernel without ``children`` files."""
    found = []
    for pid in pids():
        with contextlib.suppress(OSError):
            if int(stat(pid)[PARENT]) == parent:
                found.append(pid)
    return found[::-1]


def descendants(pid: int) -> Iterator[int]:
    """Yield the process ids of everything below a process, parents before their children."""
    waiting = children_of(pid)
    while waiting:
        child = waiting.pop()
        yield child
        waiting += children_of(child)


def flock_holders() -> dict[int, int]:
    """Return which process holds a file with ``flock``, by the number of the file's inode.

    Other than trying to lock it, looking keeps nobody from locking it at this moment.
    """
    found = {}
    with open("/proc/locks", encoding="ascii") as file:
        for line in file:
            _, kind, *rest = line.split()
            if kind == "FLOCK":
                found[int(rest[3].rpartition(":")[2])] = int(rest[2])
    return found
