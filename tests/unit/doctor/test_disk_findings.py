"""Findings about the disk of a home, from made-up machines."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from arena.doctor import disk as disk_module
from arena.doctor.disk import disk_findings, file_system, keeps_log, nearest_folder
from arena.doctor.finding import Finding, State
from arena.errors import StoreError

MOUNTS = """\
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
31 27 0:28 / /home rw,relatime shared:3 - nfs4 server:/home rw
33 31 0:30 / /home/scratch rw - btrfs /dev/vdb rw
34 31 0:31 / /my\\040disk rw - xfs /dev/vdc rw
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/arena", "ext4"),
        ("/home/ada", "nfs4"),
        ("/home/scratch", "btrfs"),
        ("/home/scratchy", "nfs4"),
        ("/my disk/arena", "xfs"),
    ],
)
def test_file_systems_are_told(folder: str, kind: str) -> None:
    """A folder is on what is mounted nearest above it."""
    assert file_system(Path(folder), MOUNTS) == kind


def test_nearest_folder(tmp_path: Path) -> None:
    """Of a home that is not there yet, the folder above it counts."""
    assert nearest_folder(tmp_path) == tmp_path
    assert nearest_folder(tmp_path / "a" / "b") == tmp_path


def test_a_store_is_tried_and_leaves_nothing(tmp_path: Path) -> None:
    """A throw-away store is written here, in a way that SQLite agrees to, and is gone after."""
    wal = keeps_log(tmp_path)
    expected = sqlite3.connect(tmp_path / "try.db")
    (mode,) = expected.execute("PRAGMA journal_mode = WAL").fetchone()
    expected.close()
    assert wal is (mode == "wal")
    assert [path.name for path in tmp_path.iterdir()] == ["try.db"]


def disk(
    monkeypatch: pytest.MonkeyPatch, folder: Path, kind: str, answer: bool | StoreError
) -> dict[str, Finding]:
    def answers(folder: Path) -> bool:
        if isinstance(answer, StoreError):
            raise answer
        return answer

    monkeypatch.setattr(disk_module, "keeps_log", answers)
    root = folder / "root"
    (root / "proc/self").mkdir(parents=True)
    line = f"27 1 254:0 / {folder.resolve()} rw - {kind} there rw\n"
    (root / "proc/self/mountinfo").write_text(line)
    return {one.topic: one for one in disk_findings(folder / "home", root)}


def test_network_disk_is_yellow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A home on a network disk without a write-ahead log is better moved, and that is said."""
    found = disk(monkeypatch, tmp_path, "nfs4", False)
    assert found["disk"].state is found["store"].state is State.YELLOW
    assert found["disk"].data["network"] is True
    assert "--home" in found["disk"].remedy
    assert "write-ahead log" in found["store"].what


def test_home_that_cannot_be_written_is_red(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where nothing can be kept, that is red with the reason."""
    found = disk(monkeypatch, tmp_path, "ext4", StoreError("it is read-only"))
    assert found["store"].state is State.RED
    assert "it is read-only" in found["store"].what
