"""Folders that a stranger has filled: how far they are looked into, and that they go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.needs import root, tool
from support.ran import PYTHON, printed, ran

from arena.machine import removal
from arena.machine.removal import remove_folder
from arena.process.folders import MAX_DEPTH, entries_below

DEPTH = 5000  # deeper than a path can name, and than Python calls itself
DEEP = f"import os\nfor _ in range({DEPTH}):\n    os.mkdir('d')\n    os.chdir('d')\n"


def deep(folder: Path) -> Path:
    folder.mkdir()
    printed(PYTHON, "-I", "-S", "-c", DEEP, cwd=folder)
    return folder


@pytest.mark.slow
def test_deep_folder_is_removed(tmp_path: Path) -> None:
    """A folder of any depth is removed, and what its links lead to stays."""
    kept = tmp_path / "kept"
    kept.write_text("")
    folder = deep(tmp_path / "deep")
    (folder / "d" / "link").symlink_to(tmp_path)
    (folder / "file").write_text("")
    os.mkfifo(folder / "pipe")
    remove_folder(str(folder))
    assert list(tmp_path.iterdir()) == [kept]


@pytest.mark.slow
def test_walk_of_deep_folder_ends_below_limit(tmp_path: Path) -> None:
    """A walk of a folder that is too deep ends one level below the limit."""
    depths = [depth for _, depth in entries_below(str(deep(tmp_path / "deep")))]
    assert depths == list(range(1, MAX_DEPTH + 2))
    remove_folder(str(tmp_path / "deep"))


@pytest.mark.parametrize("depth", [1, 2])
def test_folder_swapped_for_link_during_removal_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    """A folder that is swapped for a link while it is removed changes nothing where that leads."""
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.chmod(0o755)
    (outside / "file").touch()
    names = ["first", "second"][:depth]
    place = tmp_path.joinpath("top", *names)
    place.mkdir(parents=True)
    is_folder = removal._is_folder

    def swap(name: str, within: int) -> bool:
        found = is_folder(name, within)
        if name == names[-1]:
            os.rmdir(name, dir_fd=within)
            os.symlink(outside, name, dir_fd=within)
        return found

    monkeypatch.setattr(removal, "_is_folder", swap)
    with pytest.raises(NotADirectoryError):
        remove_folder(str(tmp_path / "top"))
    assert outside.stat().st_mode & 0o777 == 0o755
    assert (outside / "file").exists()


STRICTLY = 'mount -t tmpfs -o strictatime tmpfs "$1" && cd "$1" && shift && exec "$@"'
READS = """
import os
from pathlib import Path
from arena.process.folders import hide_reads, shows_reads
Path("file").write_text("x")
hide_reads("file", 0)
hide_reads(".", 0)
print(shows_reads(Path.cwd()))
Path("file").read_text()
print(shows_reads(Path.cwd()))
"""


def test_disk_that_notes_every_read_is_recognised(tmp_path: Path) -> None:
    """A disk with ``strictatime`` is found to note each read, another one is not."""
    root("mount disks")
    words = (tool("unshare"), "--mount", "sh", "-c", STRICTLY, "sh", str(tmp_path))
    done = ran(*words, PYTHON, "-c", READS)
    if "mount" in done.stderr or "unshare" in done.stderr:  # as in a folder that is made the root
        pytest.skip(done.stderr.strip())
    assert done.stdout == "False\nTrue\n", done.stderr
