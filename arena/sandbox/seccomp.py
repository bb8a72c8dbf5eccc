"""The system call filter: what a bot may not ask of the kernel, as a program for seccomp.

Namespaces and Landlock leave gaps: sockets that reach the hypervisor, keyrings, large young parts
of the kernel. The tables below close them, and say why. A call that no table names is
allowed, and costs nothing: the kernel remembers which numbers a filter always allows. To find out,
it runs the filter for every number there is when that is loaded, which is most of what loading
takes. So a filter searches for a call's number; to ask for each in turn took three times as long.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.sandbox.system_calls import AARCH64, X86_64, YOUNGEST, number

PID = 0x7FFFA11E  # stands for the process id that only the process itself can fill in

SEARCHED = 8  # so many numbers are asked for in turn
MOST_SKIPPED = 255  # so many instructions can a condition skip
AF_UNIX = 1
WORD = 0xFFFFFFFF


class Refusal(NamedTuple):
    """Calls that are refused, always or for the value of one argument.

    Attributes:
        calls: the names of the system calls, with spaces between them; each of them has its numbers
            in ``system_calls.txt``.
        argument: which argument is looked at, from 0; none: they are refused whatever they are.
        mask: the bits of it that are looked at. The kernel itself takes these arguments as 32 bits
            and drops the rest, so the upper half must not be able to hide what the lower half says.
        only: after masking it must be one of these, if there are any.
        never: after masking it must be none of these, also if there is an ``only``.
        but: before masking: these are not refused, whatever ``only`` and ``never`` say.
        error: what the caller gets. 0: the call seems to succeed, and does nothing.
    """

    calls: str
    argument: int | None = None
    mask: int = WORD
    only: tuple[int, ...] = ()
    never: tuple[int, ...] = ()
    but: tuple[int, ...] = ()
    error: int = errno.EPERM


class FilterKind(NamedTuple):
    """What a filter is for.

    Attributes:
        level: ``bwrap``, ``landlock`` or ``limits``.
        build: is it a build step? It may lock files, and change their modes, owners and times; it
            may not take room on the disk without writing to it.
        signals: does nothing else keep its signals inside? (Landlock before ABI 6)
        truncation: does nothing else watch over truncation? (Landlock before ABI 3)
    """

    level: str
    build: bool = False
    signals: bool = False
    truncation: bool = False


# fcntl.h: of descriptors, flags, locks, signals, pipes and seals; and to ask whether two are the
# same. Others are leases and notifications, or hints that stay with the file (F_SET_RW_HINT)
_FCNTL = (*range(12), 15, 16, 36, 37, 38, 1027, *range(1030, 1035))

SHARED = (
    # a lease makes all others wait who open the file; a notification says what others open
    Refusal("fcntl", 1, only=_FCNTL, error=errno.EINVAL),
    # F_SETPIPE_SZ: all who have a pipe open can ask for its size
    Refusal("fcntl", 1, never=(1031,)),
    Refusal("inotify_init inotify_init1 inotify_add_watch"),
    # to drop files from memory (POSIX_FADV_DONTNEED; MADV_COLD, MADV_PAGEOUT), or to ask which
    # are there (RWF_NOWAIT, also by io_submit): notes from match to match
    Refusal("fadvise64", 3, never=(4,)),
    Refusal("madvise", 2, never=(20, 21), error=errno.EINVAL),
    Refusal("preadv2 pwritev2", 5, only=(0,), error=errno.EOPNOTSUPP),
    Refusal("mincore cachestat io_setup io_submit", error=errno.ENOSYS),
    # MADV_MERGEABLE, MADV_COLLAPSE, PR_SET_MEMORY_MERGE: pages that it shares with others
    Refusal("madvise", 2, never=(12, 25), error=errno.EINVAL),
    Refusal("prctl", 0, never=(67,)),
    # which names the kernel has in memory (RESOLVE_CACHED); its flags lie in memory, where a
    # filter cannot look; programs go on to use openat
    Refusal("openat2", error=errno.ENOSYS),
    # who lowers itself waits for a CPU without being charged
    Refusal("sched_setscheduler sched_setparam sched_setattr setpriority ioprio_set"),
    # PR_SCHED_CORE: nobody else may use the other half of its core
    Refusal("prctl", 0, never=(62,)),
    # memory that nobody outside can see: PR_SET_DUMPABLE hides its files
    Refusal("prctl", 0, never=(4,)),
    Refusal("memfd_secret", error=errno.ENOSYS),
    # they hold the lock of a pipe for as long as they wait, and with its own pipe a bot would put
    # whoever writes to it into a sleep that nothing ends; programs go on to read and write
    Refusal("splice tee vmsplice sendfile", error=errno.EINVAL),
    # its requests can do both: ask what is in memory, and splice
    Refusal("io_uring_setup io_uring_enter io_uring_register"),
)

BUILDS = (
    # all of a disk at once; the C library and programs go on to write what they need
    Refusal("fallocate", error=errno.EOPNOTSUPP),
)

LOCKS = (
    # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW: locks on files that others can read, too, are
    # notes for them. It is as if each were granted: a bot has no file that others write to
    Refusal("flock", error=0),
    Refusal("fcntl", 1, never=(6, 7, 37, 38), error=0),
)

ISOLATED = (
    # it looks into other processes, or steers them
    Refusal(
        "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease "
        "kcmp pidfd_getfd move_pages migrate_pages perf_event_open lookup_dcookie"
    ),
    # in a namespace of its own it would be root, and meet far more of the kernel
    Refusal("unshare setns"),
    # it could see other files in place of those it is shown
    Refusal(
        "mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount "
        "fspick mount_setattr"
    ),
    # a handle opens a file by its number, past every folder on its way
    Refusal("name_to_handle_at open_by_handle_at"),
    # keyrings belong to the user, not to the namespace: a bot could leave itself notes
    Refusal("add_key request_key keyctl"),
    # System V's and POSIX's queues and memory outlive a process; nobody counts what they hold
    Refusal(
        "shmget shmat shmctl shmdt semget semop semtimedop semctl msgget msgsnd msgrcv "
        "msgctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr"
    ),
    # large parts of the kernel that no bot needs, where its holes have been
    Refusal(
        "bpf userfaultfd fanotify_init fanotify_mark mbind set_mempolicy "
        "set_mempolicy_home_node modify_ldt"
    ),
    # it is about the machine, not about a program
    Refusal(
        "kexec_load kexec_file_load init_module finit_module delete_module reboot "
        "swapon swapoff acct quotactl quotactl_fd syslog sethostname setdomainname "
        "settimeofday clock_settime clock_adjtime ioperm iopl vhangup"
    ),
    # a bot stays on the cores of its worker: another core may be where another match plays
    Refusal("sched_setaffinity"),
    # its flags lie in memory, where a filter cannot look; programs go on to use clone
    Refusal("clone3", error=errno.ENOSYS),
    # a new namespace of any kind, as with unshare
    Refusal("clone", 0, mask=0x7E020000, only=(0,)),
    # TIOCSTI and TIOCLINUX type into the terminal from which the arena was started
    Refusal("ioctl", 1, never=(0x5412, 0x541C)),
    # requests to file systems ('f', 'v', 'X', 0x94): notes on its own files, keys of a disk
    Refusal("ioctl", 1, mask=0xFF00, never=(0x6600, 0x7600, 0x5800, 0x9400), error=errno.ENOTTY),
    # no randomness of addresses, old behaviours; to ask which is set is fine
    Refusal("personality", 0, only=(0xFFFFFFFF,)),
    # of all sockets only Unix ones: vsock reaches the hypervisor, netlink the kernel
    Refusal("socket socketpair", 0, only=(AF_UNIX,), error=errno.EAFNOSUPPORT),
    # limits of other processes; bubblewrap's own first process is one
    Refusal("prlimit64", 0, only=(0,)),
)

BARE = (
    # a Unix socket reaches the session bus, the agent of ssh, docker: the user's own powers
    Refusal("socket connect bind", error=errno.EACCES),
    # of a pair, only SOCK_STREAM and SOCK_SEQPACKET: a datagram can be sent to any other
    Refusal("socketpair", 1, mask=0xF, only=(1, 5), error=errno.EACCES),
    # PR_SET_CHILD_SUBREAPER: what leaves its parent must stay below the bot, to be counted
    Refusal("prctl", 0, never=(36,)),
    # CLONE_PARENT: likewise; what its first process starts so is our child, beside the bot
    Refusal("clone", 0, mask=0x8000, only=(0,)),
    # Landlock does not watch over who reads attributes of files
    Refusal("getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr", error=errno.EOPNOTSUPP),
    # the CPU time of others: a negative clock is one of a process, or, with bit 2, of a thread of
    # its own; -6 is its own CPU time, which the C library asks for
    Refusal(
        "clock_gettime clock_getres clock_nanosleep timer_create",
        0,
        mask=0x80000004,
        never=(0x80000000,),
        but=(-6 & WORD,),
        error=errno.EINVAL,
    ),
    # whose processes belong together, and how they are scheduled, which a program asks of itself
    # by 0: to find out its own process id here took 45 µs a start. ENOSYS is what the C library
    # takes for an answer when it asks about threads
    Refusal("getsid getpgid", 0, only=(0, PID)),
    Refusal("getpriority ioprio_get", 1, only=(0, PID)),
    Refusal(
        "sched_getaffinity sched_getscheduler sched_getparam sched_getattr sched_rr_get_interval",
        0,
        only=(0,),
        error=errno.ENOSYS,
    ),
    # access mode 3 opens for ioctl alone, which Landlock takes for neither reading nor writing
    Refusal("open", 1, mask=3, never=(3,), error=errno.EACCES),
    Refusal("openat", 2, mask=3, never=(3,), error=errno.EACCES),
)

MODES = (
    # Landlock does not watch over modes, owners, times and attributes of files
    Refusal(
        "chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes "
        "futimesat utimensat setxattr lsetxattr fsetxattr removexattr lremovexattr "
        "fremovexattr"
    ),
)

TRUNCATION = (
    # Landlock before ABI 3 does not watch over truncation
    Refusal("truncate", error=errno.EACCES),
    # O_TRUNC with O_RDONLY truncates, too; with the others, Landlock asks whether it may write
    Refusal("open", 1, mask=0x203, never=(0x200, 0x203), error=errno.EACCES),
    Refusal("openat", 2, mask=0x203, never=(0x200, 0x203), error=errno.EACCES),
)

SIGNALS = (
    # Landlock before ABI 6 lets signals out
    Refusal("kill", 0, only=(0, PID)),
    Refusal("tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo", 0, only=(PID,)),
    Refusal("pidfd_send_signal"),
    # F_SETOWN, F_SETOWN_EX: who gets the signal of a file
    Refusal("fcntl", 1, never=(8, 15)),
    # FIOSETOWN, SIOCSPGRP: the same
    Refusal("ioctl", 1, never=(0x8901, 0x8902)),
)


def denied(kind: FilterKind) -> tuple[Refusal, ...]:
    """Return all that a filter refuses, in the order in which it looks."""
    shared = SHARED + (BUILDS if kind.build else ())
    if kind.level == "limits":
        return shared
    refusals = shared + (() if kind.build else LOCKS) + ISOLATED
    if kind.level == "bwrap":
        return refusals
    return (
        refusals
        + BARE
        + (() if kind.build else MODES)
        + (TRUNCATION if kind.truncation else ())
        + (SIGNALS if kind.signals else ())
    )


@lru_cache(maxsize=8)
def seccomp_program(kind: FilterKind, machine: str | None = None) -> bytes:
    """Return the filter as the kernel takes it: instructions of classic BPF, 8 bytes each.

    Args:
        kind: what it is for. With ``kind.signals``, the process that loads the program first puts
            its own process id in the place of ``PID``.
        machine: ``x86_64`` or ``aarch64``; this one, if not given.

    Raises:
        OSError: there is no filter for this machine.
    """
    machine = platform.machine() if machine is None else machine
    if machine not in _ARCHITECTURES or sys.byteorder != "little":
        raise OSError(errno.ENOSYS, f"there is no system call filter for {machine}")
    refusals: dict[int, tuple[Refusal, ...]] = {}
    for refusal in denied(kind):
        rule = refusal._replace(calls="")
        for call in refusal.calls.split():
            one = number(call, machine)
            if one is not None:
                refusals[one] = (*refusals.get(one, ()), rule)
    code = _start(_ARCHITECTURES[machine]) + _search(sorted(refusals.items()))
    return b"".join(struct.pack(_CODE, *instruction) for instruction in code)


def seccomp_descriptor(kind: FilterKind) -> int:
    """Return a new descriptor from which bubblewrap reads a filter; the caller closes it.

    Each start needs its own: two that shared one would share how far they have read.

    Raises:
        OSError: no descriptor is left, or there is no filter for this machine.
    """
    program = seccomp_program(kind)
    descriptor = os.memfd_create("arena-filter")
    try:
        os.pwrite(descriptor, program, 0)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def ends_at_network(program: bytes) -> bytes:
    """Return a filter that kills a program which opens a socket, instead of refusing the call.

    A filter cannot count calls. The signal, which a program can neither catch nor block, shows that
    the program tried to reach the network.
    """
    refusal, end = _give(_ERROR | errno.EAFNOSUPPORT), _give(_KILL_PROCESS)
    return program.replace(struct.pack(_CODE, *refusal), struct.pack(_CODE, *end))


# the kernel's words (linux/audit.h, linux/seccomp.h, linux/bpf_common.h)

_ARCHITECTURES = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}

_CODE = "=HBBI"  # struct sock_filter
_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERROR = 0x00050000

_LOAD = 0x20  # a word of what seccomp tells: the number, the architecture, the arguments
_AND = 0x54
_SKIP = 0x05
_IF_EQUAL = 0x15
_IF_ABOVE = 0x25
_RETURN = 0x06

_NUMBER_AT = 0
_ARCHITECTURE_AT = 4
_ARGUMENTS_AT = 16  # 8 bytes each, the lower half first

Instruction = tuple[int, int, int, int]  # code, how many to skip if true, if not, a constant


def _start(architecture: int) -> list[Instruction]:
    """Return what comes first: only calls of this machine's own kind, and only those we know of."""
    return [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_IF_EQUAL, 1, 0, architecture),
        _give(_KILL_PROCESS),  # such as a 32-bit program's, whose numbers mean something else
        (_LOAD, 0, 0, _NUMBER_AT),
        (_IF_ABOVE, 0, 1, YOUNGEST),  # x32's numbers as well: they begin at 0x40000000
        _give(_ERROR | errno.ENOSYS),
    ]


