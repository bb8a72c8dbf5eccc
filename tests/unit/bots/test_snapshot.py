"""Snapshots: copies that are what they were, wherever the original went."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.bots.content import File, copy_files
from arena.bots.program import Program, describe
from arena.bots.snapshots import keep
from arena.values.errors import BotError


def snapshot(source: Path, home: Path) -> Program:
    """Keep the bot that a file or folder is in a home."""
    return keep(describe(source), home)


def test_a_change_while_copying_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the copy is not what was looked at, nothing is kept."""
    source = tmp_path / "mine.py"
    source.write_text("1\n")

    def edited_first(root: Path, files: tuple[File, ...], target: Path) -> None:
        source.write_text("2\n")
        copy_files(root, files, target)

    monkeypatch.setattr("arena.bots.build.copy_files", edited_first)
    with pytest.raises(BotError, match="changed while it was copied; try again"):
        snapshot(source, tmp_path)
    assert os.listdir(tmp_path / "bots" / "_run") == []


def test_a_changed_snapshot_is_refused(tmp_path: Path) -> None:
    """A snapshot somebody wrote to does not play."""
    source = tmp_path / "mine.py"
    source.write_text("1\n")
    kept = snapshot(source, tmp_path).folder / "mine.py"
    kept.chmod(0o644)
    kept.write_text("3\n")
    with pytest.raises(BotError, match="was changed"):
        snapshot(source, tmp_path)
