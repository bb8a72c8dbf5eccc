"""Findings about the disk of a home, from made-up machines."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.doctor import disk as disk_module
from arena.doctor.disk import disk_finding, nearest_folder, try_store
from arena.doctor.finding import State
from arena.values.errors import StoreError


def test_nearest_folder(tmp_path: Path) -> None:
    """Of a home that is not there yet, the folder above it counts."""
    assert nearest_folder(tmp_path) == tmp_path
    assert nearest_folder(tmp_path / "a" / "b") == tmp_path


def test_a_store_is_tried_and_leaves_nothing(tmp_path: Path) -> None:
    """A throw-away store is written here, and is gone after."""
    try_store(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises((StoreError, OSError)):
        try_store(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("free", "state"),
    [(2 << 30, State.GREEN), (512 << 20, State.YELLOW), (1 << 20, State.RED)],
)
def test_little_room_is_told(
    free: int, state: State, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Less than 1 GiB is little, and less than 64 MiB is nothing."""
    room = SimpleNamespace(f_bavail=free >> 12, f_frsize=1 << 12)
    monkeypatch.setattr("os.statvfs", lambda folder: room)
    found = disk_finding(tmp_path / "home")
    assert found.state is state
    assert found.data["free_bytes"] == free
    assert bool(found.remedy) is (state is not State.GREEN)


def test_home_that_cannot_be_written_is_red(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where nothing can be kept, that is red with the reason."""

    def fails(folder: Path) -> None:
        raise StoreError("it is read-only")

    monkeypatch.setattr(disk_module, "try_store", fails)
    found = disk_finding(tmp_path / "home")
    assert found.state is State.RED
    assert "it is read-only" in found.what
    assert "--home" in found.remedy
