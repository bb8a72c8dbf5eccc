"""How many cores may be used: quotas of control groups count, the least of a process's groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.machine.cores import usable_cores


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run on a machine with eight of them."""
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(8)))


def machine(root: Path, quotas: dict[str, str], own: str = "/slurm/job/step") -> Path:
    """Return a root in which groups have these quotas, by their folders."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(f"1:name=systemd:/init\n0::{own}\n")
    for folder, quota in quotas.items():
        place = root / "sys/fs/cgroup" / folder
        place.mkdir(parents=True, exist_ok=True)
        (place / "cpu.max").write_text(quota + "\n")
    return root


def test_group_outside_tree_uses_top_quota(tmp_path: Path) -> None:
    """For a group outside this namespace only the quota at the top counts."""
    root = machine(tmp_path, {"": "200000 100000"}, own="/../../elsewhere")
    assert usable_cores(root) == 2.0
