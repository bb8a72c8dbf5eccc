"""Landlock: a bot reads its own files and its interpreter, writes nothing, and reaches nobody.

For machines that forbid namespaces. A small launcher takes from itself what Landlock, a system call
filter, limits and, for root, a user of its own can take, and becomes the bot. What is left open:
it can ask whether a file is there and what its size and times are, and which process ids are in
use; it has no folder to write to and no /proc; and its processes cannot be stopped all at once,
except root's.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
import sys
import tempfile
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

from arena.referee.mark import name_part
from arena.referee.process import LaunchError, children, strays
from arena.referee.sandbox import confine
from arena.referee.sandbox.complaints import explain
from arena.referee.sandbox.environment import clean_environment
from arena.referee.sandbox.importable import import_folder
from arena.referee.sandbox.interface import Launch, Level, Problem, Task
from arena.referee.sandbox.limits import kernel_limits, process_limit
from arena.referee.sandbox.reach import open_to_all
from arena.referee.sandbox.seccomp import PID, Bare, seccomp_program
from arena.referee.sandbox.slots import needs_slots, take_slot
from arena.referee.sandbox.trial import run_trial
from arena.referee.sandbox.visible import SYSTEM, needed, settings

__all__ = ["LEVEL", "abi"]

PATH = "/usr/local/bin:/usr/bin:/bin"
READABLE_DEVICES = ("/dev/zero", "/dev/random", "/dev/urandom")
PROBE_SECONDS = 10.0

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


def _launch(task: Task) -> Launch:
    folder, imported = import_folder(task.imports)
    readable = (*_system(), *needed(task.argv), folder, *imported)
    with ExitStack() as taken:  # given back where anything fails
        slot = take_slot() if needs_slots() else None
        if slot is not None:
            taken.callback(slot.close)
        own = open_to_all((task.folder, *needed(task.argv), folder, *imported))
        bare = Bare(
            signals=abi() < 6 and slot is None,
            truncation=abi() < 3,
            modes=task.writable,
        )
        program = seccomp_program(bare)
        told, tell = os.pipe2(os.O_CLOEXEC)
        taken.callback(os.close, told)
        taken.callback(os.close, tell)
        orders = confine.orders(
            tell=tell,
            parent=os.getpid(),
            limits=kernel_limits(task, process_limit(task, slot)),
            ruleset=ruleset(abi()),
            paths=[
                *((_rights(path, READ), path) for path in readable),
                *((_rights(path, READ), path) for path in READABLE_DEVICES),
                (_rights("/dev/null", READ | WRITE_FILE | TRUNCATE), "/dev/null"),
                (_rights(task.folder, WRITE if task.writable else READ), task.folder),
            ],
            program=program,
            own_pid=PID if bare.signals else None,
            uid=None if slot is None else slot.uid,
            keep=0 if own else DAC_READ_SEARCH,
        )
        how = Launch(
            argv=task.argv,
            env={**clean_environment(PATH), "PYTHONPATH": folder, **dict(task.env)},
            folder=task.folder,
            orders=orders,
            inherited=(tell,),
            lent=(tell,),
            confined=told,
            slot=slot,
            memory_bytes=task.memory_bytes,
        )
        taken.pop_all()
    return how


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


# what a bot must not be able to do; its child must not outlive it
_LOOK = """
import os, sys
def tries(what, action):
    try:
        action()
    except OSError:
        return
    print(what)
def connect():
    import socket
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
for place in sys.argv[2:]:
    tries("it read a file outside of its own", lambda: open(place))
tries("it wrote outside of its own", lambda: open(sys.argv[2], "a"))
tries("it made a file", lambda: open("probe", "w"))
tries("it saw our processes", lambda: os.listdir("/proc"))
tries("it reached our network", connect)
tries("it sent us a signal", lambda: os.kill(os.getppid(), 0))
sys.stdout.flush()
if os.fork() == 0:
    os.setsid()
    os.closerange(0, 3)
    while True:
        os.read(os.pipe()[0], 1)
print("looked")
"""


def _probe() -> Problem | None:
    """Have a program try what it must not be able to do, exactly where bots run."""
    try:
        abi()
        seccomp_program(Bare())
    except OSError as error:
        return _without(error)
    before = children()
    with (
        tempfile.TemporaryDirectory(prefix=f"arena-probe-{name_part()}-") as folder,
        tempfile.NamedTemporaryFile(prefix=f"arena-secret-{name_part()}-") as secret,
        socket.create_server(("127.0.0.1", 0)) as listener,
    ):
        os.chmod(folder, 0o755)
        os.chmod(secret.name, 0o666)
        words = (_LOOK, str(listener.getsockname()[1]), secret.name, *_at_home())
        try:
            how = _launch(Task(argv=(sys.executable, "-c", *words), folder=folder))
            trial = run_trial(how, PROBE_SECONDS)
        except (OSError, LaunchError) as error:
            return Problem(str(error), "see what the message names, and try again")
    if not trial.ran:
        return explain(trial.err)
    if trial.out != "looked\n":
        seen = "; ".join(trial.out.splitlines()[:-1]) or trial.err.strip() or "it did not end"
        return Problem(seen, "Landlock here isolates less than it should; use another level")
    if strays(before) or (how.slot is not None and not how.slot.empty):
        return Problem("a process that it had started was still there", "use another level")
    return None


def _at_home() -> tuple[str, ...]:
    """Return a file in your home that you could read."""
    for name in (".profile", ".bashrc", ".bash_history"):
        path = Path.home() / name
        if os.access(path, os.R_OK):
            return (str(path),)
    return ()


def _without(error: OSError) -> Problem:
    """Return the problem of a machine without Landlock, or without a filter for it."""
    reason = error.strerror or str(error)
    if error.errno == errno.ENOSYS and "filter" in reason:
        return Problem(reason, "use a machine with x86_64 or aarch64, or the level limits")
    if error.errno == errno.ENOSYS:
        return Problem("this kernel has no Landlock", "it takes Linux 5.13 or newer, built with it")
    if error.errno == errno.EOPNOTSUPP:
        return Problem(
            "Landlock is switched off on this machine",
            "start the kernel with landlock in its parameter lsm=, such as lsm=landlock,yama",
        )
    if error.errno == errno.EPERM:
        return Problem(
            "a container forbids Landlock",
            "run arena outside of it, or start it with --security-opt seccomp=unconfined",
        )
    return Problem(f"Landlock does not work: {reason}", "see what the message names")


LEVEL = Level(
    name="landlock",
    promise="a bot reaches no file, process or network but its own; it may learn which files exist",
    launch=_launch,
    probe=_probe,
    isolates=True,
)
