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

__all__ = ["PID", "Bare", "Refusal", "denied", "seccomp_descriptor", "seccomp_program"]

PID = 0x7FFFA11E  # stands for the process id that only the process itself can fill in

SEARCHED = 8  # so many numbers are asked for in turn
AF_UNIX = 1
WORD = 0xFFFFFFFF


class Refusal(NamedTuple):
    """Calls that are refused, always or for the value of one argument.

    Attributes:
        calls: the names of the system calls, with spaces between them.
        argument: which argument is looked at, from 0; none: they are refused whatever they are.
        mask: the bits of it that are looked at. The kernel itself takes these arguments as 32 bits
            and drops the rest, so the upper half must not be able to hide what the lower half says.
        only: after masking it must be one of these, if there are any.
        never: after masking it must be none of these.
        error: what the caller is told.
    """

    calls: str
    argument: int | None = None
    mask: int = WORD
    only: tuple[int, ...] = ()
    never: tuple[int, ...] = ()
    error: int = errno.EPERM


class Bare(NamedTuple):
    """What a bot without namespaces must be refused besides, for what its Landlock leaves open.

    Attributes:
        signals: does nothing else keep its signals inside? (Landlock before ABI 6)
        truncation: does nothing else watch over truncation? (Landlock before ABI 3)
        modes: may it change modes, owners and times of files? A compiler does.
    """

    signals: bool = False
    truncation: bool = False
    modes: bool = False


EVERYWHERE = (
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
        "io_uring_setup io_uring_enter io_uring_register bpf userfaultfd fanotify_init "
        "fanotify_mark mbind set_mempolicy set_mempolicy_home_node modify_ldt"
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
    # no randomness of addresses, old behaviours; to ask which is set is fine
    Refusal("personality", 0, only=(0xFFFFFFFF,)),
    # of all sockets only Unix ones: vsock reaches the hypervisor, netlink the kernel
    Refusal("socket socketpair", 0, only=(AF_UNIX,), error=errno.EAFNOSUPPORT),
)

BARE = (
    # a Unix socket reaches the session bus, the agent of ssh, docker: the user's own powers
    Refusal("socket connect bind", error=errno.EACCES),
    # of a pair, only SOCK_STREAM and SOCK_SEQPACKET: a datagram can be sent to any other
    Refusal("socketpair", 1, mask=0xF, only=(1, 5), error=errno.EACCES),
    # Landlock does not stop it from watching what happens to files
    Refusal("inotify_add_watch"),
    # its flags lie in memory, where a filter cannot look; programs go on to use openat
    Refusal("openat2", error=errno.ENOSYS),
    # PR_SET_CHILD_SUBREAPER: what leaves its parent must stay below the bot, to be counted
    Refusal("prctl", 0, never=(36,)),
    # CLONE_PARENT: likewise; what its first process starts so is our child, beside the bot
    Refusal("clone", 0, mask=0x8000, only=(0,)),
    # FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, …_SETVERSION: notes to itself on its own files
    Refusal("ioctl", 1, never=(0x40086602, 0x401C5820, 0x40087602, 0x40086604)),
    # Landlock does not watch over who reads attributes of files
    Refusal("getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr", error=errno.EOPNOTSUPP),
    # limits, scheduling and priorities of other processes, or of all of a user (PRIO_USER,
    # IOPRIO_WHO_USER)
    Refusal("prlimit64 sched_setscheduler sched_setparam sched_setattr", 0, only=(0,)),
    Refusal("setpriority ioprio_set", 1, only=(0,)),
    Refusal("setpriority", 0, never=(2,)),
    Refusal("ioprio_set", 0, never=(3,)),
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


def denied(bare: Bare | None = None) -> tuple[Refusal, ...]:
    """Return all that a filter refuses, in the order in which it looks.

    Args:
        bare: what a bot without namespaces is refused besides; ``None``: it is inside namespaces.
    """
    if bare is None:
        return EVERYWHERE
    return (
        EVERYWHERE
        + BARE
        + (() if bare.modes else MODES)
        + (TRUNCATION if bare.truncation else ())
        + (SIGNALS if bare.signals else ())
    )


@lru_cache(maxsize=8)
def seccomp_program(bare: Bare | None = None, machine: str | None = None) -> bytes:
    """Return the filter as the kernel takes it: instructions of classic BPF, 8 bytes each.

    Args:
        bare: what a bot without namespaces is refused besides; ``None``: it is inside namespaces.
            With ``bare.signals``, whoever loads the program first puts its own process id wherever
            ``PID`` stands.
        machine: ``x86_64`` or ``aarch64``; this one, if not given.

    Raises:
        OSError: there is no filter for this machine.
    """
    machine = platform.machine() if machine is None else machine
    if machine not in _ARCHITECTURES or sys.byteorder != "little":
        raise OSError(errno.ENOSYS, f"there is no system call filter for {machine}")
    refusals: dict[int, tuple[Refusal, ...]] = {}
    for refusal in denied(bare):
        rule = refusal._replace(calls="")
        for call in refusal.calls.split():
            one = number(call, machine)
            if one is not None:
                refusals[one] = (*refusals.get(one, ()), rule)
    code = _start(_ARCHITECTURES[machine]) + _search(sorted(refusals.items()))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def seccomp_descriptor() -> int:
    """Return a new descriptor from which bubblewrap reads the filter; the caller closes it.

    Each start needs its own: two that shared one would share how far they have read.

    Raises:
        OSError: no descriptor is left, or there is no filter for this machine.
    """
    program = seccomp_program()
    descriptor = os.memfd_create("arena-filter")
    try:
        os.pwrite(descriptor, program, 0)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


# the kernel's words (linux/audit.h, linux/seccomp.h, linux/bpf_common.h)

_ARCHITECTURES = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}

_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERROR = 0x00050000

_LOAD = 0x20  # a word of what seccomp tells: the number, the architecture, the arguments
_AND = 0x54
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
        return [(_IF_ABOVE, len(below), 0, last), *below, *_search(refusals[middle:])]
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
        code += [
            (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * rule.argument),
            (_AND, 0, 0, rule.mask),
            *(_if_one_of(rule.never, refusal) or _unless(rule.only, refusal)),
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
    """Return what runs ``body`` if the accumulator is none of some values."""
    past = len(values) - 1 + len(body)
    return [*((_IF_EQUAL, past - place, 0, one) for place, one in enumerate(values)), *body]


def _give(verdict: int) -> Instruction:
    return (_RETURN, 0, 0, verdict)
