"""The system call filter: what a bot may not ask of the kernel, as a program for seccomp.

Namespaces and Landlock leave gaps: sockets that reach the hypervisor, keyrings, large young parts
of the kernel. The tables below close them, each group with its why. A call that no table names is
allowed, and costs nothing: the kernel remembers which numbers a filter always allows.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from arena.sandbox.system_calls import AARCH64, X86_64, YOUNGEST, number

__all__ = ["PID", "Bare", "Group", "Rule", "denied", "seccomp_descriptor", "seccomp_program"]

PID = 0x7FFFA11E  # stands for the process id that only the process itself can fill in

AF_UNIX = 1
WORD = 0xFFFFFFFF


class Group(NamedTuple):
    """Calls that are refused whatever their arguments are."""

    why: str
    calls: tuple[str, ...]
    error: int = errno.EPERM


class Rule(NamedTuple):
    """A call that is refused for the value of one argument.

    Attributes:
        why: what it is about.
        call: the name of the system call.
        argument: which, from 0.
        mask: the bits of it that are looked at. The kernel itself takes these arguments as 32 bits
            and drops the rest, so the upper half must not be able to hide what the lower half says.
        only: after masking it must be one of these, if there are any.
        never: after masking it must be none of these.
        error: what the caller is told.
    """

    why: str
    call: str
    argument: int
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
    Group(
        "it looks into other processes, or steers them",
        (
            *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise"),
            *("process_mrelease", "kcmp", "pidfd_getfd", "move_pages", "migrate_pages"),
            *("perf_event_open", "lookup_dcookie"),
        ),
    ),
    Group(
        "in a namespace of its own it would be root, and meet far more of the kernel",
        ("unshare", "setns"),
    ),
    Group(
        "it could see other files in place of those it is shown",
        (
            *("mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen"),
            *("fsconfig", "fsmount", "fspick", "mount_setattr"),
        ),
    ),
    Group(
        "a handle opens a file by its number, past every folder on its way",
        ("name_to_handle_at", "open_by_handle_at"),
    ),
    Group(
        "keyrings belong to the user, not to the namespace: a bot could leave itself notes",
        ("add_key", "request_key", "keyctl"),
    ),
    Group(
        "System V's and POSIX's queues and memory outlive a process; nobody counts what they hold",
        (
            *("shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semtimedop", "semctl"),
            *("msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "mq_timedsend"),
            *("mq_timedreceive", "mq_notify", "mq_getsetattr"),
        ),
    ),
    Group(
        "large parts of the kernel that no bot needs, where its holes have been",
        (
            *("io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "userfaultfd"),
            *("fanotify_init", "fanotify_mark", "mbind", "set_mempolicy"),
            *("set_mempolicy_home_node", "modify_ldt"),
        ),
    ),
    Group(
        "it is about the machine, not about a program",
        (
            *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"),
            *("reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog"),
            *("sethostname", "setdomainname", "settimeofday", "clock_settime", "clock_adjtime"),
            *("ioperm", "iopl", "vhangup"),
        ),
    ),
    Group(
        "a bot stays on the cores of its worker: another core may be where another match plays",
        ("sched_setaffinity",),
    ),
    Group(
        "its flags lie in memory, where a filter cannot look; programs go on to use clone",
        ("clone3",),
        errno.ENOSYS,
    ),
    Rule("a new namespace of any kind, as with unshare", "clone", 0, mask=0x7E020000, only=(0,)),
    Rule(
        "TIOCSTI and TIOCLINUX type into the terminal of whoever started the arena",
        *("ioctl", 1),
        never=(0x5412, 0x541C),
    ),
    Rule(
        "no randomness of addresses, old behaviours; to ask which is set is fine",
        *("personality", 0),
        only=(0xFFFFFFFF,),
    ),
)

NAMESPACED = (
    Rule(
        "of all sockets only Unix ones: vsock reaches the hypervisor, netlink the kernel",
        *("socket", 0),
        only=(AF_UNIX,),
        error=errno.EAFNOSUPPORT,
    ),
    Rule("as with socket", "socketpair", 0, only=(AF_UNIX,), error=errno.EAFNOSUPPORT),
)

BARE = (
    Rule(
        "the network is not closed otherwise",
        *("socket", 0),
        only=(AF_UNIX,),
        error=errno.EAFNOSUPPORT,
    ),
    Group(
        "a Unix socket reaches the session bus, the agent of ssh, docker: the user's own powers",
        ("socket", "connect", "bind"),
        errno.EACCES,
    ),
    Rule("a pair is fine", "socketpair", 0, only=(AF_UNIX,), error=errno.EAFNOSUPPORT),
    Rule(
        "of a pair, only SOCK_STREAM and SOCK_SEQPACKET: a datagram can be sent to any other",
        *("socketpair", 1),
        mask=0xF,
        only=(1, 5),
        error=errno.EACCES,
    ),
    Group("Landlock does not stop it from watching what happens to files", ("inotify_add_watch",)),
    Group(
        "its flags lie in memory, where a filter cannot look; programs go on to use openat",
        ("openat2",),
        errno.ENOSYS,
    ),
    Rule(
        "PR_SET_CHILD_SUBREAPER: what leaves its parent must stay below the bot, to be counted",
        *("prctl", 0),
        never=(36,),
    ),
    Rule(
        "CLONE_PARENT: likewise; what its first process starts so is our child, beside the bot",
        *("clone", 0),
        mask=0x8000,
        only=(0,),
    ),
    Rule(
        "FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, …_SETVERSION: notes to itself on its own files",
        *("ioctl", 1),
        never=(0x40086602, 0x401C5820, 0x40087602, 0x40086604),
    ),
    Group(
        "Landlock does not watch over who reads attributes of files",
        ("getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr"),
        errno.EOPNOTSUPP,
    ),
    # other processes of the same user: limits, priorities
    Rule("another's limits", "prlimit64", 0, only=(0,)),
    Rule("all processes of a user (PRIO_USER)", "setpriority", 0, never=(2,)),
    Rule("another's priority", "setpriority", 1, only=(0,)),
    Rule("all processes of a user (IOPRIO_WHO_USER)", "ioprio_set", 0, never=(3,)),
    Rule("another's priority at the disk", "ioprio_set", 1, only=(0,)),
    Rule("another's scheduling", "sched_setscheduler", 0, only=(0,)),
    Rule("another's scheduling", "sched_setparam", 0, only=(0,)),
    Rule("another's scheduling", "sched_setattr", 0, only=(0,)),
    # access mode 3 opens for ioctl alone, which Landlock takes for neither reading nor writing
    Rule("neither reading nor writing", "open", 1, mask=3, never=(3,), error=errno.EACCES),
    Rule("neither reading nor writing", "openat", 2, mask=3, never=(3,), error=errno.EACCES),
)

MODES = (
    Group(
        "Landlock does not watch over modes, owners, times and attributes of files",
        (
            *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchown", "fchownat"),
            *("utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr"),
            *("removexattr", "lremovexattr", "fremovexattr"),
        ),
    ),
)

TRUNCATION = (
    Group("Landlock before ABI 3 does not watch over truncation", ("truncate",), errno.EACCES),
    # O_TRUNC with O_RDONLY truncates, too; with the others, Landlock asks whether it may write
    Rule("as truncate", "open", 1, mask=0x203, never=(0x200, 0x203), error=errno.EACCES),
    Rule("as truncate", "openat", 2, mask=0x203, never=(0x200, 0x203), error=errno.EACCES),
)

SIGNALS = (
    Rule("Landlock before ABI 6 lets signals out", "kill", 0, only=(0, PID)),
    Rule("as kill", "tkill", 0, only=(PID,)),
    Rule("as kill", "tgkill", 0, only=(PID,)),
    Rule("as kill", "rt_sigqueueinfo", 0, only=(PID,)),
    Rule("as kill", "rt_tgsigqueueinfo", 0, only=(PID,)),
    Group("as kill", ("pidfd_send_signal",)),
    Rule("F_SETOWN, F_SETOWN_EX: who gets the signal of a file", "fcntl", 1, never=(8, 15)),
    Rule("FIOSETOWN, SIOCSPGRP: the same", "ioctl", 1, never=(0x8901, 0x8902)),
)


def denied(bare: Bare | None = None) -> tuple[Group | Rule, ...]:
    """Return all that a filter refuses, in the order in which it looks.

    Args:
        bare: what a bot without namespaces is refused besides; ``None``: it is inside namespaces.
    """
    if bare is None:
        return EVERYWHERE + NAMESPACED
    tables: tuple[Group | Rule, ...] = EVERYWHERE + BARE
    if not bare.modes:
        tables += MODES
    if bare.truncation:
        tables += TRUNCATION
    if bare.signals:
        tables += SIGNALS
    return tables


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
    code = [*_start(_ARCHITECTURES[machine])]
    for entry in denied(bare):
        code += _refuse(entry, machine) if isinstance(entry, Group) else _look(entry, machine)
    code.append(_give(_ALLOW))
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
_JUMP = 0x05
_IF_EQUAL = 0x15
_IF_ABOVE = 0x25
_RETURN = 0x06

_NUMBER_AT = 0
_ARCHITECTURE_AT = 4
_ARGUMENTS_AT = 16  # 8 bytes each, the lower half first

Instruction = tuple[int, int, int, int]  # code, how many to skip if true, if not, a constant


def _start(architecture: int) -> Iterator[Instruction]:
    """Yield what comes first: only calls of this machine's own kind, and only those we know of."""
    yield (_LOAD, 0, 0, _ARCHITECTURE_AT)
    yield (_IF_EQUAL, 1, 0, architecture)
    yield _give(_KILL_PROCESS)  # such as a 32-bit program's, whose numbers mean something else
    yield (_LOAD, 0, 0, _NUMBER_AT)
    yield (_IF_ABOVE, 0, 1, YOUNGEST)  # x32's numbers as well: they begin at 0x40000000
    yield _give(_ERROR | errno.ENOSYS)


def _refuse(group: Group, machine: str) -> Iterator[Instruction]:
    numbers = [n for call in group.calls if (n := number(call, machine)) is not None]
    for place, one in enumerate(numbers):
        yield (_IF_EQUAL, len(numbers) - place, 0, one)
    yield (_JUMP, 0, 0, 1)
    yield _give(_ERROR | group.error)


def _look(rule: Rule, machine: str) -> Iterator[Instruction]:
    """Yield instructions that begin and end with the call's number in the accumulator."""
    assert bool(rule.only) != bool(rule.never)
    one = number(rule.call, machine)
    if one is None:
        return
    values = rule.only or rule.never
    body: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * rule.argument)]
    if rule.mask != WORD:
        body.append((_AND, 0, 0, rule.mask))
    # a value that is met leads past the refusal, or to it
    body += [(_IF_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    if rule.never:
        body.append((_JUMP, 0, 0, 1))
    body.append(_give(_ERROR | rule.error))
    body.append((_LOAD, 0, 0, _NUMBER_AT))
    yield (_IF_EQUAL, 0, len(body), one)
    yield from body


def _give(verdict: int) -> Instruction:
    return (_RETURN, 0, 0, verdict)
