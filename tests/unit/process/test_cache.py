"""The user's cache: where it lies, whose it must be, and what there is where it cannot be."""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import pytest
from support import finished
from support.ran import PYTHON, printed

from arena.process import cache
from arena.process.cache import cache_folder, cache_place, find_caches
from arena.sandbox.visible import closed_at


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have temporary folders made here."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    cache._temporary.cache_clear()
    return folder


def test_cache_is_made_for_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache and its missing parents are made for this user alone, whatever the umask."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "not" / "there"))
    before = os.umask(0)
    try:
        folder = cache_folder()
    finally:
        os.umask(before)
    place = tmp_path / "not" / "there" / "tree-arena"
    assert folder.is_relative_to(place)
    assert find_caches() == (folder,)
    # root's bots pass it, but do not list it, and guess no name in it
    allowed = 0o711 if os.geteuid() == 0 else 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in (place, folder)} == {allowed}
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert cache_folder() == folder


LAID = {
    "open to others": "mkdir -m 755 tree-arena",
    "a link": "mkdir -m 700 elsewhere && ln -s elsewhere tree-arena",
    "another's": "mkdir -m 700 tree-arena && chown 61500:61500 tree-arena",
    "below another's": "mkdir -m 700 tree-arena && chown 61500:61500 .",
    "a file": "touch tree-arena",
}


@pytest.mark.parametrize("what", LAID)
def test_cache_of_others_is_replaced_by_temporary_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    temporary: Path,
    caplog: pytest.LogCaptureFixture,
    what: str,
) -> None:
    """In place of a cache that others own or can write, a temporary folder is used, and said."""
    if "chown" in LAID[what] and os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    (tmp_path / "laid").mkdir()
    subprocess.run(["sh", "-c", LAID[what]], cwd=tmp_path / "laid", check=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "laid"))
    assert os.path.lexists(cache_place())
    folder = cache_folder()
    assert folder.is_relative_to(temporary)
    assert not folder.stat().st_mode & 0o066
    assert cache_folder() == folder
    [line] = caplog.messages
    assert str(cache_place()) in line


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's bots are other users")
def test_root_bots_reach_only_their_copies(tmp_path: Path) -> None:
    """A bot of root's can pass the cache to its own copy, and can list no folder above it."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        os.chmod(name, 0o755)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", name)
            folder = cache_folder()
        (folder / "copy").mkdir(mode=0o755)
        assert not closed_at(str(folder / "copy"))
        for hidden in (folder, folder.parent):
            assert "PermissionError" in finished.as_nobody(partial(os.listdir, hidden))


def test_temporary_cache_is_removed_with_process(temporary: Path, tmp_path: Path) -> None:
    """A temporary cache is gone when its process has ended."""
    (tmp_path / "file").touch()
    code = (
        "from arena.process.cache import cache_folder\n"
        "folder = cache_folder()\n"
        "(folder / 'built').mkdir()\n"
        "print(folder)"
    )
    places = {"XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": str(temporary)}
    assert Path(printed(PYTHON, "-c", code, env=places).strip()).is_relative_to(temporary)
    assert os.listdir(temporary) == []
