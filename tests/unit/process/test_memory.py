"""What counts as a bot's memory, from what the kernel says of its processes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from arena.machine import procfs
from arena.process import memory

STATUS = b"Name:\tbot\nRssAnon:\t%d kB\nRssShmem:\t%d kB\nVmSwap:\t%d kB\nVmPTE:\t%d kB\n"


@pytest.mark.parametrize(
    ("kilobytes", "expected"),
    [
        ((100, 0, 0, 0), 100),
        ((100, 0, 300, 0), 400),  # what is swapped out is held as well
        ((100, 50, 0, 8), 158),
    ],
)
def test_parts_of_a_process(
    monkeypatch: pytest.MonkeyPatch, kilobytes: tuple[int, ...], expected: int
) -> None:
    """Its own memory, what it shares in memory, what is swapped out, and its page tables."""

    def read(pid: int, name: str) -> bytes:
        assert (pid, name) == (7, "status")
        return STATUS % kilobytes

    monkeypatch.setattr(procfs, "read", read)
    monkeypatch.setattr(memory, "_memory_files", lambda pid: iter(()))
    tree: Any = SimpleNamespace(members=lambda: [7])
    assert memory.usage(tree, 10**9, 10) == memory.Usage(expected * 1024, 1)
