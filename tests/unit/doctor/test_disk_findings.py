"""Findings about the disk of a home, from made-up machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.doctor import disk as disk_module
from arena.doctor.disk import disk_finding, try_store
from arena.doctor.finding import State
from arena.values.errors import StoreError


def test_a_store_is_tried_and_leaves_nothing(tmp_path: Path) -> None:
    """A throw-away store is written here, and is gone after."""
    try_store(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises((StoreError, OSError)):
        try_store(tmp_path / "nowhere")


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
