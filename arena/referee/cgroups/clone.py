"""A program started as a member of a control group, from its first instruction on.

To move a process into a group the kernel waits until every CPU of the machine has passed a quiet
moment: up to 16 ms. To be born in it costs nothing. ``clone3`` does that; the C library offers it
from glibc 2.39 on only, so the call is made here. The child is a copy of this process until it
executes the program. It makes calls of the C library that were prepared before, and nothing else:
another thread of ours may have held any lock at that instant.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import functools
import io
import os
import signal
import struct
from collections.abc import Callable, Mapping, Sequence

from arena.referee.cgroups.group import Group

__all__ = ["Child", "NoGroupError", "spawn"]

# the same on every machine
_CLONE3 = 435
_CLOSE_RANGE = 436
_CLONE_VFORK = 1 << 14  # we wait until it is executed: what both have is then copied for neither
_CLONE_INTO_CGROUP = 1 << 33
_CLOSE_RANGE_CLOEXEC = 4
_STREAMS = 3
_ALL = 0xFFFFFFFF
_ERRNO_BYTES = 4
_NOT_EXECUTED = 127

_Step = tuple[Callable[..., int], tuple[object, ...]]


class NoGroupError(Exception):
    """Nothing can be started in a control group here; without one it may well work."""


class Child:
    """A process that ``spawn`` has started; what ``subprocess.Popen`` offers of it and we use.

    Attributes:
        pid: its process id.
        returncode: its exit code, negative for a signal; ``None`` while nobody asked or it runs.
        stdin, stdout, stderr: our ends of its pipes.
    """

    def __init__(self, pid: int, stdin: int, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdin = io.FileIO(stdin, "w")
        self.stdout = io.FileIO(stdout, "r")
        self.stderr = io.FileIO(stderr, "r")

    def poll(self) -> int | None:
        """Return its exit code if it has ended."""
        return self._wait(os.WNOHANG)

    def wait(self) -> int | None:
        """Wait for its end; returns its exit code."""
        return self._wait(0)

    def kill(self) -> None:
        """Send it a SIGKILL, if it has not ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _wait(self, how: int) -> int | None:
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, how)
            except ChildProcessError:  # somebody else has taken note of its end
                self.returncode = 0
            else:
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def spawn(
    group: Group,
    argv: Sequence[str],
    env: Mapping[str, str],
    folder: str,
    inherited: Sequence[int] = (),
) -> Child:
    """Start a program within a group, in a session of its own, with pipes for its streams.

    Args:
        group: that it is born in.
        argv: the program, an absolute path, and its arguments.
        env: its whole environment.
        folder: its working directory.
        inherited: our descriptors that are open in it, too, under the same numbers.

    Raises:
        NoGroupError: nothing can be started in this group.
        OSError: it cannot be executed, or there is no descriptor left.
        ValueError: a word has a NUL byte in it.
    """
    opened: list[int] = []
    try:
        for _ in range(_STREAMS + 1):
            opened += _pipe()
        theirs_in, stdin, stdout, theirs_out, stderr, theirs_err, told, tell = opened
        library = _library()
        streams = (theirs_in, theirs_out, theirs_err)
        steps = _steps(library, streams, group.doors(), argv, env, folder, inherited)
        error = (ctypes.c_int * 1)()
        pid = _clone(library, group, steps, error, tell)
        os.close(tell)
        opened.remove(tell)
        code = os.read(told, _ERRNO_BYTES)  # nothing, once it is executed
        if code:
            os.waitpid(pid, 0)
            number = int.from_bytes(code, "little")
            raise OSError(number, os.strerror(number), argv[0])
        group.check()
        for descriptor in (stdin, stdout, stderr):
            opened.remove(descriptor)
        return Child(pid, stdin, stdout, stderr)
    finally:
        for descriptor in opened:
            os.close(descriptor)


@functools.lru_cache(maxsize=1)
def _library() -> ctypes.PyDLL:
    return ctypes.PyDLL(None, use_errno=True)  # its calls never let go of the interpreter


def _clone(
    library: ctypes.PyDLL,
    group: Group,
    steps: Sequence[_Step],
    error: ctypes.Array[ctypes.c_int],
    tell: int,
) -> int:
    """Make the child, and be it: then this does not return."""
    # struct clone_args: flags, then what we leave out, exit_signal, …, cgroup
    flags = _CLONE_INTO_CGROUP | _CLONE_VFORK
    words = struct.pack("=11Q", flags, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, group.descriptor)
    arguments = ctypes.create_string_buffer(words, len(words))
    system_call = library.syscall
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        pid: int = system_call(_CLONE3, arguments, len(words))
        if pid == 0:
            try:
                for call, given in steps:
                    if call(*given) < 0:
                        break
                error[0] = ctypes.get_errno()
                library.write(tell, error, _ERRNO_BYTES)
            finally:
                os._exit(_NOT_EXECUTED)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if pid < 0:
        code = ctypes.get_errno()
        raise NoGroupError(f"clone3: {os.strerror(code)}")
    return pid


def _steps(
    library: ctypes.PyDLL,
    streams: tuple[int, int, int],
    doors: Sequence[int],
    argv: Sequence[str],
    env: Mapping[str, str],
    folder: str,
    inherited: Sequence[int],
) -> tuple[_Step, ...]:
    """Return the calls that make a copy of this process a program."""
    words = _strings(argv)
    variables = _strings([f"{name}={value}" for name, value in env.items()])
    # the kernel's own form of a set of signals: a bit for each, 64 of them
    no_signals = ctypes.create_string_buffer(128)
    default = ctypes.c_void_p(signal.SIG_DFL)
    ignored_by_python = (signal.SIGPIPE, signal.SIGXFSZ)
    return (
        *((_quiet(library.write), (door, b"0", 1)) for door in doors),
        (library.setsid, ()),
        *((library.dup2, (ours, number)) for number, ours in enumerate(streams)),
        (library.syscall, (_CLOSE_RANGE, _STREAMS, _ALL, _CLOSE_RANGE_CLOEXEC)),
        *((library.fcntl, (number, fcntl.F_SETFD, 0)) for number in inherited),
        (library.chdir, (_checked(folder),)),
        *((_quiet(library.signal), (int(number), default)) for number in ignored_by_python),
        (library.sigprocmask, (int(signal.SIG_SETMASK), no_signals, None)),
        (library.execve, (words[0], words, variables)),
    )


def _quiet(call: Callable[..., object]) -> Callable[..., int]:
    """Return a call whose result is of no interest, or an address."""

    def called(*given: object) -> int:
        call(*given)
        return 0

    return called


def _strings(words: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    """Return texts as C has them: an array that ends in a null pointer."""
    return (ctypes.c_char_p * (len(words) + 1))(*map(_checked, words), None)


def _checked(word: str) -> bytes:
    if "\0" in word:
        raise ValueError("embedded null byte")
    return os.fsencode(word)


def _pipe() -> tuple[int, int]:
    """Return a pipe whose descriptors are none of the three that a program begins with."""
    ends = os.pipe2(os.O_CLOEXEC)
    if min(ends) >= _STREAMS:
        return ends
    try:
        first, second = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _STREAMS) for end in ends)
        return first, second
    finally:
        for end in ends:
            os.close(end)
