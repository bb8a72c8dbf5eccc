"""Numbers of the system calls that our filters speak of, on the machines they are written for.

From Linux's ``arch/x86/entry/syscalls/syscall_64.tbl`` and ``include/uapi/asm-generic/unistd.h``,
which is what aarch64 uses. A number never changes its meaning. They are in ``system_calls.txt``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

X86_64 = "x86_64"
AARCH64 = "aarch64"
YOUNGEST = 456  # futex_requeue, Linux 6.7: what came later no filter here has looked at
TABLE = Path(__file__).with_suffix(".txt")


@cache
def numbers() -> dict[str, dict[str, str]]:
    """Return the numbers of each call by machine; ``-``: that machine never had it."""
    rows = [row.split() for row in TABLE.read_text("ascii").splitlines() if row[:1] != "#"]
    return {name: {X86_64: x86_64, AARCH64: aarch64} for name, x86_64, aarch64 in rows}


def number(call: str, machine: str) -> int | None:
    """Return a call's number on a machine, ``None`` if that machine never had it."""
    assert call in numbers(), f"{TABLE.name} has no system call {call!r}"
    word = numbers()[call][machine]
    return None if word == "-" else int(word)
