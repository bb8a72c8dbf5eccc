"""What the doctor says of control groups: what they do here, and exactly what would give more."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.fake_groups import fake_tree

from arena.doctor import groups
from arena.doctor.finding import State
from arena.doctor.groups import group_finding

SCOPE = "/user.slice/run-r1f.scope"


def test_all_of_it_is_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With memory and pids there is nothing to do."""
    both = {"cgroup_controllers": "memory pids\n", "cgroup_subtree_control": "memory pids\n"}
    folder = fake_tree(tmp_path, monkeypatch, SCOPE, **both)
    monkeypatch.setattr(groups, "problem_with_groups", lambda home: None)
    finding = group_finding(tmp_path)
    assert (finding.state, finding.remedy) == (State.GREEN, "")
    assert finding.data == {
        "version_2": True,
        "folder": str(folder),
        "memory": True,
        "pids": True,
        "used": True,
    }
    assert "best effort" not in finding.what


def test_without_controllers_memory_is_best_effort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where systemd runs, the remedy is the command that hands over a group of its own."""
    fake_tree(tmp_path, monkeypatch, "/user.slice/app-terminal.scope")
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(groups, "problem_with_groups", lambda home: None)
    finding = group_finding(tmp_path)
    assert finding.state is State.YELLOW
    assert finding.data["used"] is True
    assert (finding.data["memory"], finding.data["pids"]) == (False, False)
    assert "; memory: best effort" in finding.what  # CPU time is counted by the group
    assert finding.remedy == "systemd-run --user --scope -p Delegate=yes arena run FILE"


def test_what_does_not_work_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group that fails when it is tried is not used, and the reason is told."""
    fake_tree(tmp_path, monkeypatch, SCOPE, cgroup_subtree_control="memory pids\n")
    monkeypatch.setattr(groups, "problem_with_groups", lambda home: "it cannot be killed")
    finding = group_finding(tmp_path)
    assert finding.data["used"] is False
    assert finding.data["memory"] is False
    assert "it cannot be killed" in finding.what
    assert "clone3" in finding.remedy
