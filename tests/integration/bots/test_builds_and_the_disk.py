"""What a build may take of the disk, whatever it does with what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_command import ARENA, process
from support.arena_users import as_user
from support.needs import working
from support.small_disk import small_disk

pytestmark = [pytest.mark.usefixtures("no_process_left"), pytest.mark.slow]

# builds in a folder with small limits, as the user who runs this
BUILDS = """
import json, sys, tempfile
from pathlib import Path
from arena.isolation import confined
from arena.isolation.choose import problem_with
confined.FOLDER_BYTES, confined.FOLDER_FILES = 8 << 20, 200
level, script = sys.argv[1:]
if problem_with(level) is not None:
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    Path(folder).chmod(0o755)
    Path(folder, "build.py").write_text(script)
    trial = confined.run_build(("/usr/bin/python3", "-S", "build.py"), Path(folder), 20, level)
    print(json.dumps([trial.stopped, trial.code, trial.out, trial.err]))
"""
NAMELESS = """
import mmap, os, sys, time
def nameless():
    file = os.open("f", os.O_CREAT | os.O_RDWR)
    os.unlink("f")
    return file
"""
WRITES = "for _ in range(4): file = nameless(); os.write(file, bytes(4 << 20))\n"
WAYS = {
    "open": (WRITES + "time.sleep(60)", "wrote more than 8 MiB"),
    "mapped": (
        "file = nameless(); os.write(file, bytes(16 << 20)); kept = mmap.mmap(file, 16 << 20)\n"
        "os.close(file); time.sleep(60)",
        "wrote more than 8 MiB",
    ),
    "many": ("kept = [nameless() for _ in range(300)]; time.sleep(60)", "more than 200 files"),
    # one file with three names, and as much once more in memory
    "once": (
        "file = os.open('f', os.O_CREAT | os.O_WRONLY); os.write(file, bytes(6 << 20))\n"
        "os.link('f', 'g'); os.link('f', 'h'); kept = mmap.mmap(-1, 8 << 20)\n"
        "os.write(os.memfd_create('x'), bytes(6 << 20)); time.sleep(0.5)",
        "",
    ),
    "fallocate": (
        "import ctypes, errno; file = nameless()\n"
        "done = ctypes.CDLL(None, use_errno=True).fallocate(file, 0, 0, 1 << 20)\n"
        "assert (done, ctypes.get_errno()) == (-1, errno.EOPNOTSUPP), (done, ctypes.get_errno())\n"
        "os.posix_fallocate(file, 0, 1 << 20); assert os.fstat(file).st_size == 1 << 20",
        "",
    ),
}


@pytest.mark.parametrize("level", ["bwrap", "landlock", "limits"])
@pytest.mark.parametrize("user", ["user", "root"])
@pytest.mark.parametrize("way", WAYS)
def test_files_without_a_name(user: str, level: str, way: str) -> None:
    """What has no name counts as long as a process uses it, and all that has one counts once."""
    script, expected = WAYS[way]
    done = as_user(user, "-c", BUILDS, level, NAMELESS + script)
    if done.returncode == 77:
        pytest.skip(f"{level} does not work here for {user}")
    assert done.returncode == 0, done.stderr
    stopped, code, out, err = json.loads(done.stdout)
    if expected:
        assert expected in stopped
        assert code is None
    else:
        assert (stopped, code) == ("", 0), out + err


def test_a_disk_that_is_nearly_full(tmp_path: Path) -> None:
    """A build that leaves others less than a tenth ends as this machine lacks room; it is gone."""
    working("bwrap")
    bot = tmp_path / "hog"
    bot.mkdir()
    line = "{name: hog, language: python, start: [./hog], build: [python3, build.py]}"
    (bot / "bot.yaml").write_text(line)
    # within its own size, on a disk of 64 MiB
    fills = "for k in range(15):\n  with open(f'f{k}', 'wb') as file: file.write(bytes(4 << 20))\n"
    (bot / "build.py").write_text(f"import time\n{fills}time.sleep(60)\n")
    with small_disk(tmp_path / "disk", "64m") as disk:
        start, cache = [*disk.enter, *ARENA], str(disk.place)
        done = process(tmp_path / "home", "submit", bot, start=start, XDG_CACHE_HOME=cache)
        left = sum(path.stat().st_size for path in disk.seen.rglob("f*") if path.is_file())
    assert done.returncode == 3, done.stderr
    assert "the disk is nearly full" in done.stderr
    assert not left
