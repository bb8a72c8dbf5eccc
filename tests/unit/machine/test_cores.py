"""How many cores may be used: quotas of control groups count, the least of a process's groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.machine.cores import usable_cores


def test_group_outside_tree_uses_top_quota(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a group outside this namespace only the quota at the top counts."""
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(8)))
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("1:name=systemd:/init\n0::/../../elsewhere\n")
    (tmp_path / "sys/fs/cgroup").mkdir(parents=True)
    (tmp_path / "sys/fs/cgroup/cpu.max").write_text("200000 100000\n")
    assert usable_cores(tmp_path) == 2.0
