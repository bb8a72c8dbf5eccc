"""Tests of the system call filter, read as the kernel would."""

from __future__ import annotations

import errno
import itertools
import os
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox.seccomp import PID, FilterKind, denied, seccomp_descriptor, seccomp_program
from arena.sandbox.system_calls import _NUMBERS, AARCH64, X86_64, YOUNGEST, number

ARCHITECTURES = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}  # linux/audit.h
I386 = 0x40000003
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000  # linux/seccomp.h
BWRAP, LANDLOCK, LIMITS = FilterKind("bwrap"), FilterKind("landlock"), FilterKind("limits")
BUILD = FilterKind("landlock", build=True)
OLD = FilterKind("landlock", signals=True, truncation=True)
KINDS = (BWRAP, LANDLOCK, LIMITS, FilterKind("bwrap", build=True), BUILD, OLD)
WHERE = [(machine, kind) for machine in ARCHITECTURES for kind in KINDS]


def judge(program: bytes, call: int, *arguments: int, architecture: int) -> int:
    """Run classic BPF over what seccomp tells of one call; return its verdict."""
    return run(program, call, *arguments, architecture=architecture)[0]


def run(program: bytes, call: int, *arguments: int, architecture: int) -> tuple[int, int]:
    """Run it likewise; return its verdict, and how many instructions that took."""
    words = (*arguments, *(0,) * (6 - len(arguments)))
    data = struct.pack("=iIQ6Q", call, architecture, 0x1234, *words)
    code = list(struct.iter_unpack("=HBBI", program))
    place = accumulator = 0
    for steps in itertools.count(1):
        what, if_so, if_not, constant = code[place]
        place += 1
        if what == 0x20:  # BPF_LD | BPF_W | BPF_ABS
            (accumulator,) = struct.unpack_from("=I", data, constant)
        elif what == 0x54:  # BPF_ALU | BPF_AND | BPF_K
            accumulator &= constant
        elif what == 0x05:  # BPF_JMP | BPF_JA
            place += constant
        elif what == 0x15:  # BPF_JMP | BPF_JEQ | BPF_K
            place += if_so if accumulator == constant else if_not
        elif what == 0x25:  # BPF_JMP | BPF_JGT | BPF_K
            place += if_so if accumulator > constant else if_not
        elif what == 0x06:  # BPF_RET | BPF_K
            return int(constant), steps
        else:
            raise AssertionError(f"the kernel knows no instruction {what:#x}")
    raise AssertionError


def verdict(machine: str, kind: FilterKind, call: str, *arguments: int) -> str:
    """Return ``allow``, the name of the error, or ``feigned`` for a call by its name."""
    one = number(call, machine)
    assert one is not None
    given = judge(
        seccomp_program(kind, machine), one, *arguments, architecture=ARCHITECTURES[machine]
    )
    if given == ERROR:
        return "feigned"
    return "allow" if given == ALLOW else errno.errorcode[given & 0xFFFF]


@pytest.mark.parametrize(("machine", "kind"), WHERE)
def test_refused_whatever_the_arguments(machine: str, kind: FilterKind) -> None:
    """Every call of every group is refused, with its error, for any arguments."""
    for entry in denied(kind):
        if entry.argument is not None:
            continue
        for call in entry.calls.split():
            if number(call, machine) is None:
                continue
            for value in (0, 1, PID, 0xFFFFFFFF, 1 << 32):
                found = verdict(machine, kind, call, *(value,) * 6)
                if call == "socket":  # a rule about its family comes first
                    assert found in ("EACCES", "EAFNOSUPPORT")
                else:
                    assert found == errno.errorcode.get(entry.error, "feigned"), call


