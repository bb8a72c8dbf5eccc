"""The certificates of a cluster: who can read them, and what is refused."""

from __future__ import annotations

import datetime
import os
import shutil
import sys
from pathlib import Path

import pytest
from support.arena_command import output, refused
from support.told import told

from arena.cluster import certificates
from arena.cluster.certificates import DAYS, make_certificates, read_certificates
from arena.sandbox import visible
from arena.values.errors import UsageError


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of certificates, not to be changed."""
    folder = tmp_path_factory.mktemp("ready") / "c"
    make_certificates(folder)
    return folder


@pytest.fixture
def folder(ready: Path, tmp_path: Path) -> Path:
    """Return a copy of them, to be spoilt."""
    return Path(shutil.copytree(ready, tmp_path / "copy"))


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def refusal(folder: Path) -> str:
    """Return why certificates are refused."""
    return told(UsageError, read_certificates, folder)


def test_certificates_are_private(tmp_path: Path) -> None:
    """Certificates and their folder are readable by this user alone, whatever the umask."""
    old = os.umask(0)
    try:
        made = make_certificates(tmp_path / "c")
    finally:
        os.umask(old)
    assert mode(tmp_path / "c") == 0o700
    files = {made.certificate, made.key}
    assert set((tmp_path / "c").iterdir()) == files
    assert {mode(path) for path in files} == {0o600}
    assert read_certificates(tmp_path / "c") == made


@pytest.mark.parametrize("kind", ["folder", "empty", "file", "link"])
def test_certificates_overwrite_nothing(kind: str, tmp_path: Path) -> None:
    """Certificates are not written over a folder, file or link that is there."""
    there = tmp_path / "c"
    if kind == "folder":
        make_certificates(there)
    elif kind == "empty":
        there.mkdir()
    elif kind == "file":
        there.write_text("precious")
    else:
        there.symlink_to(tmp_path / "nowhere")
    before = sorted((path, path.lstat().st_mtime_ns) for path in tmp_path.rglob("*"))
    with pytest.raises(UsageError, match="not overwritten"):
        make_certificates(there)
    assert sorted((path, path.lstat().st_mtime_ns) for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["cluster.pem", "cluster-key.pem"])
def test_missing_certificate_is_named(name: str, folder: Path) -> None:
    """A file that is missing is named with the command that makes it."""
    (folder / name).unlink()
    assert name in refusal(folder)
    assert "arena cluster certificates" in refusal(folder)


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o610])
def test_key_that_others_can_read_is_refused(bits: int, folder: Path) -> None:
    """A key that others can read is refused, with ``chmod 600``."""
    (folder / "cluster-key.pem").chmod(bits)
    assert "chmod 600" in refusal(folder)


@pytest.mark.parametrize("name", [".", "cluster.pem"])
def test_certificate_that_others_can_write_is_refused(name: str, folder: Path) -> None:
    """Files that others can write are refused with ``chmod go-w``."""
    (folder / name).chmod(0o755 if name == "." else 0o644)
    read_certificates(folder)
    (folder / name).chmod(0o775)
    assert "chmod go-w" in refusal(folder)


def test_key_that_bots_can_read_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key among the libraries that bots see is refused, also through a link."""
    lib = folder.parent / "lib"
    lib.mkdir()
    folder = folder.rename(lib / folder.name)
    link = folder.parent.parent / "link"
    link.symlink_to(folder)
    monkeypatch.setattr(sys, "base_prefix", str(lib.parent))
    visible.needed.cache_clear()
    for name in (folder, link):
        assert "bots can read" in refusal(name)
    monkeypatch.undo()
    visible.needed.cache_clear()
    read_certificates(folder)


@pytest.mark.parametrize(("days", "word"), [(DAYS + 1, "new one"), (-2, "clock")])
def test_wrong_date_is_refused(days: int, word: str, folder: Path) -> None:
    """A certificate that is expired or not valid yet is refused with the remedy."""
    texts = certificates._made(datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=days))
    for name, text in zip(("cluster.pem", "cluster-key.pem"), texts, strict=True):
        (folder / name).write_bytes(text)
    assert word in refusal(folder)


def test_command_makes_certificates_once(tmp_path: Path) -> None:
    """``cluster certificates`` prints the files it made, and refuses a second time."""
    folder = tmp_path / "new" / "c"
    printed = output(tmp_path, "cluster", "certificates", folder)
    assert printed.splitlines() == [
        str(folder / name) for name in ("cluster.pem", "cluster-key.pem")
    ]
    read_certificates(folder)
    refused(tmp_path, "cluster", "certificates", folder)
