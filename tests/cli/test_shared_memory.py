"""Without a place for what processes share, commands that need it say what to do."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest
from support.arena_command import environment, messages
from support.arena_users import ordinary
from support.needs import root, tool
from support.ran import ran

from arena.doctor.finding import State
from arena.doctor.system import system_findings
from arena.machine.shared_memory import NoSharedMemory
from arena.workers.worker import new_heartbeat

GAME = ("--game", "leaves", "--bots", "random,greedy", "--rounds", "1")
MOUNT = "mount -t tmpfs -o mode=1777 tmpfs /dev/shm"


LOCK = "multiprocessing.synchronize.SemLock.__init__"


def refuse(monkeypatch: pytest.MonkeyPatch, number: int, made: str = LOCK) -> None:
    """Have the system refuse to make a lock, or something else."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(made, fail)


@pytest.mark.parametrize(
    "words",
    [
        ("run", *GAME),
        ("compare", "random", "greedy", "leaves"),
        ("demo",),
        ("rank", "greedy", "leaves"),
        ("balance", "leaves"),
        ("cluster", "worker", "tcp://127.0.0.1:1", "--insecure"),
    ],
    ids=lambda words: words[0],
)
def test_command_without_shared_memory_names_remedy(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that starts workers without ``/dev/shm`` has exit code 3 and a remedy."""
    refuse(monkeypatch, errno.EACCES)
    done = messages(tmp_path, *words, code=3)
    assert "a lock in /dev/shm: Permission denied" in done
    assert MOUNT in done


@pytest.mark.parametrize(
    ("number", "word"),
    [(errno.EROFS, MOUNT), (errno.ENOSPC, "make room in /dev/shm"), (errno.EMFILE, "descriptors")],
)
def test_remedy_fits_cause_of_missing_shared_memory(
    number: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mount is advised where ``/dev/shm`` is closed, and for no other cause."""
    refuse(monkeypatch, number)
    (row,) = (row for row in system_findings() if row.topic == "shared memory")
    assert row.state is State.RED
    assert "/dev/shm" in row.what
    assert word in row.what + row.remedy
    assert (MOUNT in row.remedy) is (word is MOUNT)


def test_worker_without_shared_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A heartbeat without ``/dev/shm`` is ``NoSharedMemory``, with the place."""
    refuse(monkeypatch, errno.ENOENT, "multiprocessing.sharedctypes.RawValue")
    with pytest.raises(NoSharedMemory, match="memory in /dev/shm: No such file"):
        new_heartbeat(get_context("forkserver"))


@pytest.fixture
def place() -> Iterator[str]:
    """Return a folder outside of the shared memory, in which all may write."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o777)
        yield folder


@pytest.mark.slow
@pytest.mark.parametrize(("user", "how"), [("root", "ro"), ("user", "mode=755")])
def test_machine_without_shared_memory_can_play(user: str, how: str, place: str) -> None:
    """Without ``/dev/shm`` a run says so, ``doctor`` has a red row, and ``play`` works."""
    root("close it")
    python = (sys.executable,) if user == "root" else ordinary(sys.executable)
    closed = 'mount -t tmpfs -o "$1" tmpfs /dev/shm && shift && cd / && exec "$@"'
    words = (tool("unshare"), "--mount", "--propagation", "private", "sh", "-c", closed, "sh", how)

    def closed_to(*more: str) -> subprocess.CompletedProcess[str]:
        env = environment(Path(place, "home")) | {"XDG_CACHE_HOME": place, "TMPDIR": place}
        return ran(*words, *python, "-B", "-m", "arena", *more, env=env)

    done = closed_to("run", *GAME)
    assert (done.returncode, done.stdout) == (3, "")
    assert MOUNT in done.stderr
    rows = {row["topic"]: row for row in json.loads(closed_to("doctor", "--json").stdout)["rows"]}
    assert rows["shared memory"]["state"] == "red"
    assert MOUNT in rows["shared memory"]["remedy"]
    done = closed_to("play", "leaves", "random", "random", "--seed", "1", "--sandbox", "none")
    assert done.returncode == 0, done.stderr