# on each machine, of every kind: what a bot asks, and what it hears
SHARED = [
    ("fcntl", (0, 4), "allow"),  # F_SETFL
    ("fcntl", (0, 1030), "allow"),  # F_DUPFD_CLOEXEC
    ("fcntl", (0, 1024), "EINVAL"),  # F_SETLEASE
    ("fcntl", (0, 1024 | 1 << 32), "EINVAL"),
    ("fcntl", (0, 1026), "EINVAL"),  # F_NOTIFY
    ("fcntl", (0, 1036), "EINVAL"),  # F_SET_RW_HINT
    ("fcntl", (0, 1040), "EINVAL"),  # F_SETDELEG
    ("inotify_init1", (0,), "EPERM"),
    ("inotify_add_watch", (3,), "EPERM"),
    ("fadvise64", (3, 0, 0, 4), "EPERM"),  # POSIX_FADV_DONTNEED
    ("fadvise64", (3, 0, 0, 3), "allow"),
    ("madvise", (0, 0, 20), "EINVAL"),  # MADV_COLD
    ("madvise", (0, 0, 21), "EINVAL"),  # MADV_PAGEOUT
    ("madvise", (0, 0, 12), "EINVAL"),  # MADV_MERGEABLE
    ("madvise", (0, 0, 25), "EINVAL"),  # MADV_COLLAPSE
    ("madvise", (0, 0, 4), "allow"),  # MADV_DONTNEED
    ("madvise", (0, 0, 102), "allow"),  # MADV_GUARD_INSTALL
    ("preadv2", (3, 0, 0, 0, 0, 8), "ENOTSUP"),  # RWF_NOWAIT
    ("preadv2", (3, 0, 0, 0, 0, 0x80), "ENOTSUP"),  # RWF_DONTCACHE
    ("preadv2", (3, 0, 0, 9, 9, 0), "allow"),
    ("pwritev2", (3, 0, 0, 0, 0, 0x80), "ENOTSUP"),
    ("mincore", (0,), "ENOSYS"),
    ("cachestat", (3,), "ENOSYS"),
    ("io_setup", (1,), "ENOSYS"),
    ("openat2", (0,), "ENOSYS"),
    ("sched_setscheduler", (0,), "EPERM"),
    ("sched_setattr", (0,), "EPERM"),
    ("sched_setparam", (0,), "EPERM"),
    ("setpriority", (0, 0), "EPERM"),
    ("ioprio_set", (1, 0), "EPERM"),
    ("memfd_secret", (0,), "ENOSYS"),
    ("prctl", (4, 0), "EPERM"),  # PR_SET_DUMPABLE
    ("prctl", (62, 1), "EPERM"),  # PR_SCHED_CORE
    ("prctl", (67, 1), "EPERM"),  # PR_SET_MEMORY_MERGE
    ("prctl", (15,), "allow"),  # PR_SET_NAME
    ("clone", (0x003D0F00,), "allow"),  # a thread of glibc's
    ("clone", (0x01200011,), "allow"),  # fork
    ("prlimit64", (0, 7), "allow"),
    ("kill", (PID, 9), "allow"),
    ("kill", (0, 15), "allow"),
    ("openat", (0, 0, 0o1101), "allow"),  # for writing, made and truncated
    ("openat", (0, 0, 0o2000000), "allow"),
]

LOCKS = [
    ("flock", (3, 2), "feigned"),
    ("fcntl", (3, 6), "feigned"),  # F_SETLK
    ("fcntl", (3, 7), "feigned"),  # F_SETLKW
    ("fcntl", (3, 37), "feigned"),  # F_OFD_SETLK
    ("fcntl", (3, 5), "allow"),  # F_GETLK
]
NO_LOCKS = [("flock", (3, 2), "allow"), *(("fcntl", (3, how), "allow") for how in (6, 7, 37, 38))]

