"""How much memory a machine has, is free, and what the kernel has ended for want of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.fake_groups import MOUNT

from arena.process import machine_memory
from arena.process.machine_memory import (
    free_part,
    kernel_kills,
    recent_kernel_kills,
    total_bytes,
)

MS = 1_000_000


def machine(root: Path, files: dict[str, str], mount: str = MOUNT) -> Path:
    """Write a machine of 4000 kB where the kernel has ended 9, with a group ``a/b`` of ours."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/meminfo").write_text(
        "MemTotal:    4000 kB\nMemFree: 100 kB\nMemAvailable:   3000 kB\n"
    )
    (root / "proc/vmstat").write_text("nr_free 5\noom_kill 9\n")
    (root / "proc/self/mountinfo").write_text(mount)
    (root / "proc/self/cgroup").write_text("0::/a/b\n")
    (root / "sys/fs/cgroup/a/b").mkdir(parents=True)
    for name, text in files.items():
        (root / "sys/fs/cgroup" / name).write_text(text)
    return root


def test_kernel_kills_are_counted_in_own_group(tmp_path: Path) -> None:
    """Kills for want of memory are those of the arena's own control group, if it counts them."""
    assert kernel_kills(machine(tmp_path / "one", {})) == 9
    events = {"a/b/memory.events": "low 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 0\n"}
    assert kernel_kills(machine(tmp_path / "two", events)) == 2


def group(folder: str, most: str, current: str, stat: str) -> dict[str, str]:
    """Return the files in which a control group states its memory limit and its memory use."""
    texts = {"max": most, "current": current, "stat": stat}
    return {f"{folder}/memory.{name}": f"{text}\n" for name, text in texts.items()}


@pytest.mark.parametrize(
    ("files", "mount", "total", "free"),
    [
        ({}, "", 4000 * 1024, 0.75),
        (group("a/b", "1000", "900", "anon 5\ninactive_file 400"), MOUNT, 1000, 0.5),
        (group("a", "70000", "5", "a 1"), MOUNT, 70000, 0.75),
        (group("a/b", "max", "9", ""), MOUNT, 4000 * 1024, 0.75),
    ],
    ids=["no groups", "own group", "group above", "no limit"],
)
def test_memory_is_least_of_machine_and_groups(
    tmp_path: Path, files: dict[str, str], mount: str, total: int, free: float
) -> None:
    """What there is and what is free is the least of the machine, the own group and those above."""
    root = machine(tmp_path, files, mount)
    assert total_bytes(root) == total
    assert free_part(root) == pytest.approx(free)


def test_kernel_kills_are_read_once_per_100_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several looks within 100 ms read the kernel's count of kills once."""
    counts = iter([5, 6, 7])
    monkeypatch.setattr(machine_memory, "kernel_kills", lambda: next(counts))
    monkeypatch.setattr(machine_memory, "_seen", (0, 4))
    assert [recent_kernel_kills(ms * MS) for ms in (99, 100, 199, 200, 150)] == [4, 5, 5, 6, 7]
