"""Landlock: a bot reads its own files and its interpreter, writes nothing, and reaches no process.

For machines that forbid namespaces. A small launcher takes from itself what Landlock, a system call
filter, limits and, for root, a user of its own can take, and becomes the bot. What is left open:
it can ask whether a file is there and what its size and times are, and which process ids are in
use; it has no folder to write to and no /proc; and its processes cannot be stopped all at once,
except root's.
"""

from __future__ import annotations

import ctypes
import os
import struct
from contextlib import ExitStack
from functools import lru_cache

from arena.sandbox.environment import environment_of
from arena.sandbox.importable import import_folder, on_bare_python
from arena.sandbox.interface import Launch, Level, Orders, Task
from arena.sandbox.limits import kernel_limits, process_limit
from arena.sandbox.seccomp import PID, FilterKind, seccomp_program
from arena.sandbox.slots import needed_slot
from arena.sandbox.visible import SYSTEM, closed_at, needed, settings

PATH = "/usr/local/bin:/usr/bin:/bin"
READABLE_DEVICES = ("/dev/zero", "/dev/random", "/dev/urandom")

# linux/landlock.h
EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
CHANGES = 0x3FF << 4  # to remove and to make: 9 kinds, and to link or rename (REFER, ABI 2)
REFER = 1 << 13
TRUNCATE = 1 << 14  # ABI 3
IOCTL_DEV = 1 << 15  # ABI 5
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = EXECUTE | READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | CHANGES | TRUNCATE
TCP = 3  # to bind and to connect: ABI 4
SCOPES = 3  # abstract Unix sockets and signals: ABI 6

DAC_READ_SEARCH = 1 << 2  # linux/capability.h

_CREATE_RULESET = 444
_VERSION = 1


@lru_cache(maxsize=1)
def abi() -> int:
    """Return the version of this kernel's Landlock; raises ``OSError`` if it has none."""
    version: int = ctypes.CDLL(None, use_errno=True).syscall(_CREATE_RULESET, None, 0, _VERSION)
    if version < 1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return version


def handled(version: int) -> int:
    """Return the rights to files that a version of Landlock watches over."""
    rights = (1 << 13) - 1
    for since, right in ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEV)):
        if version >= since:
            rights |= right
    return rights


def ruleset(version: int) -> bytes:
    """Return ``struct landlock_ruleset_attr``, as long as a version knows it."""
    words = [handled(version)]
    if version >= 4:
        words.append(TCP)
    if version >= 6:
        words.append(SCOPES)
    return struct.pack(f"={len(words)}Q", *words)


def _launch(task: Task, kept: ExitStack, lent: ExitStack) -> Launch:
    folder, imported = import_folder(task.imports)
    own = (*needed(task.argv[0], task.shown), folder, *imported)
    readable = (*_system(), *own)
    # what root keeps to himself a bot gets to by this power, and to nothing but the paths below
    closed = any(closed_at(path) for path in (task.folder, *own))
    slot = needed_slot(kept, again=True)
    kind = FilterKind(
        "landlock",
        build=task.writable,
        signals=abi() < 6 and slot is None,
        truncation=abi() < 3,
    )
    program = seccomp_program(kind)
    confined, ready = os.pipe2(os.O_CLOEXEC)
    kept.callback(os.close, confined)
    lent.callback(os.close, ready)
    paths = (
        *((path, READ) for path in (*readable, *READABLE_DEVICES)),
        ("/dev/null", READ | WRITE_FILE | TRUNCATE),
        (task.folder, WRITE if task.writable else READ),
    )
    return Launch(
        argv=on_bare_python(task.argv, folder),
        env=environment_of(task, folder, PATH),
        folder=task.folder,
        orders=Orders(
            kernel_limits(task, process_limit(task, slot)),
            uid=None if slot is None else slot.uid,
            keep=DAC_READ_SEARCH if slot is not None and closed else 0,
            filter=program,
            own_pid=PID if kind.signals else None,
            ruleset=ruleset(abi()),
            paths=tuple((_rights(path, most), os.fsencode(path)) for path, most in paths),
        ),
        inherited=(ready,),
        confined=confined,
        slot=slot,
    )


@lru_cache(maxsize=1)
def _system() -> tuple[str, ...]:
    """Return the system's own folders and settings that are there, each once."""
    there = [path for path in (*SYSTEM, *settings()) if os.path.exists(path)]
    return tuple(
        path for path in there if path == "/usr" or not os.path.realpath(path).startswith("/usr/")
    )


def _rights(path: str, rights: int) -> int:
    """Return those of some rights that there are, and that fit a file or a folder."""
    rights &= handled(abi())
    return rights if os.path.isdir(path) else rights & OF_A_FILE


LEVEL = Level(
    name="landlock",
    promise="a bot reaches no file, process or network but its own; it may learn which files exist",
    starts=_launch,
    isolates=True,
)
