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
def test_memory_of_process_counts_all_its_parts(
    monkeypatch: pytest.MonkeyPatch, kilobytes: tuple[int, ...], expected: int
) -> None:
    """A process counts by its own and shared memory, what is swapped out, and page tables."""

    def read(pid: int, name: str) -> bytes:
        assert (pid, name) == (7, "status")
        return STATUS % kilobytes

    monkeypatch.setattr(procfs, "read", read)
    monkeypatch.setattr(memory, "_memory_files", lambda pid: iter(()))
    tree: Any = SimpleNamespace(members=lambda: [7])
    assert memory.usage(tree, 10**9, 10) == memory.Usage(expected * 1024, 1)


def test_shared_pages_count_once_above_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two processes above the limit each shared page counts once: 60 kB each and 40 kB.

    Both hold 100 kB and map 40 kB, half of it by their share; page tables are 8 kB each.
    """
    rollup = b"Rss:\t140 kB\nPss_Anon:\t50 kB\nPss_Shmem:\t20 kB\nSwapPss:\t10 kB\n"
    texts = {"status": STATUS % (100, 40, 0, 8), "smaps_rollup": rollup}
    monkeypatch.setattr(procfs, "read", lambda pid, name: texts[name])
    monkeypatch.setattr(memory, "_memory_files", lambda pid: iter([((1, 2), 30 * 1024)]))
    tree: Any = SimpleNamespace(members=lambda: [7, 8])
    assert memory.usage(tree, 10**9, 10) == memory.Usage((200 + 16 + 80) * 1024, 2)
    assert memory.usage(tree, 1024, 10) == memory.Usage((2 * 60 + 16 + 40) * 1024, 2)
