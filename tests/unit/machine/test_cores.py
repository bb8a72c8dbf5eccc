"""How many cores may be used: quotas of control groups count, the least of a process's groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.machine.cores import usable_cores, whole_cores


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


@pytest.mark.parametrize(
    ("quotas", "cores"),
    [
        ({}, 8.0),
        ({"": "max 100000"}, 8.0),
        ({"": "150000 100000"}, 1.5),  # as in a container, whose own group is the top
        ({"slurm/job": "400000 100000"}, 4.0),
        ({"slurm": "300000 100000", "slurm/job/step": "max 100000"}, 3.0),
        ({"slurm": "300000 100000", "slurm/job": "50000 100000"}, 0.5),
        ({"other": "100000 100000"}, 8.0),  # it is not in that group
        ({"slurm": "1600000 100000"}, 8.0),  # more than there are
        ({"slurm": "nonsense"}, 8.0),
        ({"slurm": "100000 0"}, 8.0),
    ],
)
def test_usable_cores_are_least_quota(tmp_path: Path, quotas: dict[str, str], cores: float) -> None:
    """The cores that may be used are the least quota of the own group and those above it."""
    assert usable_cores(machine(tmp_path, quotas)) == cores


def test_group_outside_tree_uses_top_quota(tmp_path: Path) -> None:
    """For a group outside this namespace only the quota at the top counts."""
    root = machine(tmp_path, {"": "200000 100000"}, own="/../../elsewhere")
    assert usable_cores(root) == 2.0


@pytest.mark.parametrize(("cores", "whole"), [(0.5, 1), (1.5, 1), (3.0, 3)])
def test_whole_cores_are_at_least_1(
    monkeypatch: pytest.MonkeyPatch, cores: float, whole: int
) -> None:
    """Usable cores are rounded down to whole ones, and there is always one."""
    monkeypatch.setattr("arena.machine.cores.usable_cores", lambda: cores)
    assert whole_cores() == whole
