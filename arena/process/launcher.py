"""Programs started through the launcher: one that runs already, and forks for each of them.

The launcher owns the processes that it forks, and adopts the processes that a bot leaves behind. It
has no other children. So this process finds bots and orphans among the children of the launcher,
and ends them there; other children of this process are not affected.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from itertools import islice
from typing import NamedTuple

from arena.machine import procfs
from arena.machine.run_folder import VARIABLE, leave_folder, new_word
from arena.process.stop_all import END_SECONDS, children, end_all, wait_for_end
from arena.sandbox import confine
from arena.sandbox.environment import clean_environment
from arena.sandbox.interface import Launch
from arena.values.errors import Lack, MatchVoid

ANSWER_SECONDS = 10.0  # a fork takes a fraction of a millisecond
ATTEMPTS = 5  # at one that hears us
MOST_ORPHANS = 100  # that one look takes in, at 10 µs each
# the one module alone, which is compiled already; its package would bring all that it imports
MAIN = """\
import sys
sys.path[:0] = [sys.argv[1].rpartition("/")[0]]
import confine
del sys.path[0]
confine.main()
"""
ANSWER = struct.Struct("<3q")
KILLED = "what starts bots was killed; this counts for nobody"
CHUNK = 4096
CORES = frozenset(os.sched_getaffinity(0))  # before a worker keeps itself to one
FILES = resource.getrlimit(resource.RLIMIT_NOFILE)  # as we got it, and as what we start gets it


class ChildEnd(NamedTuple):
    """How a child ended.

    Attributes:
        code: its exit code, negative for a signal; ``None``: nobody knows it.
        peak_bytes: the most that a process of it has held at a time, or one that it had waited for.
    """

    code: int | None
    peak_bytes: int = 0


Reap = Callable[[int], ChildEnd | None]
"""Waits for a child that may have ended, by its process id; ``None``: it goes on."""


@dataclass(slots=True)
class Child:
    """A program that was started, by the launcher or from here.

    Attributes:
        pid: its process id, its own until it has been waited for.
        stdin, stdout, stderr: our ends of its pipes.
        reap: waits for it, and for what it may have left to the same parent.
        end: how it ended, once it has been waited for, so that its id may be another's.
    """

    pid: int
    stdin: FileIO
    stdout: FileIO
    stderr: FileIO
    reap: Reap
    end: ChildEnd | None = None

    def kill(self) -> None:
        """Kill it, which has not been waited for, and wait for its end.

        In the kernel it may outlive its SIGKILL.
        """
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        deadline = time.monotonic() + END_SECONDS
        while self.end is None and (left := deadline - time.monotonic()) > 0:
            wait_for_end(self.pid, left)
            self.poll()

    def poll(self) -> int | None:
        """Return its exit code, ``None`` while it runs or if that is unknown."""
        if self.end is None:
            self.end = self.reap(self.pid)
        return None if self.end is None else self.end.code


def fork_program(how: Launch, group: int = -1) -> Child:
    """Start a program by this thread's launcher, which is started if there is none.

    Each thread has its own: with a thread its launcher dies, and its bots.

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
    data = _request(how, grouped=group >= 0)
    groups = (group,) if group >= 0 else ()
    return _with_pipes(lambda its: _fork(data, (*its, *how.inherited, *groups)))


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

    def spawn(its: Sequence[int]) -> tuple[int, Reap]:
        actions = [(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(its)]
        env = {**how.env, VARIABLE: new_word()}
        pid = os.posix_spawn(argv[0], argv, env, file_actions=actions, setsigdef=ignored)
        return pid, _reap_own

    return _with_pipes(spawn)


def strays(staying: frozenset[int] = frozenset()) -> Iterator[int]:
    """Yield what bots have left to this thread's launcher, except ``staying``, youngest first."""
    launcher = _here()
    for pid in reversed(children(launcher.pid)) if launcher else ():
        if pid not in staying:
            yield pid


def orphans(bot: int, bots: frozenset[int]) -> frozenset[int]:
    """Return the youngest strays that may be of one of some bots, at most ``MOST_ORPHANS``.

    Those in the session of another bot are that one's. Whose one with a session of its own is,
    nobody knows.
    """
    found = set[int]()
    for pid in islice(strays(bots), MOST_ORPHANS):
        with contextlib.suppress(OSError):  # it is gone
            session = int(procfs.stat(pid)[procfs.SESSION])
            if session == bot or session not in bots:
                found.add(pid)
    return frozenset(found)


def end_strays(staying: frozenset[int] = frozenset()) -> None:
    """Kill and reap what bots have left to this thread's launcher, except ``staying``.

    If the launcher has as many children as stay, nothing is left, and nothing more is done.
    """
    launcher = _here()
    if launcher is not None and launcher.count() != len(staying):
        end_all(launcher.pid, staying, launcher.reap)


def unknown_here() -> Callable[[], list[int]]:
    """Return what another thread finds this one's strays with: what its launcher did not fork."""
    mine = _mine.__dict__  # of this thread

    def find() -> list[int]:
        launcher: _Launcher | None = mine.get("launcher")
        if launcher is None:
            return []
        return [pid for pid in children(launcher.pid) if pid not in launcher.forked]

    return find


def dismiss_launcher() -> None:
    """End this thread's launcher, if there is one, with its bots; the next start gets another."""
    launcher, _mine.launcher = _mine.launcher, None
    if launcher is not None:
        launcher.end()


def use_all_files() -> None:
    """Let this process open as many files as it may, which is more than most need."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES[1], FILES[1]))


class _Mine(threading.local):
    launcher: _Launcher | None = None


_mine = _Mine()


class _Unheard(Exception):
    """A launcher ended before it had read a request: nothing was done of it."""


class _Launcher:
    """A launcher that runs, and our end of the socket to it.

    Attributes:
        forked: its children that were not waited for and are nobody's orphans.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        argv = (sys.executable, "-I", "-S", "-c", MAIN, confine.__file__)
        # of ours it has only the socket open: it closes itself what else it may have got
        actions = [
            (os.POSIX_SPAWN_DUP2, theirs.fileno(), confine.LINK),
            *((os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)),
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
        ours.settimeout(ANSWER_SECONDS)
        self.owner = os.getpid()
        self.link = ours
        self.forked: set[int] = set()
        self._children = -1  # open from the first look on, as it is asked after every match
        with contextlib.suppress(FileNotFoundError):
            path = f"/proc/{self.pid}/task/{self.pid}/children"
            self._children = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.end = weakref.finalize(self, _end, ours, self._children, self.pid, self.owner)

    def count(self) -> int:
        """Return the number of the launcher's children, or -1 if the kernel does not list them."""
        text = b""
        with contextlib.suppress(OSError):
            while more := os.pread(self._children, CHUNK, len(text)):
                text += more
            return text.count(b" ")
        return -1

    def fork(self, data: bytes, descriptors: Sequence[int]) -> int:
        """Return the process id of a fork.

        Raises:
            _Unheard: the launcher had ended before.
            MatchVoid: it has ended since, or does not answer.
            OSError: it cannot fork.
        """
        pid, _, _ = self._ask(data, descriptors)
        if pid < 0:
            raise OSError(-pid, os.strerror(-pid))
        self.forked.add(pid)
        return pid

    def reap(self, pid: int) -> ChildEnd | None:
        """Have it wait for a child that may have ended; ``None``: that goes on."""
        if not self.end.alive:
            return ChildEnd(None)
        try:
            found, status, kib = self._ask(confine.REAP + b"%0*d" % (confine.WORD_BYTES, pid))
        except (_Unheard, MatchVoid):  # it has ended, and so has the child
            return ChildEnd(None)
        if found == 0:
            return None
        self.forked.discard(pid)
        return ChildEnd(os.waitstatus_to_exitcode(status) if found > 0 else None, kib * 1024)

    def _ask(self, data: bytes, descriptors: Sequence[int] = ()) -> tuple[int, int, int]:
        try:
            rights = struct.pack(f"{len(descriptors)}i", *descriptors)
            sent = self.link.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            if sent < len(data):
                self.link.sendall(data[sent:])
            answer = self.link.recv(confine.ANSWER_BYTES)
            if len(answer) < confine.ANSWER_BYTES:
                raise EOFError
        except BaseException as error:
            # such as Ctrl-C: an answer that comes now must not be taken for the next one's
            self.end()
            if isinstance(error, ConnectionError | EOFError):  # it was killed
                leave_folder()  # what its bots have left has another parent now
            if isinstance(error, ConnectionError):  # the kernel says so of what was not read
                raise _Unheard from error
            if isinstance(error, TimeoutError):
                what = f"what starts bots does not answer: {_what()}"
                raise MatchVoid(what, Lack.PROCESSES) from error
            if isinstance(error, EOFError):
                raise MatchVoid(KILLED) from error
            raise
        return ANSWER.unpack(answer)


def _with_pipes(start: Callable[[Sequence[int]], tuple[int, Reap]]) -> Child:
    """Start a program with pipes for its stdin, stdout and stderr.

    Args:
        start: starts it with these descriptors, and returns its process id and what waits for it.

    Raises:
        OSError: no descriptors are left, or ``start`` raised it; none of ours stays open.
    """
    ends: list[FileIO] = []  # each can be closed twice, and a signal may come at any of these lines
    try:
        for _ in range(3):
            reads, writes = os.pipe2(os.O_CLOEXEC)
            ends += FileIO(reads, "rb"), FileIO(writes, "wb")
        its = (ends[0], ends[3], ends[5])
        pid, reap = start([end.fileno() for end in its])
    except BaseException:
        for end in ends:
            end.close()
        raise
    for end in its:
        end.close()
    return Child(pid, ends[1], ends[2], ends[4], reap)


def _request(how: Launch, *, grouped: bool) -> bytes:
    """Return a request for a fork, as ``confine.py`` reads it; descriptors go with it.

    Those of the program's three pipes come first, then what else it inherits; that of the control
    group in which it is born is the last one, if it is ``grouped``.
    """
    env = ((VARIABLE, ""), *how.env.items())  # first, where a sweep looks for it
    asked = how.orders._asdict() | {
        "argv": [*map(os.fsencode, how.argv)],
        "env": [os.fsencode(f"{name}={value}") for name, value in env],
        "folder": os.fsencode(how.folder),
        "cores": tuple(CORES if how.all_cores else os.sched_getaffinity(0)),
        "inherited": len(how.inherited),
        "grouped": grouped,
    }
    if any(b"\0" in word for word in (asked["folder"], *asked["argv"], *asked["env"])):
        raise ValueError("embedded null byte")
    text = marshal.dumps(asked)
    return len(text).to_bytes(confine.LENGTH_BYTES, "little") + text + new_word().encode("ascii")


def _fork(data: bytes, descriptors: Sequence[int]) -> tuple[int, Reap]:
    for _ in range(ATTEMPTS):
        launcher = _here()
        if launcher is None or not launcher.end.alive:
            launcher = _mine.launcher = _Launcher()
        with contextlib.suppress(_Unheard):
            return launcher.fork(data, descriptors), launcher.reap
    raise MatchVoid(f"what starts bots ends at once, again and again: {_what()}")


def _what() -> str:
    return f"{sys.executable} {confine.__file__}"


def _here() -> _Launcher | None:
    """Return this thread's launcher; that of a process which we were forked from is not ours."""
    launcher = _mine.launcher
    return launcher if launcher is not None and launcher.owner == os.getpid() else None


def _reap_own(pid: int) -> ChildEnd | None:
    try:
        found, status, used = os.wait4(pid, os.WNOHANG)
    except ChildProcessError:
        return ChildEnd(None)
    return ChildEnd(os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024) if found else None


def _end(link: socket.socket, listing: int, pid: int, owner: int) -> None:
    """Close our end, and end the launcher with its bots; in a fork of its owner it is not ours."""
    link.close()
    if listing >= 0:
        os.close(listing)
    if os.getpid() == owner:
        with contextlib.suppress(OSError):  # no descriptor is left to look with
            end_all(pid)
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            wait_for_end(pid, END_SECONDS)
            os.waitpid(pid, os.WNOHANG)
