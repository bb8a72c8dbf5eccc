"""Start a program without a copy of this process: by machine code, for the launcher.

A fork copies the page tables of its parent, and each page that it or its parent touches: 0.5 ms for
an interpreter, a third of what a start takes. ``vfork`` copies nothing: the child runs in its
parent's memory, which sleeps until the child is another program. Python cannot run there. So what
the child is to do is a list of system calls, and a few instructions do them one after the other,
with registers alone: they write to no stack.

Like ``confine`` it imports next to nothing, as it is part of the launcher.
"""

from __future__ import annotations

import _ctypes
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from arena.sandbox.confine import _Program as Program

__all__ = ["starter"]

ANYTHING = -1  # a call may return what it likes, as long as it is no error
EVEN_ERRORS = -2

# asm/unistd_64.h
WRITE, DUP2, EXECVE, CHDIR, GETPPID, SETSID, PRCTL = 1, 33, 59, 80, 110, 112, 157
SCHED_SETAFFINITY, PRLIMIT = 203, 302

_SIGKILL = 9
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_CORES = 8192  # as many as the kernel can be built for
_CLONE_VM, _CLONE_VFORK = 0x100, 0x4000
_FAILED = -1  # in place of a call's number
_WORDS = 7  # of a call: its number, five arguments, what it is to return
_ALL = (1 << 64) - 1  # the bits of a word
_PAGE = 4096
_READ_WRITE, _READ_EXECUTE = 3, 5  # linux/mman.h: PROT_…
_PRIVATE_ANONYMOUS = 0x22  # MAP_…

# function(clone_args, their size, calls) -> process id, or an error number below zero
_X86_64 = bytes.fromhex(
    "49 89 d1"  # mov r9, rdx
    "b8 b3 01 00 00 0f 05"  # mov eax, 435 (clone3); syscall
    "48 85 c0 74 01 c3"  # in the parent: ret
    "4c 89 cb"  # in the child: mov rbx, r9
    "48 8b 03"  # next: mov rax, [rbx]
    "48 8b 7b 08 48 8b 73 10"  # mov rdi, [rbx+8]; mov rsi, [rbx+16]
    "48 8b 53 18 4c 8b 53 20"  # mov rdx, [rbx+24]; mov r10, [rbx+32]
    "4c 8b 43 28 0f 05"  # mov r8, [rbx+40]; syscall
    "48 83 c3 38"  # add rbx, 56
    "48 83 7b f8 fe 74 dc"  # cmp [rbx-8], -2; equal: next
    "48 85 c0 78 0d"  # below zero: failed
    "48 83 7b f8 ff 74 d0"  # cmp [rbx-8], -1; equal: next
    "48 3b 43 f8 74 ca"  # cmp rax, [rbx-8]; equal: next
    "48 89 43 f8"  # failed: mov [rbx-8], rax
    "bf 61 00 00 00"  # mov edi, 97
    "48 83 7b c8 3b 75 0d"  # cmp [rbx-56], 59 (execve); not equal: leave
    "bf 7e 00 00 00"  # mov edi, 126
    "48 83 f8 fe 75 02"  # cmp rax, -2 (ENOENT); not equal: leave
    "ff c7"  # inc edi
    "48 c7 43 c8 ff ff ff ff"  # leave: mov [rbx-56], -1
    "b8 e7 00 00 00 0f 05"  # mov eax, 231 (exit_group); syscall
)


class Call:
    """A system call of the child.

    Attributes:
        number: which call.
        words: its arguments: numbers, or bytes of which it gets the address.
        wanted: what it is to return.
        step: the step that it belongs to, in the words of ``confine``.
        failed: once the child has ended by it: what it returned instead.
    """

    __slots__ = ("failed", "number", "step", "wanted", "words")

    def __init__(
        self, number: int, *words: int | bytes, wanted: int = ANYTHING, step: str = "start"
    ) -> None:
        self.number = number
        self.words = words
        self.wanted = wanted
        self.step = step
        self.failed: int | None = None


class _Byte(_ctypes._SimpleCData):  # type: ignore[type-arg]  # generic for checkers only
    _type_ = "c"


class _Memory:
    """Bytes that have an address, and do not move."""

    def __init__(self, size: int) -> None:
        self.data = bytearray(size)
        self._held = _Byte.from_buffer(self.data)  # which cannot grow now, and so stays there
        self._base = _ctypes.addressof(self._held)
        self._used = 0

    def put(self, data: bytes) -> int:
        """Copy bytes; return their address, a multiple of eight from the first."""
        begin = self._used
        self.data[begin : begin + len(data)] = data
        self._used += _room(data)
        return self._base + begin

    def put_words(self, words: Iterable[int]) -> int:
        """Likewise numbers of 64 bits."""
        return self.put(b"".join([(word & _ALL).to_bytes(8, "little") for word in words]))

    def words(self, address: int, count: int) -> list[int]:
        """Return numbers of 64 bits with a sign."""
        begin = address - self._base
        places = range(begin, begin + 8 * count, 8)
        return [int.from_bytes(self.data[at : at + 8], "little", signed=True) for at in places]


def _room(data: bytes) -> int:
    return len(data) + -len(data) % 8