def _search(refusals: Sequence[tuple[int, tuple[Refusal, ...]]]) -> list[Instruction]:
    """Return instructions that judge the call whose number is in the accumulator.

    Args:
        refusals: numbers in rising order, each with what is refused of that call.
    """
    if len(refusals) > SEARCHED:
        middle = len(refusals) // 2
        below = _search(refusals[:middle])
        last, _ = refusals[middle - 1]
        skip = [(_IF_ABOVE, len(below), 0, last)]
        if len(below) > MOST_SKIPPED:
            skip = [(_IF_ABOVE, 0, 1, last), (_SKIP, 0, 0, len(below))]
        return [*skip, *below, *_search(refusals[middle:])]
    alike: dict[tuple[Refusal, ...], list[int]] = {}
    for one, rules in refusals:
        alike.setdefault(rules, []).append(one)
    code = []
    for rules, numbers in alike.items():
        code += _if_one_of(numbers, _judge(rules))
    return [*code, _give(_ALLOW)]


def _judge(rules: Sequence[Refusal]) -> list[Instruction]:
    """Return instructions that give a verdict on a call for which there are these rules."""
    code: list[Instruction] = []
    for rule in rules:
        refusal = [_give(_ERROR | rule.error)]
        if rule.argument is None:
            return code + refusal
        tests = [
            *([(_AND, 0, 0, rule.mask)] if rule.mask != WORD else ()),
            *_if_one_of(rule.never, refusal),
            *(_unless(rule.only, refusal) if rule.only else ()),
        ]
        code += [
            (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * rule.argument),
            *_unless(rule.but, tests),
        ]
    return [*code, _give(_ALLOW)]


def _if_one_of(values: Sequence[int], body: list[Instruction]) -> list[Instruction]:
    """Return what runs ``body`` if the accumulator is one of some values, nothing for no values."""
    if not values:
        return []
    *others, last = values
    tests = [(_IF_EQUAL, len(others) - place, 0, one) for place, one in enumerate(others)]
    return [*tests, (_IF_EQUAL, 0, len(body), last), *body]


def _unless(values: Sequence[int], body: list[Instruction]) -> list[Instruction]:
    """Return what runs ``body`` if the accumulator is none of some values, as with no values."""
    past = len(values) - 1 + len(body)
    return [*((_IF_EQUAL, past - place, 0, one) for place, one in enumerate(values)), *body]


def _give(verdict: int) -> Instruction:
    return (_RETURN, 0, 0, verdict)
