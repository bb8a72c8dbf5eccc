"""Tests of the system call filter, read as the kernel would."""

from __future__ import annotations

import errno
import itertools
import os
import re
import socket
import struct
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox import seccomp
from arena.sandbox.seccomp import (
    PID,
    FilterKind,
    Refusal,
    _judge,
    denied,
    ends_at_network,
    seccomp_descriptor,
    seccomp_program,
)
from arena.sandbox.system_calls import AARCH64, X86_64, YOUNGEST, number, numbers

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


@pytest.mark.parametrize(("machine", "kind"), WHERE)
def test_a_program_ends_at_the_network(machine: str, kind: FilterKind) -> None:
    """A filter that ends it there differs in nothing else."""
    refuses, architecture = seccomp_program(kind, machine), ARCHITECTURES[machine]
    ends = ends_at_network(refuses)
    assert (ends == refuses) == (kind.level == "limits")
    call, differ = number("socket", machine), set[int]()
    assert call is not None
    for family in range(45):
        before, after = (
            judge(program, call, family, 1, 0, architecture=architecture)
            for program in (refuses, ends)
        )
        if before != after:
            assert (before, after) == (ERROR | errno.EAFNOSUPPORT, KILL)
            differ.add(family)
    isolated = kind.level != "limits"
    assert differ == ({*range(45)} - {socket.AF_UNIX} if isolated else set())
    for other in ("clone3", "ptrace", "openat", "flock"):
        one = number(other, machine)
        assert one is not None
        assert judge(ends, one, 0, 0, 0, architecture=architecture) == judge(
            refuses, one, 0, 0, 0, architecture=architecture
        )


ROWS = yaml.load(Path(__file__).with_name("system_calls.yaml").read_bytes(), yaml.CSafeLoader)
TABLES = [
    (LIMITS, "no_locks no_modes no_truncation no_signals any_socket"),
    (FilterKind("limits", build=True), "builds no_locks no_modes any_socket"),
    (BWRAP, "locks isolated namespaced no_modes no_truncation no_signals"),
    (FilterKind("bwrap", build=True), "builds no_locks isolated namespaced no_modes"),
    (LANDLOCK, "locks isolated bare modes no_truncation no_signals"),
    (BUILD, "builds no_locks isolated bare no_modes"),
    (OLD, "locks isolated bare modes signals truncation"),
]


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize(("kind", "tables"), TABLES)
def test_refused_for_an_argument(machine: str, kind: FilterKind, tables: str) -> None:
    """A call is refused for what its argument says, and only for that."""
    for table in ("shared", *tables.split()):
        for row in ROWS[table]:
            call, *words, expected = row.split()
            arguments = [PID if word == "PID" else int(word, 0) for word in words]
            assert verdict(machine, kind, call, *arguments) == expected, row


@pytest.mark.parametrize(("machine", "kind"), WHERE)
def test_what_no_table_names_is_allowed(machine: str, kind: FilterKind) -> None:
    """So it is for every number, which the kernel tries when it loads a filter: it is quick."""
    program = seccomp_program(kind, machine)
    found = [run(program, one, architecture=ARCHITECTURES[machine]) for one in range(YOUNGEST + 1)]
    took = [steps for _, steps in found]
    assert max(took) <= 30
    assert sum(took) / len(took) <= 20
    refused = {one for one, (given, _) in enumerate(found) if given != ALLOW}
    named = {call for entry in denied(kind) for call in entry.calls.split()}
    assert refused <= {number(call, machine) for call in named}


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
    for call in numbers():
        ours = number(call, machine)
        if ours is not None and ours > youngest:
            continue  # the headers are older
        assert theirs.get(call) == ours, call


def test_conditions_hold_together() -> None:
    """A call is refused for what it must not be, and for what it is not, with or without both."""
    both = Refusal("", 0, mask=0xFF, only=(1, 2, 3), never=(2,), but=(0x102, 9))
    code = [(0x20, 0, 0, 0), *_judge([both])]
    program = b"".join(struct.pack("=HBBI", *each) for each in code)
    allowed = [n for n in range(0x204) if judge(program, 0, n, architecture=0) == ALLOW]
    assert allowed == [1, 3, 9, 0x101, 0x102, 0x103, 0x201, 0x203]


def test_a_name_without_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal of a system call whose number nobody wrote down says where that belongs."""
    monkeypatch.setattr(seccomp, "SHARED", (Refusal("getrandom"),))
    with pytest.raises(AssertionError, match=r"system_calls\.txt.*getrandom"):
        seccomp_program.__wrapped__(LIMITS)


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
