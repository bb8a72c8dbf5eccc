"""All of a home as one file, and back."""

from __future__ import annotations

import io
import os
import shutil
import stat
import sys
import tarfile
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, as_json, output, refused, tournament
from support.bot_files import write
from support.running import Running


def written(folder: Path, rounds: int, name: str = "kept") -> Path:
    keys = {"game": "connect_four", "seed": 3, "sandbox": "none", "opening": "{plies: 2}"}
    return tournament(folder, "[random, {name: oak, run: oak}]", name=name, rounds=rounds, **keys)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a tournament in which one bot is a folder; return the folder that contains the home."""
    folder = tmp_path_factory.mktemp("played")
    write(folder / "oak/bot.yaml", "name: oak\nstart: [./oak.sh]\n")
    write(folder / "oak/oak.sh", f'#!/bin/sh\nexec "{sys.executable}" bot.py\n', 0o755)
    write(folder / "oak/bot.py", (ROOT / "bots/random_python/bot.py").read_text())
    output(folder / "home", "run", written(folder, 2))
    return folder


@pytest.fixture
def home(played: Path, tmp_path: Path) -> Path:
    """Return the home in a copy of ``played`` that belongs to one test."""
    return Path(shutil.copytree(played, tmp_path, dirs_exist_ok=True), "home")


def test_a_home_comes_back_elsewhere(home: Path, tmp_path: Path) -> None:
    """Tables are the same, records are proved, and the tournament goes on with its bots."""
    file, other = tmp_path / "home.tar", tmp_path / "elsewhere" / "other"
    output(home, "backup", file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    output(other, "restore", file)
    assert stat.S_IMODE(other.stat().st_mode) == 0o700
    for words in (("leaderboard", "--json"), ("matches", "--json"), ("verify", "kept")):
        assert output(other, *words) == output(home, *words)
    bots, theirs = (
        {path.relative_to(one) for path in (one / "bots").rglob("*")} for one in (home, other)
    )
    assert bots == theirs
    assert any(path.name == "oak.sh" for path in theirs)
    output(other, "run", written(tmp_path, 3), "--extend")
    assert "6 matches" in output(other, "verify", "kept")
    assert "4 matches" in output(home, "verify", "kept")


def test_homes_may_be_relative_paths(home: Path, tmp_path: Path) -> None:
    """A home that is named by a relative path is backed up, and restored to another such path."""
    output(Path("home"), "backup", "home.tar", cwd=tmp_path)
    output(Path("other"), "restore", "home.tar", cwd=tmp_path)
    assert as_json(tmp_path / "other", "leaderboard") == as_json(home, "leaderboard")


def test_backup_and_restore_overwrite_nothing(home: Path, tmp_path: Path) -> None:
    """A backup overwrites no file, and a restore no home."""
    file = tmp_path / "home.tar"
    file.write_text("mine")
    done = arena(home, "backup", file)
    assert (done.returncode, file.read_text()) == (2, "mine")
    assert {path.name for path in tmp_path.iterdir()} == {"home", "home.tar", "kept.yaml", "oak"}
    file.unlink()
    output(home, "backup", file)
    before = output(home, "matches", "--json")
    refused(home, "restore", file)
    assert output(home, "matches", "--json") == before


@pytest.mark.slow
def test_backup_of_running_run_is_of_one_moment(home: Path, tmp_path: Path) -> None:
    """A backup during a run is of one moment, and the run goes on in both homes."""
    run = Running(home, "run", written(tmp_path, 4000, "long"), "--verbose")
    run.until()
    output(home, "backup", tmp_path / "home.tar")
    assert run.process.poll() is None
    run.stopped()
    output(tmp_path / "other", "restore", tmp_path / "home.tar")
    assert "all right" in output(tmp_path / "other", "verify", "long")


def test_what_goes_meanwhile_is_left_out(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that is being copied into the home lies beside the copies until it is whole."""
    passing = home / "bots/_run/passing"
    (passing / "half").mkdir(parents=True)
    take_in = tarfile.TarFile.gettarinfo

    def late(self: tarfile.TarFile, name: str | None = None, arcname: str | None = None) -> object:
        if passing.exists() and str(name) == str(passing / "half"):
            shutil.rmtree(passing)
        return take_in(self, name, arcname)

    monkeypatch.setattr(tarfile.TarFile, "gettarinfo", late)
    output(home, "backup", tmp_path / "home.tar")
    assert not passing.exists()
    output(tmp_path / "other", "restore", tmp_path / "home.tar")
    assert as_json(tmp_path / "other", "leaderboard") == as_json(home, "leaderboard")


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.mode = kind, link, 0o644
    return made


@pytest.mark.parametrize(
    "more",
    [
        [entry("../out")],
        [entry("/tmp/out")],
        [entry("bots", tarfile.SYMTYPE, "/tmp")],
        [entry("bots", tarfile.DIRTYPE), entry("bots/x", tarfile.SYMTYPE, "/tmp")],
        [entry("bots", tarfile.DIRTYPE), entry("bots/x", tarfile.LNKTYPE, "arena.db")],
        [entry("bots", tarfile.DIRTYPE), entry("bots/x", tarfile.FIFOTYPE)],
        [
            entry("environments", tarfile.DIRTYPE),
            entry("environments/e", tarfile.SYMTYPE, "/tmp"),
            entry("environments/e/out"),
        ],
        [entry("arena.db")],
        [entry("notes.txt")],
    ],
    ids=lambda more: more[-1].name + more[-1].linkname,
)
def test_restore_of_invalid_backup_makes_no_home(
    home: Path, tmp_path: Path, more: list[tarfile.TarInfo]
) -> None:
    """A file that is no backup has exit code 2; no home and no other file is made."""
    file = tmp_path / "odd.tar"
    with tarfile.open(file, "w") as tar:
        tar.add(home / "arena.db", "arena.db")
        for one in more:
            tar.addfile(one, io.BytesIO())
    before = sorted(os.listdir(tmp_path))
    refused(tmp_path / "new", "restore", file)
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("data", [b"", b"no tar", b"\x00" * 2048])
def test_restore_of_other_file_is_refused(tmp_path: Path, data: bytes) -> None:
    """A file that is no tar is refused with a sentence, and makes no home."""
    (tmp_path / "f").write_bytes(data)
    refused(tmp_path / "new", "restore", tmp_path / "f")
    assert os.listdir(tmp_path) == ["f"]


def test_damaged_store_is_not_restored(home: Path, tmp_path: Path) -> None:
    """A backup whose store is damaged ends with exit code 3."""
    file = tmp_path / "home.tar"
    output(home, "backup", file)
    data = bytearray(file.read_bytes())
    at = data.index(b"SQLite format 3") + 4096
    data[at : at + 4096] = b"\xff" * 4096
    file.write_bytes(data)
    assert arena(tmp_path / "new", "restore", file).returncode == 3
    assert not (tmp_path / "new").exists()
