"""Room in the user's cache: the least recently used copies go, and never one that is used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.cached import copies_in
from support.crash_points import ARMED
from support.piped import Piped
from support.ran import PYTHON, ran

from arena.machine.run_folder import dead_runs
from arena.process import cache_room
from arena.process.cache_room import claim, drop, make_room, release_others

SIZE = 64 << 10


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache that has room for three copies."""
    monkeypatch.setattr(cache_room, "MOST_KIB", 7 * SIZE // 2048)
    return tmp_path


def made(shelf: Path, name: str, used: int) -> None:
    """Make a copy that was used last at a second."""
    (shelf / name).mkdir()
    (shelf / name / "bot").write_bytes(os.urandom(SIZE))
    os.utime(shelf / name, (used, used))


def user(shelf: Path, *names: str) -> Piped:
    """Start a process that claims copies, and ends when its input does."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom arena.process.cache_room import claim\n"
        "for path in sys.argv[1:]: claim(Path(path))\nprint(flush=True)\nsys.stdin.read()\n"
    )
    process = Piped([PYTHON, "-c", code, *(shelf / name for name in names)])
    process.stdout.readline()
    return process


def test_least_recently_used_copy_is_removed(shelf: Path) -> None:
    """A full cache removes the copy that was claimed longest ago, whatever its access times say."""
    for second, name in enumerate("abcd"):
        made(shelf, name, second)
    with user(shelf, "a") as process:  # used, and not used any more
        process.communicate()
    for name in "bcd":
        os.utime(shelf / name / "bot", (1 << 32, 0))
    make_room(shelf)
    assert sorted(copies_in(shelf)) == ["a", "c", "d"]
    make_room(shelf)
    assert sorted(copies_in(shelf)) == ["a", "c", "d"]
    assert "b" not in os.listdir(shelf / ".used")


def test_copy_in_use_is_kept(shelf: Path) -> None:
    """A copy that a running process has claimed is never removed, even above the limit."""
    for second, name in enumerate("abcde"):
        made(shelf, name, second)
    with user(shelf, "a", "b", "not-made-yet") as one, user(shelf, "c", "d", "e") as other:
        make_room(shelf)
        assert sorted(copies_in(shelf)) == [*"abcde"]
        made(shelf, "not-made-yet", 0)
        other.kill()
        other.wait()
        make_room(shelf)
        assert sorted(copies_in(shelf)) == ["a", "b", "not-made-yet"]
        one.communicate()
    made(shelf, "f", 9)
    make_room(shelf)
    assert len(copies_in(shelf)) == 3


def test_released_copy_can_be_removed(shelf: Path) -> None:
    """A copy that its process has released may be removed for room."""
    for second, name in enumerate("abcd"):
        made(shelf, name, second)
        claim(shelf / name)
    make_room(shelf)
    assert sorted(copies_in(shelf)) == [*"abcd"]
    release_others(shelf, "bcd")
    make_room(shelf)
    assert sorted(copies_in(shelf)) == [*"bcd"]


def test_copy_is_dropped_unless_another_process_uses_it(shelf: Path) -> None:
    """``drop`` removes a copy at once, except while another process uses it."""
    for name in "ab":
        made(shelf, name, 0)
        claim(shelf / name)
    with user(shelf, "b") as other:
        drop(shelf / "a")
        with pytest.raises(OSError, match="unavailable"):
            drop(shelf / "b")
        assert copies_in(shelf) == ["b"]
        other.communicate()
    drop(shelf / "b")
    assert copies_in(shelf) == []


def test_killed_removal_leaves_whole_copies(shelf: Path) -> None:
    """A removal that is killed leaves no half copy under its name, and all others whole."""
    for second, name in enumerate("abcde"):
        made(shelf, name, second)
    code = f"from arena.process import cache_room\ncache_room.MOST_KIB = {7 * SIZE // 2048}\n"
    code += "import sys\nfrom pathlib import Path\ncache_room.make_room(Path(sys.argv[1]))\n"
    killed = ran(PYTHON, "-c", code, shelf, env={"ARENA_FAULT": "aside:kill9", "PYTHONPATH": ARMED})
    assert killed.returncode == -9
    aside, *left = sorted(copies_in(shelf))
    assert left == [*"bcde"]
    assert (shelf / aside / "a").is_dir()
    make_room(shelf)
    assert sorted(copies_in(shelf))[1:] == [*"cde"]
    with dead_runs([shelf]) as dead:
        assert [*dead] == [str(shelf / aside)]