# wherever it is isolated
ISOLATED = [
    ("sched_setaffinity", (0,), "EPERM"),
    ("sched_setaffinity", (77,), "EPERM"),
    ("clone", (0x10000011,), "EPERM"),  # CLONE_NEWUSER
    ("clone", (0x00020011,), "EPERM"),  # CLONE_NEWNS
    ("clone", (0x40000011,), "EPERM"),  # CLONE_NEWNET
    ("clone", (0x20000011,), "EPERM"),  # CLONE_NEWPID
    ("clone", (0x08000011,), "EPERM"),  # CLONE_NEWIPC
    ("clone", (0x04000011,), "EPERM"),  # CLONE_NEWUTS
    ("clone", (0x02000011,), "EPERM"),  # CLONE_NEWCGROUP
    ("clone", (0x10000011 | 1 << 32,), "EPERM"),
    ("clone3", (0,), "ENOSYS"),
    ("ioctl", (0, 0x5412), "EPERM"),  # TIOCSTI
    ("ioctl", (0, 0x5412 | 1 << 32), "EPERM"),  # CVE-2019-10063
    ("ioctl", (0, 0x541C), "EPERM"),  # TIOCLINUX
    ("ioctl", (0, 0x5401), "allow"),  # TCGETS
    ("ioctl", (0, 0x541B), "allow"),  # FIONREAD
    ("ioctl", (3, 0x40086602), "ENOTTY"),  # FS_IOC_SETFLAGS
    ("ioctl", (3, 0x40087602), "ENOTTY"),  # FS_IOC_SETVERSION
    ("ioctl", (3, 0x401C5820), "ENOTTY"),  # FS_IOC_FSSETXATTR
    ("ioctl", (3, 0xC0189436), "ENOTTY"),  # FIDEDUPERANGE
    ("ioctl", (3, 0xC0506617), "ENOTTY"),  # FS_IOC_ADD_ENCRYPTION_KEY
    ("personality", (0xFFFFFFFF,), "allow"),
    ("personality", (0x0040000,), "EPERM"),  # ADDR_NO_RANDOMIZE
    ("socket", (2, 1), "EAFNOSUPPORT"),  # AF_INET
    ("socket", (2 | 1 << 32, 1), "EAFNOSUPPORT"),
    ("socket", (10, 2), "EAFNOSUPPORT"),  # AF_INET6
    ("socket", (16, 3), "EAFNOSUPPORT"),  # AF_NETLINK
    ("socket", (17, 3), "EAFNOSUPPORT"),  # AF_PACKET
    ("socket", (38, 5), "EAFNOSUPPORT"),  # AF_ALG
    ("socket", (40, 1), "EAFNOSUPPORT"),  # AF_VSOCK
    ("socketpair", (1, 1), "allow"),
    ("socketpair", (1, 0x80801), "allow"),  # SOCK_CLOEXEC | SOCK_NONBLOCK
    ("socketpair", (40, 1), "EAFNOSUPPORT"),
]

# only where a namespace holds whom it could reach
NAMESPACED = [
    ("socket", (1, 1), "allow"),
    ("socketpair", (1, 2), "allow"),  # SOCK_DGRAM
    ("connect", (3,), "allow"),
    ("clone", (0x8011,), "allow"),  # CLONE_PARENT
    ("prlimit64", (77, 7), "allow"),
    ("shmget", (0,), "EPERM"),
    ("fchmod", (3,), "allow"),
    ("kill", (77, 9), "allow"),
    ("openat", (0, 0, 3), "allow"),
]

BARE = [
    ("socket", (1, 1), "EACCES"),
    ("socketpair", (1, 2), "EACCES"),  # SOCK_DGRAM
    ("socketpair", (1, 0x80002), "EACCES"),
    ("socketpair", (1, 5), "allow"),  # SOCK_SEQPACKET
    ("clone", (0x8011,), "EPERM"),  # CLONE_PARENT
    ("clone", (0x8011 | 1 << 32,), "EPERM"),
    ("clone", (0x11,), "allow"),
    ("clone", (0x3D0F00,), "allow"),  # a thread
    ("connect", (3,), "EACCES"),
    ("prlimit64", (77, 7), "EPERM"),
    ("prlimit64", (1 << 32, 7), "allow"),  # to the kernel it is 0
    ("shmget", (0,), "EPERM"),
    ("mq_open", (0,), "EPERM"),
    ("prctl", (36, 0), "EPERM"),  # PR_SET_CHILD_SUBREAPER
    ("ioctl", (3, 0x5401), "allow"),  # TCGETS
    ("getxattr", (0,), "ENOTSUP"),
    ("openat", (0, 0, 3), "EACCES"),  # neither for reading nor for writing
]

