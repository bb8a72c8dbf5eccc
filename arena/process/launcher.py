"""Programs started through the launcher: one that runs already, and forks for each of them."""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import signal
import socket
import struct
import sys
import threading
import weakref
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from io import FileIO

from arena.machine import procfs
from arena.machine.run_folder import VARIABLE, new_word
from arena.process.brand import brand, brand_of
from arena.process.stop_all import ChildEnd, end_all, reap
from arena.sandbox import confine
from arena.sandbox.environment import clean_environment
from arena.sandbox.interface import Launch
from arena.sandbox.orders import request
from arena.values.errors import Lack, MatchVoid

__all__ = [
    "Child",
    "brands_here",
    "dismiss_launcher",
    "fork_program",
    "launchers",
    "orphans_of",
    "spawn_here",
    "started_here",
    "use_all_files",
]

ANSWER_SECONDS = 10.0  # a fork takes a fraction of a millisecond
STRAY_SECONDS = 2.0  # to end what a launcher forked last of all
LINK = 3  # the launcher's end of the socket, there
ATTEMPTS = 5  # at one that hears us
MOST_BRANDS = 1000  # of launchers at the same time
# the one module alone, which is compiled already; its package would bring all that it imports
MAIN = """\
import sys
sys.path[:0] = [sys.argv[1].rpartition("/")[0]]
import confine
del sys.path[0]
confine.main(int(sys.argv[2]))
"""
FILES = resource.getrlimit(resource.RLIMIT_NOFILE)  # as we got it, and as what we start gets it


@dataclass(slots=True)
class Child:
    """A child of this process that the launcher has forked.

    Attributes:
        pid: its process id, ours until it has been waited for.
        stdin, stdout, stderr: our ends of its pipes.
        returncode: its exit code once it has been waited for, negative for a signal.
        unknown: did a sweep for strays wait for it, so that nobody knows its exit code?
        peak_bytes: the most that one of its processes has held, once it has been waited for.
    """

    pid: int
    stdin: FileIO
    stdout: FileIO
    stderr: FileIO
    returncode: int | None = field(default=None, init=False)
    peak_bytes: int = field(default=0, init=False)
    unknown: bool = field(default=False, init=False)

    @property
    def waited_for(self) -> bool:
        """Whether its end was taken note of, so that its id may be another's."""
        return self.unknown or self.returncode is not None

    def kill(self) -> None:
        """Kill it and wait for its end, unless it has been waited for."""
        if not self.waited_for:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self._ended(reap(self.pid))

    def poll(self) -> int | None:
        """Return its exit code, ``None`` while it runs or if that is unknown."""
        if not self.waited_for:
            self._ended(reap(self.pid, 0))
        return self.returncode

    def _ended(self, end: ChildEnd | None) -> None:
        if end is not None:
            self.returncode, self.peak_bytes = end
            self.unknown = end.code is None
            _programs.discard(self.pid)


def fork_program(how: Launch, group: int = -1) -> Child:
    """Start a program by this thread's launcher, which is started if there is none.

    Each thread has its own: a bot dies with the thread whose child it is.

    Args:
        how: what to start.
        group: a descriptor of the control group's folder in which it is born; -1: in ours.

    Raises:
        ValueError: a word has a zero byte in it.
        OSError: this machine has no process or descriptor left, or the launcher does not work, or
            nothing can be born in that group.
        MatchVoid: the launcher has ended meanwhile, or does not answer. Nothing of the program is
            left, but what it was to be given may be used up: with the same nothing is started
            again.
    """
    data = request(
        how.orders,
        argv=how.argv,
        env=how.env,
        folder=how.folder,
        cores=os.sched_getaffinity(0),
        numbers=(0, 1, 2, *how.inherited),
        grouped=group >= 0,
    )
    groups = (group,) if group >= 0 else ()
    return _with_pipes(lambda its: _ask(data, (*its, *how.inherited, *groups)))


