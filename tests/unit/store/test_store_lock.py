"""One runner a tournament: the second is told who is first, and a dead one holds nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support import finished
from support.told import told

from arena.bots.openings import keep_setups
from arena.store import copies_lock, open_store, runner_lock
from arena.store.lock import lock_path, taking_lock
from arena.values.errors import RunnerBusy, StoreError


def test_the_second_is_refused_with_the_firsts_pid(tmp_path: Path) -> None:
    """Another process, or another place in this one, learns who works on it."""
    with runner_lock(tmp_path, "open"):
        for answer in (
            finished.in_child(lambda: runner_lock(tmp_path, "open").__enter__()),
            refusal(tmp_path, "open"),
        ):
            assert f'another runner (pid {os.getpid()}) works on "open"' in answer


def test_other_tournaments_are_free(tmp_path: Path) -> None:
    """Editions and tournaments are locked one by one."""
    with runner_lock(tmp_path, "open"), runner_lock(tmp_path, "open#2"):
        assert "open#2" in refusal(tmp_path, "open#2")


def test_a_killed_runner_holds_nothing(tmp_path: Path) -> None:
    """After kill -9 the next runner starts at once."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with runner_lock(tmp_path, "open"):
                os.write(writing, b"x")
                signal.pause()
        finally:
            os._exit(1)
    os.read(reading, 1)
    assert f"pid {pid}" in refusal(tmp_path, "open")
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(reading)
    os.close(writing)
    with runner_lock(tmp_path, "open"):
        assert lock_path(tmp_path, "open").read_text() == f"{os.getpid()}\n"


def test_children_do_not_hold_it(tmp_path: Path) -> None:
    """A program that a runner started does not keep the lock when it outlives the runner."""
    with runner_lock(tmp_path, "open"):
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False)
    try:
        with runner_lock(tmp_path, "open"):
            pass
    finally:
        child.communicate()


def refusal(home: Path, edition: str) -> str:
    return told(RunnerBusy, runner_lock(home, edition).__enter__)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can try it as another user")
def test_nobody_else_can_hold_it() -> None:
    """Another user, who may read the home, cannot take the lock's file."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "locks").mkdir()
        home.chmod(0o755)
        (home / "locks").chmod(0o755)
        path = lock_path(home, "open")
        with runner_lock(home, "open"):
            assert "PermissionError" in finished.as_nobody(lambda: os.open(path, os.O_RDONLY))


LAID: dict[str, Callable[[Path, Path], None]] = {
    "a link": Path.symlink_to,
    "another name": Path.hardlink_to,
    "a pipe": lambda path, victim: os.mkfifo(path),
}


@pytest.mark.parametrize("what", [*LAID, "behind a link"])
@pytest.mark.parametrize("kind", ["runner", "copies", "taking"])
def test_what_is_no_lock_is_left_alone(tmp_path: Path, kind: str, what: str) -> None:
    """A home that somebody else made does not get a file of this user's emptied, or its mode."""
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    lock = {
        "runner": (runner_lock(home, "Cargo"), "Cargo.lock"),
        "copies": (copies_lock(home), "copies"),
        "taking": (taking_lock(home), "taking"),
    }[kind]
    victim = work / lock[1]
    victim.write_text("of value")
    victim.chmod(0o644)
    if what == "behind a link":
        (home / "locks").symlink_to(work)
    else:
        (home / "locks").mkdir()
        LAID[what](home / "locks" / lock[1], victim)
    with pytest.raises(StoreError, match="cannot write the lock"), lock[0]:
        pass
    assert victim.read_text() == "of value"
    assert victim.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_a_store_writes_behind_no_link(tmp_path: Path, end: str) -> None:
    """SQLite would write to whatever its files lead to."""
    home, victim = tmp_path / "home", tmp_path / "victim"
    if end:
        open_store(home, create=True).close()
    else:
        home.mkdir()
    (home / f"arena.db{end}").symlink_to(victim)
    with pytest.raises(StoreError, match="is a link"):
        open_store(home, create=True)
    assert not victim.exists()


def test_a_new_home_is_its_users_alone(tmp_path: Path) -> None:
    """Whoever asks first for something in it, and whatever the umask lets others do."""
    before = os.umask(0)
    try:
        with open_store(tmp_path / "store", create=True):
            pass
        with copies_lock(tmp_path / "lock"):
            pass
        keep_setups(tmp_path / "setups", ["a setup"])
    finally:
        os.umask(before)
    modes = {home.name: home.stat().st_mode & 0o777 for home in tmp_path.iterdir()}
    assert modes == {"store": 0o700, "lock": 0o700, "setups": 0o700}


def test_others_cannot_lock_the_store(tmp_path: Path) -> None:
    """A new store can be read by its owner only, and so can what SQLite puts beside it."""
    with open_store(tmp_path, create=True) as store:
        store.tournaments.create("open", "mark", {}, ())
        files = [path for path in tmp_path.iterdir() if path.name.startswith("arena.db")]
        assert len(files) == 3
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