SIGNALS = [
    ("kill", (77, 9), "EPERM"),
    ("kill", (0xFFFFFFFF, 9), "EPERM"),  # -1: everybody
    ("tgkill", (77, 77, 9), "EPERM"),
    ("tgkill", (PID, 78, 9), "allow"),
    ("pidfd_send_signal", (3, 9), "EPERM"),
    ("fcntl", (3, 8, 77), "EPERM"),  # F_SETOWN
    ("fcntl", (3, 15, 77), "EPERM"),  # F_SETOWN_EX
    ("ioctl", (3, 0x8901), "EPERM"),  # FIOSETOWN
]

TRUNCATION = [
    ("truncate", (0, 0), "EACCES"),
    ("openat", (0, 0, 0o1000), "EACCES"),  # O_TRUNC | O_RDONLY
    ("openat", (0, 0, 0o1003), "EACCES"),
    ("openat", (0, 0, 0o1001), "allow"),  # Landlock asks whether it may write
    ("openat", (0, 0, 0o1002), "allow"),
]

MODES = [("fchmod", (3,), "EPERM"), ("fchownat", (3,), "EPERM"), ("utimensat", (3,), "EPERM")]
NO_MODES = [("fchmod", (3,), "allow"), ("fchownat", (3,), "allow"), ("utimensat", (3,), "allow")]
ANY_SOCKET = [("socket", (2, 1), "allow"), ("connect", (3,), "allow"), ("shmget", (0,), "allow")]
NO_TRUNCATION = [("truncate", (0, 0), "allow"), ("openat", (0, 0, 0o1000), "allow")]
NO_SIGNALS = [("kill", (77, 9), "allow"), ("tgkill", (77, 77, 9), "allow")]


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize(
    ("kind", "table"),
    [
        (LIMITS, NO_LOCKS + NO_MODES + NO_TRUNCATION + NO_SIGNALS + ANY_SOCKET),
        (BWRAP, LOCKS + ISOLATED + NAMESPACED + NO_MODES + NO_TRUNCATION + NO_SIGNALS),
        (FilterKind("bwrap", build=True), NO_LOCKS + ISOLATED + NAMESPACED + NO_MODES),
        (LANDLOCK, LOCKS + ISOLATED + BARE + MODES + NO_TRUNCATION + NO_SIGNALS),
        (BUILD, NO_LOCKS + ISOLATED + BARE + NO_MODES),
        (OLD, LOCKS + ISOLATED + BARE + MODES + SIGNALS + TRUNCATION),
    ],
    ids=("limits", "namespaced", "namespaced-builds", "bare", "builds", "old-landlock"),
)
def test_refused_for_an_argument(
    machine: str, kind: FilterKind, table: list[tuple[str, tuple[int, ...], str]]
) -> None:
    """A call is refused for what its argument says, and only for that."""
    for call, arguments, expected in SHARED + table:
        assert verdict(machine, kind, call, *arguments) == expected, (call, arguments)


# what every program does; x86_64, aarch64
DAILY = {
    "read": (0, 63),
    "write": (1, 64),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "futex": (202, 98),
    "execve": (59, 221),
    "sched_getaffinity": (204, 123),
    "wait4": (61, 260),
    "exit_group": (231, 94),
    "getrandom": (318, 278),
    "memfd_create": (319, 279),
    "rseq": (334, 293),
    "prctl": (157, 167),
    "seccomp": (317, 277),
    "pidfd_open": (434, 434),
    "faccessat2": (439, 439),
}


@pytest.mark.parametrize(("machine", "kind"), WHERE)
def test_daily_calls_are_allowed(machine: str, kind: FilterKind) -> None:
    """What no table names is allowed."""
    program = seccomp_program(kind, machine)
    for call, numbers in DAILY.items():
        one = numbers[list(ARCHITECTURES).index(machine)]
        given = judge(program, one, architecture=ARCHITECTURES[machine])
        assert given == ALLOW, call


