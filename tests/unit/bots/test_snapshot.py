"""Snapshots: copies that are what they were, wherever the original went."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from support.bot_files import write

from arena.bots.content import File, copy_files
from arena.bots.program import Program, describe
from arena.bots.snapshots import keep, kept_programs
from arena.values.errors import BotError


def snapshot(source: Path, home: Path) -> Program:
    """Keep the bot that a file or folder is in a home."""
    return keep(describe(source), home)


def folder_bot(tmp_path: Path) -> Path:
    """Write a bot in a folder, with a helper, a data file that is a link, and a cache."""
    folder = tmp_path / "oak"
    (folder / "lib").mkdir(parents=True)
    write(folder / "bot.sh", "#!/bin/sh\n", 0o750)
    (folder / "lib" / "data.txt").write_text("data")
    (folder / "link.txt").symlink_to("lib/data.txt")
    write(folder / "__pycache__" / "x.pyc", "cache")
    return folder


@pytest.mark.parametrize("places", [("_bundled/{0}",), ("oak/1-{1}", "elm/3-{1}")])
def test_copy_of_earlier_build_is_found(tmp_path: Path, places: tuple[str, ...]) -> None:
    """A copy that an earlier build kept elsewhere is found and moved; anything else stays."""
    source, home = folder_bot(tmp_path), tmp_path / "home"
    found = describe(source)
    digits = found.hash.removeprefix("sha256:")
    for place in places:
        shutil.copytree(source, home / "bots" / place.format(digits, digits[:12]))
    (home / "bots" / "yew" / ".copying-1.2.01234567-abc").mkdir(parents=True)
    (home / "bots" / "ivy" / "notes").mkdir(parents=True)
    assert kept_programs(home) == [found.hash]
    assert sorted(os.listdir(home / "bots")) == ["_run", "ivy", "yew"]
    assert os.listdir(home / "bots" / "_run") == [digits]
    assert snapshot(source, home).folder == home / "bots" / "_run" / digits


def test_nothing_is_brought_from_behind_a_link(tmp_path: Path) -> None:
    """A home that somebody else made moves and removes no folder outside of it."""
    source, home = folder_bot(tmp_path), tmp_path / "home"
    work = tmp_path / "work" / "project"
    shutil.copytree(source, work / "1-0123456789ab")
    (work.parent / "empty").mkdir()
    home.mkdir()
    (home / "bots").symlink_to(work.parent)
    assert kept_programs(home) == []
    (tmp_path / "other" / "bots").mkdir(parents=True)
    (tmp_path / "other" / "bots" / "oak").symlink_to(work)
    assert kept_programs(tmp_path / "other") == []
    assert os.listdir(work) == ["1-0123456789ab"]
    assert sorted(os.listdir(work.parent)) == ["empty", "project"]


def test_a_change_while_copying_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the copy is not what was looked at, nothing is kept."""
    source = write(tmp_path / "mine.py", "1\n")

    def edited_first(root: Path, files: tuple[File, ...], target: Path) -> None:
        source.write_text("2\n")
        copy_files(root, files, target)

    monkeypatch.setattr("arena.bots.build.copy_files", edited_first)
    with pytest.raises(BotError, match="changed while it was copied; try again"):
        snapshot(source, tmp_path)
    assert os.listdir(tmp_path / "bots" / "_run") == []


def test_a_changed_snapshot_is_refused(tmp_path: Path) -> None:
    """A snapshot somebody wrote to does not play."""
    source = write(tmp_path / "mine.py", "1\n")
    kept = snapshot(source, tmp_path).folder / "mine.py"
    kept.chmod(0o644)
    kept.write_text("3\n")
    with pytest.raises(BotError, match="was changed"):
        snapshot(source, tmp_path)