class _Runner:
    """Starts programs in children that run in this process's memory, while it waits.

    Args:
        raw: calls a function of the C library.
        function: makes a function of an address.

    Raises:
        OSError: this machine is another, or executes nothing that a process has written.
    """

    def __init__(
        self, raw: Callable[..., int], function: Callable[[int], Callable[..., int]]
    ) -> None:
        if os.uname().machine != "x86_64":
            raise OSError("no instructions for this machine")
        page = raw("mmap", 0, _PAGE, _READ_WRITE, _PRIVATE_ANONYMOUS, -1, 0)
        if page == -1:
            raise OSError("no memory for instructions")
        raw("memcpy", page, _X86_64, len(_X86_64))
        if raw("mprotect", page, _PAGE, _READ_EXECUTE) < 0:
            raise OSError("this machine executes nothing that was written")
        self._start = function(page)

    def start(
        self, calls: list[Call], argv: list[bytes], env: list[bytes], clone_words: list[int]
    ) -> int:
        """Have a child do these calls and execute ``argv``; return when it does that, or has ended.

        Its user must be ours: whoever may look into it can look into us until then.

        Args:
            calls: what it does, ``Call(EXECVE)`` last. By one that fails the child has ended.
            argv: the program and its words.
            env: its environment, ``NAME=VALUE``.
            clone_words: a ``struct clone_args``, to which is added that nothing is copied.

        Returns:
            The child's process id, or an error number below zero where there is none.
        """
        texts = [word + b"\0" for word in (*argv, *env)]
        given = [word for call in calls for word in call.words if isinstance(word, bytes)]
        count = len(texts) + 2 + _WORDS * len(calls) + len(clone_words)
        memory = _Memory(sum(map(_room, texts)) + sum(map(_room, given)) + 8 * count)
        places = [memory.put(text) for text in texts]
        vectors = memory.put_words([*places[: len(argv)], 0, *places[len(argv) :], 0])
        calls[-1].words = (places[0], vectors, vectors + 8 * (len(argv) + 1))
        words: list[int] = []
        for call in calls:
            found = [memory.put(one) if isinstance(one, bytes) else one for one in call.words]
            words += [call.number, *found, *(0,) * (_WORDS - 2 - len(found)), call.wanted]
        table = memory.put_words(words)
        flags, *others = clone_words
        how = memory.put_words([flags | _CLONE_VM | _CLONE_VFORK, *others])
        pid = self._start(how, 8 * len(clone_words), table)
        if pid > 0:
            after = memory.words(table, len(words))
            for call, number, result in zip(
                calls, after[::_WORDS], after[_WORDS - 1 :: _WORDS], strict=True
            ):
                call.failed = result if number == _FAILED else None
        return pid


def starter(
    raw: Callable[..., int], function: Callable[[int], Callable[..., object]], word: type
) -> Callable[[Program, list[int]], int]:
    """Return what starts a program by a ``struct clone_args``, and gives its process id.

    That is 0 where it cannot be done: on other machines, and for who becomes another user or is
    isolated, as that must not be done in our memory.

    Args:
        raw: calls a function of the C library.
        function: makes a function of an address.
        word: a number as wide as registers are, for the arguments of such a function.
    """
    try:
        run = _Runner(raw, lambda at: _with_words(function(at), word))
    except OSError:
        return lambda program, clone_words: 0

    def start(program: Program, clone_words: list[int]) -> int:
        if b"uid" in program.given or program.given.get(b"isolation") != [b"none"]:
            return 0
        calls = _calls(program)
        env = [b"%b=%b" % pair for pair in program.env.items()]
        pid = run.start(calls, program.argv, env, clone_words)
        said = _complaint(calls, program.argv[0])
        if pid > 0 and said:
            (stderr,) = (copy for copy, number in program.places if number == 2)
            os.write(stderr, said)
        return pid

    return start


def _with_words(function: Callable[..., object], word: type) -> Callable[..., int]:
    return lambda *words: int(function(*map(word, words)))  # type: ignore[call-overload]


def _calls(program: Program) -> list[Call]:
    """Return what a child does for the orders of ``confine``, which does the same in a fork."""
    mask = sum(1 << core for core in program.cores).to_bytes(_CORES // 8, "little")
    calls = [Call(WRITE, door, b"0", 1) for door in program.doors]
    calls += [Call(DUP2, copy, number) for copy, number in program.places]
    calls += [Call(SETSID), Call(SCHED_SETAFFINITY, 0, len(mask), mask)]
    calls += [Call(CHDIR, program.folder + b"\0")]
    for value in program.given.get(b"limit", ()):
        which, _, most = value.partition(b":")
        both = int(most).to_bytes(8, "little") * 2
        # refused only where the limit that there is, is stricter
        calls += [Call(PRLIMIT, 0, int(which), both, wanted=EVEN_ERRORS)]
    calls += [Call(PRCTL, _PR_SET_PDEATHSIG, _SIGKILL)]
    calls += [Call(GETPPID, wanted=int(program.given[b"parent"][0]))]
    if b"powerless" in program.given:
        calls += [Call(PRCTL, _PR_SET_CHILD_SUBREAPER, 1)]
        calls += [Call(PRCTL, _PR_SET_NO_NEW_PRIVS, 1, step="privileges")]
    return [*calls, Call(EXECVE)]


def _complaint(calls: list[Call], program: bytes) -> bytes:
    """Return what ``confine`` says of the call that failed, nothing if none did."""
    for call in calls:
        if call.failed is not None:
            code = -call.failed if call.failed < 0 else 0
            why = os.strerror(code) if code else "the arena is gone"
            if call.number == EXECVE:
                return program + f": {why}\n".encode()
            return f"confine: {call.step} {code}: {why}\n".encode()
    return b""