def spawn_here(how: Launch) -> Child:
    """Start a program in our own session and process group, where it can open our terminal.

    The launcher's forks are in sessions of their own. Here nothing is done to the program before it
    runs, and it does not die with us: its input ends then.

    Raises:
        ValueError: a word has a zero byte in it.
        OSError: this machine has no process or descriptor left.
    """
    argv = ("/bin/sh", "-c", 'cd "$0" && exec "$@"', how.folder, *how.argv)
    ignored = (signal.SIGPIPE, signal.SIGXFSZ)  # by Python, which a program would inherit

    def spawn(its: Sequence[int]) -> int:
        actions = [(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(its)]
        env = {**how.env, VARIABLE: new_word()}
        return os.posix_spawn(argv[0], argv, env, file_actions=actions, setsigdef=ignored)

    child = _with_pipes(spawn)
    brand(child.pid)
    return child


def launchers() -> frozenset[int]:
    """Return the process ids of this process's launchers: children that are no bots."""
    return frozenset(_pids)


def brands_here() -> set[int]:
    """Return the brands of this thread's launchers, those to come as well."""
    if not hasattr(_mine, "brands"):
        _mine.brands = set()
    found: set[int] = _mine.brands
    return found


def started_here(pid: int) -> bool:
    """Return whether a process comes from a launcher of this thread, at whatever distance."""
    return brand_of(pid) in brands_here()


def orphans_of(brands: Collection[int]) -> list[int]:
    """Return the children of this process that come from launchers, and are none of their forks."""
    children = set(procfs.children_of(os.getpid())) - _pids - _programs
    return [pid for pid in children if brand_of(pid) in brands]


def dismiss_launcher() -> None:
    """End this thread's launcher, if there is one; the next start gets another."""
    launcher = getattr(_mine, "launcher", None)
    if launcher is not None:
        launcher.end()
        _mine.launcher = None
        brands_here().clear()  # numbers come again


def use_all_files() -> None:
    """Let this process open as many files as it may, which is more than most need."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES[1], FILES[1]))


_mine = threading.local()
_pids: set[int] = set()
_programs: set[int] = set()  # forked by launchers, and not waited for
_numbers = itertools.count()


class _Unheard(Exception):
    """A launcher ended before it had read a request: nothing was done of it."""


class _Launcher:
    """A launcher that runs, and our end of the socket to it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        argv = (sys.executable, "-I", "-S", "-c", MAIN, confine.__file__, str(LINK))
        # of ours it has only the socket open: it closes itself what else it may have got
        actions = [
            (os.POSIX_SPAWN_DUP2, theirs.fileno(), LINK),
            *((os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(LINK)),
        ]
        try:
            env = clean_environment() | {VARIABLE: new_word()}
            self.pid = os.posix_spawn(argv[0], argv, env, file_actions=actions, setsigmask=())
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        with contextlib.suppress(OSError):
            resource.prlimit(self.pid, resource.RLIMIT_NOFILE, FILES)
        self.brand = brand(self.pid, 1 + next(_numbers) % MOST_BRANDS)
        ours.settimeout(ANSWER_SECONDS)
        self.owner = os.getpid()
        self.link = ours
        _pids.add(self.pid)
        self.end = weakref.finalize(self, _end, ours, self.pid, self.owner)

    def fork(self, data: bytes, descriptors: Sequence[int]) -> int:
        """Return the process id of a fork.

        Raises:
            _Unheard: the launcher had ended before.
            MatchVoid: it has ended since, or does not answer.
            OSError: it cannot fork.
        """
        try:
            rights = struct.pack(f"{len(descriptors)}i", *descriptors)
            sent = self.link.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            if sent < len(data):
                self.link.sendall(data[sent:])
            answer = self.link.recv(confine.ANSWER_BYTES)
            if len(answer) < confine.ANSWER_BYTES:
                raise EOFError
        except BaseException as error:
            # such as Ctrl-C: an answer that comes now must not be taken for the next one's. What
            # it may have forked is a child of ours that nobody knows, and ends with the strays
            self.end()
            if isinstance(error, ConnectionError):  # the kernel says so of what was not read
                raise _Unheard from error
            if isinstance(error, EOFError | TimeoutError):
                raise self._lost(error) from error
            raise
        pid = int.from_bytes(answer, "little", signed=True)
        if pid < 0:
            raise OSError(-pid, os.strerror(-pid))
        _programs.add(pid)
        return pid

    def _lost(self, error: EOFError | TimeoutError) -> MatchVoid:
        """End what the launcher may have forked before it ended, and say what happened."""
        end_all(self._strays, STRAY_SECONDS)
        if isinstance(error, TimeoutError):
            return MatchVoid(f"what starts bots does not answer: {_what()}", Lack.PROCESSES)
        return MatchVoid("what starts bots was killed while it did; this counts for nobody")

    def _strays(self) -> list[int]:
        children = procfs.children_of(os.getpid())
        return [pid for pid in children if pid not in _programs and brand_of(pid) == self.brand]


def _with_pipes(start: Callable[[Sequence[int]], int]) -> Child:
    """Start a program with pipes for its stdin, stdout and stderr.

    Args:
        start: starts it with these descriptors, and returns its process id.

    Raises:
        OSError: no descriptors are left, or ``start`` raised it; none of ours stays open.
    """
    ends: list[FileIO] = []  # each can be closed twice, and a signal may come at any of these lines
    try:
        for _ in range(3):
            reads, writes = os.pipe2(os.O_CLOEXEC)
            ends += FileIO(reads, "rb"), FileIO(writes, "wb")
        its = (ends[0], ends[3], ends[5])
        pid = start([end.fileno() for end in its])
    except BaseException:
        for end in ends:
            end.close()
        raise
    for end in its:
        end.close()
    return Child(pid, ends[1], ends[2], ends[4])


def _ask(data: bytes, descriptors: Sequence[int]) -> int:
    for _ in range(ATTEMPTS):
        launcher: _Launcher | None = getattr(_mine, "launcher", None)
        if launcher is None or launcher.owner != os.getpid() or not launcher.end.alive:
            launcher = _mine.launcher = _Launcher()
            brands_here().add(launcher.brand)
        with contextlib.suppress(_Unheard):
            return launcher.fork(data, descriptors)
    raise MatchVoid(f"what starts bots ends at once, again and again: {_what()}")


def _what() -> str:
    return f"{sys.executable} {confine.__file__}"


def _end(link: socket.socket, pid: int, owner: int) -> None:
    """Close our end, and see to the launcher's; in a fork of its owner it is not ours to end."""
    link.close()
    _pids.discard(pid)
    if os.getpid() == owner:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        reap(pid)