@pytest.mark.parametrize(("machine", "kind"), WHERE)
def test_no_verdict_takes_long(machine: str, kind: FilterKind) -> None:
    """The kernel tries every number when it loads a filter, so each is to be found quickly."""
    program = seccomp_program(kind, machine)
    architecture = ARCHITECTURES[machine]
    took = [run(program, one, architecture=architecture)[1] for one in range(YOUNGEST + 1)]
    assert max(took) <= 30
    assert sum(took) / len(took) <= 20


@pytest.mark.parametrize(("machine", "kind"), WHERE)
def test_calls_of_another_kind(machine: str, kind: FilterKind) -> None:
    """A call in another machine's numbers ends the process; unknown numbers are not there."""
    program = seccomp_program(kind, machine)
    for other in {I386, *ARCHITECTURES.values()} - {ARCHITECTURES[machine]}:
        assert judge(program, 0, architecture=other) == KILL
    for unknown in (YOUNGEST + 1, 512, 0x40000000, 0x40000000 + 39, 0x7FFFFFFF, -1):
        given = judge(program, unknown, architecture=ARCHITECTURES[machine])
        assert given == ERROR | errno.ENOSYS


@given(
    where=st.sampled_from(WHERE),
    call=st.integers(-1, 600) | st.integers(-(1 << 31), (1 << 31) - 1),
    arguments=st.lists(st.integers(0, (1 << 64) - 1), min_size=6, max_size=6),
)
def test_every_call_gets_a_verdict(
    where: tuple[str, FilterKind], call: int, arguments: list[int]
) -> None:
    """No jump leads outside, and whatever is asked is allowed or refused with an error."""
    machine, kind = where
    program = seccomp_program(kind, machine)
    given = judge(program, call, *arguments, architecture=ARCHITECTURES[machine])
    assert given == ALLOW or given & ~0xFFFF == ERROR


def test_the_upper_half_hides_nothing() -> None:
    """What a rule says of an argument does not depend on bits that the kernel drops."""
    for machine, kind in WHERE:
        program = seccomp_program(kind, machine)
        for entry in denied(kind):
            if entry.argument is None:
                continue
            numbers = [number(call, machine) for call in entry.calls.split()]
            for one, value in itertools.product(numbers, (*entry.only, *entry.never, 0, 77)):
                if one is None:
                    continue
                arguments = [0] * 6
                arguments[entry.argument] = value
                low = judge(program, one, *arguments, architecture=ARCHITECTURES[machine])
                arguments[entry.argument] = value | 0xABCD << 32
                high = judge(program, one, *arguments, architecture=ARCHITECTURES[machine])
                assert low == high, entry


@pytest.mark.parametrize(
    ("path", "pattern", "machine"),
    [
        ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", r"#define __NR_(\w+) (\d+)", X86_64),
        ("/usr/include/asm-generic/unistd.h", r"#define __NR(?:3264)?_(\w+)\s+(\d+)", AARCH64),
    ],
)
def test_numbers_are_the_kernels(path: str, pattern: str, machine: str) -> None:
    """The numbers are those of the kernel's headers."""
    if not Path(path).exists():
        pytest.skip(f"the kernel's headers are not installed: {path}")
    theirs = {name: int(value) for name, value in re.findall(pattern, Path(path).read_text())}
    theirs.pop("syscalls", None)  # how many there are
    youngest = max(theirs.values())
    for call in _NUMBERS:
        ours = number(call, machine)
        if ours is not None and ours > youngest:
            continue  # the headers are older
        assert theirs.get(call) == ours, call


def test_unknown_machine() -> None:
    """For a machine without a table there is no filter, rather than a wrong one."""
    with pytest.raises(OSError, match="riscv64"):
        seccomp_program(BWRAP, machine="riscv64")


def test_a_descriptor_for_each_start() -> None:
    """Every descriptor holds the whole filter, is read from its start, and is not inherited."""
    one, two = seccomp_descriptor(BWRAP), seccomp_descriptor(BWRAP)
    try:
        assert os.read(one, 1 << 16) == seccomp_program(BWRAP)
        assert os.read(two, 1 << 16) == seccomp_program(BWRAP)
        assert not os.get_inheritable(one)
    finally:
        os.close(one)
        os.close(two)
