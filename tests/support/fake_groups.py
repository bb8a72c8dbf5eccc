"""A made-up tree of control groups in a folder: each group comes with its files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

MOUNT = "31 23 0:28 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n"
GROUP = {
    "cgroup.controllers": "",
    "cgroup.events": "populated 0\nfrozen 0\n",
    "cgroup.freeze": "0\n",
    "cgroup.kill": "",
    "cgroup.procs": "",
    "cgroup.subtree_control": "",
    "cgroup.type": "domain\n",
    "tasks": "",
    "cpu.stat": "usage_usec 0\nuser_usec 0\nsystem_usec 0\n",
}
LIMITS = {
    "memory": {
        "memory.max": "",
        "memory.swap.max": "",
        "memory.oom.group": "",
        "memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n",
    },
    "pids": {"pids.max": ""},
}


def fake_tree(
    root: Path, monkeypatch: pytest.MonkeyPatch, path: str, mount: str = MOUNT, **files: str
) -> Path:
    """Make a root in which a process is in the group ``path``; returns that group's folder.

    Args:
        root: an empty folder.
        monkeypatch: has folders made within it be groups, and removed as groups are.
        path: of the group, as the kernel tells it.
        mount: the line of ``mountinfo``.
        files: the texts of files in that group that differ, with ``_`` for ``.``.
    """
    make, remove = os.mkdir, os.rmdir

    def mkdir(name: Path, mode: int = 0o777) -> None:
        make(name, mode)
        if Path(name).is_relative_to(root):
            _fill(Path(name))

    def rmdir(name: Path, *, dir_fd: int | None = None) -> None:
        if dir_fd is None and Path(name).is_relative_to(root):
            for file in Path(name).iterdir():
                file.unlink()
        remove(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "mkdir", mkdir)
    monkeypatch.setattr(os, "rmdir", rmdir)
    place, top = mount.split()[4], mount.split()[3]
    below = path.removeprefix(top) if top != "/" else path
    folder = root / place.lstrip("/") / below.lstrip("/")
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name.replace("cgroup_", "cgroup.")).write_text(text)
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(f"0::{path}\n")
    (root / "proc/self/mountinfo").write_text(mount)
    return folder


def _fill(folder: Path) -> None:
    files = dict(GROUP)
    above = folder.parent / "cgroup.subtree_control"
    for name in above.read_text().split() if above.exists() else ():
        files |= LIMITS[name.lstrip("+")]
    for name, text in files.items():
        (folder / name).write_text(text)
