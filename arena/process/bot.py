"""One bot process: started, fed, read with caps, and stopped together with all it forked."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import termios
import time
from collections.abc import Callable
from io import FileIO
from itertools import count

from arena.machine import procfs
from arena.machine.heartbeat import WORKING, Heartbeat, mark_of
from arena.match.lines import Flood, Lines
from arena.match.protocol import MAX_STDERR
from arena.match.verdicts import Verdict
from arena.process.capture import Capture
from arena.process.launcher import Child, fork_program, spawn_here
from arena.process.meter import Meter
from arena.process.redactor import Redactor
from arena.process.stop_all import is_readable, signal_name
from arena.process.tree import Tree
from arena.sandbox.cgroups.group import Group
from arena.sandbox.interface import Launch
from arena.values.errors import lack_of
from arena.values.model import Cause

CHUNK = 65536
CHECK_NS = 100_000_000  # between looks at what a bot holds
LONG_NS = 2_000_000  # a call on a bot's pipe that takes longer has to be explained
END_MS = 1000  # for what was killed to be gone
YIELDS = 20  # of our core to a bot that is to read its last line, some 100 µs in all
BUSY_TIMES = 10  # a bot that gets no CPU has so many times as long to read its last line
NONE_UNREAD = bytes(4)  # the int that FIONREAD gives


class LaunchError(Exception):
    """The program could not be executed; ``str(error)`` says why."""


class BotProcess:
    """A running bot. Everything is non-blocking; the match session polls the descriptors.

    A bot can hold the lock of its pipes all the same, and then every call on them waits. So each
    call is announced in the heartbeat, and one that took long is handed to ``held``.

    Attributes:
        pid: the process we started, also the id of its session and process group.
        tree: all of its processes.
        meter: what they have used.
        memory_bytes: what they may hold together; ``None``: it is not looked at.
        next_check_ns: when to look at what they hold, in ns of the monotonic clock.
        stdin, stdout, stderr: descriptors of our ends; ``stdin`` is -1 once closed.
        pidfd: becomes readable when the process has ended.
        descriptors: all of these, as they were at the start.
        capture: what it wrote to stderr during the present match.
        slot: the user that it runs as, where that is one of its own.
        lines: what was read of its stdout and not judged yet.
        hidden: takes out of what it writes what nobody is to see; ``None``: nothing.
        unwritten: bytes that its stdin had no room for.
        heartbeat: where calls on its pipes are announced, as ``mark``.
        held: called with the begin and the end of a call on its pipes that took long, in ns.
        excess: what it was killed for, judged when it is asked next.
    """

    heartbeat = Heartbeat()  # until it plays, of nobody
    mark = 0
    held: Callable[[int, int], None] = staticmethod(lambda began, ended: None)
    excess: Verdict | None = None
    hidden: Redactor | None = None

    def __init__(self, how: Launch) -> None:
        """Start the program.

        Raises:
            LaunchError: it cannot be executed.
            OSError: this machine has no process or descriptor left for it, which is no bot's fault.
        """
        with how:
            try:
                self._process, group = _start(how)
            except (OSError, ValueError) as error:
                if lack_of(error) is None:
                    raise LaunchError(f"it could not be started: {error}") from error
                raise
            self._kept = how.kept.pop_all()
        process = self._process
        self.pid = process.pid
        self.mark = mark_of(self.pid)
        self.tree = Tree(process.pid, how.report, how.confined, group)
        self.meter = Meter(self.tree)
        self.memory_bytes = how.memory_bytes
        self.next_check_ns = time.monotonic_ns() + CHECK_NS
        self.slot = how.slot
        self.stdin = process.stdin.fileno()
        self.stdout = process.stdout.fileno()
        self.stderr = process.stderr.fileno()
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self.capture = Capture()
        self.lines = Lines()
        if how.secrets:
            self.hidden = Redactor(how.secrets)
        self.stdout_open = True
        self.stderr_open = True
        self.unwritten = b""
        self.pidfd = -1
        try:
            self.pidfd = os.pidfd_open(self.pid)
        except OSError:
            self.kill()
            raise
        self.descriptors = frozenset((self.stdin, self.stdout, self.stderr, self.pidfd))
        self._all = select.poll()
        for fd in (self.stdout, self.stderr, self.pidfd):
            self._all.register(fd, select.POLLIN)

    # output of the bot

    def read(self) -> bool:
        """Read once from stdout into ``lines``; returns whether there may be more at once."""
        data = self._read_from(self.stdout)
        if data:
            self.lines.feed(data)
        elif data is not None:
            self.stdout_open = False
        return bool(data)

    def stderr_flood(self) -> Flood | None:
        """Return a flood if the bot wrote more to stderr during this match than it may."""
        if self.capture.total <= MAX_STDERR:
            return None
        return Flood(f"more than {MAX_STDERR} bytes to stderr", cause=Cause.STDERR)

    def read_stderr(self) -> bool:
        """Read once from stderr into the capture; returns whether there may be more at once."""
        data = self._read_from(self.stderr)
        if data == b"":
            self.stderr_open = False
        shown = data or b""
        if self.hidden is not None:
            shown = self.hidden.in_stream(shown, ended=not self.stderr_open)
        if shown:
            self.capture.add(shown)
        return bool(data)

    def _read_from(self, descriptor: int) -> bytes | None:
        """Return what can be read at once, nothing at the end; ``None`` if it has not come yet."""
        began = self.calling()
        try:
            return os.read(descriptor, CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        finally:
            self.called(began)

    # calls on its pipes

    def calling(self) -> int:
        """Announce a call on one of its pipes; return when that was, in ns."""
        self.heartbeat.since_ns = began = time.monotonic_ns()
        self.heartbeat.doing = self.mark
        return began

    def called(self, began: int) -> int:
        """Say that the call has returned; return when that was, in ns."""
        ended = time.monotonic_ns()
        self.heartbeat.doing = WORKING
        if ended - began > LONG_NS:
            self.held(began, ended)
        return ended

    # input of the bot

    def write(self, data: bytes) -> bool:
        """Offer bytes to the bot's stdin without blocking; returns whether all were written.

        What did not fit waits in ``unwritten``. A bot that has closed its stdin is written nothing.
        """
        if self.unwritten:
            data = self.unwritten + data
            self.unwritten = b""
        if self.stdin < 0:
            return True
        began = self.calling()
        try:
            count = os.write(self.stdin, data)
        except BlockingIOError:
            count = 0
        except OSError:  # it has closed its end: what becomes of that is seen at its output
            count = len(data)
        self.called(began)
        if count < len(data):
            self.unwritten = data[count:]
            return False
        return True

    def close_stdin(self) -> None:
        """Close our end of the bot's stdin."""
        if self.stdin >= 0:
            self._close(self._process.stdin)
            self.stdin = -1

    def _close(self, end: FileIO) -> None:
        began = self.calling()
        with contextlib.suppress(OSError):
            end.close()
        self.called(began)

    # the end of the bot

    def has_exited(self, wait_ms: int = 0) -> bool:
        """Return whether the process has ended, waiting for it at most that long."""
        return is_readable(self.pidfd, wait_ms / 1000)

    def why_it_ended(self) -> Cause | None:
        """Return ``CLOSED`` if it only closed its output, ``LEFT`` if it ended well."""
        if not self.has_exited(wait_ms=50):
            return Cause.CLOSED
        return Cause.LEFT if self._process.poll() == 0 else None

    def how_it_ended(self) -> str:
        """Say how an ended process ended, or that it only closed its output."""
        if not self.has_exited(wait_ms=50):
            return "it closed its stdout"
        status = self._process.poll()
        if status is None:
            return "it exited"
        if status < 0:
            return f"it was killed by {signal_name(-status) or f'signal {-status}'}"
        # all that comes through from inside of a namespace
        name = signal_name(status - 128) if self.tree.namespaced else ""
        return f"it exited with status {status}{name and f', as after {name}'}"

    def closed_stdout(self) -> bool:
        """Return whether no process of the bot can write to its stdout any more.

        bubblewrap keeps the stream open, so that its end does not come to us.
        """
        pipe = f"pipe:[{os.fstat(self.stdout).st_ino}]"
        try:
            return not any(
                target == pipe
                for pid in self.tree.members()
                for _, target in procfs.open_files(pid)
            )
        except OSError:
            return False  # one has just ended, or cannot be seen

    def exit_code(self) -> int | None:
        """Return the exit code of an ended process, negative for a signal; ``None`` if it runs."""
        return self._process.poll() if self.has_exited() else None

    def was_cut_off(self) -> bool:
        """Return whether the process we started has ended by a signal of neither the bot nor us.

        That is so of bubblewrap: it lives outside of the bot's process namespace, and exits of its
        own will however the bot ends.
        """
        if not self.tree.namespaced or self.tree.killed or not self.has_exited(wait_ms=50):
            return False
        return (self.exit_code() or 0) < 0

    def lost(self) -> bool:
        """Return whether its launcher has ended, so that nobody knows how it would have."""
        unknown = self._process.poll() is None and self._process.end is not None
        return unknown and not self.tree.killed

    def peak_bytes(self) -> int:
        """Return the most that one of its processes has held, once it has ended; 0 before."""
        if self.pidfd >= 0:
            self.exit_code()
        return 0 if self._process.end is None else self._process.end.peak_bytes

    def over_caps(self) -> bool:
        """Return whether it wrote more, since the last decision began, than anyone may."""
        return self.lines.too_much() or self.capture.total > MAX_STDERR

    def settle(self, wait_ms: float) -> None:
        """Wait until the bot has read all it was sent and waits for more, or that long.

        It may only need our core for an instant, so at first we give that away and do not sleep.
        Where it gets less of the CPU than that, as on a busy machine, it has up to
        ``BUSY_TIMES`` as long.
        """
        if self._waits_for_input():  # as nearly always
            return
        now = time.monotonic_ns()
        deadline, wait_ns = now + int(wait_ms * 1e6), int(wait_ms * 1e6)
        last, used_ns = now + BUSY_TIMES * wait_ns, self.meter.cpu_ns(now)
        for attempt in count():
            if attempt < YIELDS:
                os.sched_yield()
            elif self.has_exited(wait_ms=1):
                return
            now = time.monotonic_ns()
            starved = now < last and self.meter.cpu_ns(now) - used_ns < wait_ns
            if self._waits_for_input() or (now >= deadline and not starved):
                return

    def is_quiet(self) -> bool:
        """Return whether it lives and has written nothing that was not read; one system call."""
        return not self._all.poll(0)

    def _waits_for_input(self) -> bool:
        began = self.calling()
        try:
            unread = fcntl.ioctl(self.stdin, termios.FIONREAD, NONE_UNREAD)
        except OSError:
            return True  # it has closed its stdin
        finally:
            self.called(began)
        try:
            return unread == NONE_UNREAD and self.tree.is_asleep()
        except OSError:
            return False  # it is gone, which the process we started will soon tell

    def drain(self) -> None:
        """Read what is left on stdout and stderr, within the caps, and forget stdout's."""
        self.lines.forget()
        while self.stdout_open and not self.over_caps() and self.read():
            self.lines.forget()
        while self.stderr_open and not self.over_caps() and self.read_stderr():
            pass

    def condemn(self, verdict: Verdict) -> None:
        """Kill the bot for what it does; the first verdict stays."""
        self.excess = self.excess or verdict
        self.tree.kill()

    def kill(self) -> None:
        """End the process and its group at once, reap it, and close every descriptor."""
        if self._process.end is None:
            self.tree.kill()
            self._process.kill()
        if (init := self.tree.wait_for_end(END_MS)) is not None:
            self._process.reap(init)
        self.drain()
        self.close_stdin()
        self._close(self._process.stdout)
        self._close(self._process.stderr)
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1
        self.meter.close()
        self.tree.close()
        self._kept.close()


def _start(how: Launch) -> tuple[Child, Group | None]:
    """Start a program in its control group, or without one where that does not work."""
    if how.here:
        return spawn_here(how), None
    if how.group is not None:
        try:
            return fork_program(how, how.group.descriptor), how.group
        except OSError:
            how.group.close()
    return fork_program(how), None
