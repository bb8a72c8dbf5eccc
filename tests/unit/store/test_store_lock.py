"""One runner a tournament: the second is told who is first, and a dead one holds nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest
from support import finished

from arena.errors import RunnerBusy, StoreError
from arena.store import open_store, runner_lock
from arena.store.lock import lock_path


def test_the_second_is_refused_with_the_firsts_pid(tmp_path: Path) -> None:
    """Another process, or another place in this one, learns who works on it."""
    with runner_lock(tmp_path, "open"):
        for answer in (
            finished.in_child(lambda: runner_lock(tmp_path, "open").__enter__()),
            refusal(tmp_path, "open"),
        ):
            assert f'another runner (pid {os.getpid()}) works on "open"' in answer


def test_it_ends_with_the_block(tmp_path: Path) -> None:
    """Afterwards, or after an error, the next one gets it."""
    with pytest.raises(KeyError), runner_lock(tmp_path, "open"):
        raise KeyError
    with runner_lock(tmp_path, "open"):
        pass


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


def test_odd_names_stay_in_the_folder(tmp_path: Path) -> None:
    """Whatever a tournament is called, its lock lies in ``locks``; different names differ."""
    names = ["../up", "a/b", "%2e", ".", "ü", "a b", "open#2", "x" * 500]
    paths = [lock_path(tmp_path, name) for name in names]
    assert len(set(paths)) == len(names)
    for name, path in zip(names, paths, strict=True):
        assert path.parent == tmp_path / "locks"
        with runner_lock(tmp_path, name):
            assert path.is_file()


def test_a_lock_that_cannot_be_written(tmp_path: Path) -> None:
    """Where no file can be made, the store's error says so."""
    (tmp_path / "locks").touch()
    with pytest.raises(StoreError, match="cannot write the lock"), runner_lock(tmp_path, "open"):
        pass


def refusal(home: Path, edition: str) -> str:
    with pytest.raises(RunnerBusy) as caught, runner_lock(home, edition):
        pass
    return str(caught.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can try it as another user")
@pytest.mark.parametrize("mode", [None, 0o644])
def test_nobody_else_can_hold_it(mode: int | None) -> None:
    """Another user, who may read the home, cannot take the lock's file; nor one of before."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o755)
        path = lock_path(home, "open")
        if mode is not None:
            path.parent.mkdir()
            path.touch()
            path.chmod(mode)
        with runner_lock(home, "open"):
            assert path.parent.stat().st_mode & 0o005 == 0o005
            assert "PermissionError" in finished.as_nobody(lambda: os.open(path, os.O_RDONLY))


def test_others_cannot_lock_the_store(tmp_path: Path) -> None:
    """A new store can be read by its owner only, and so can what SQLite puts beside it."""
    with open_store(tmp_path, create=True) as store:
        store.tournaments.create("open", "mark", "{}", ())
        files = [path for path in tmp_path.iterdir() if path.name.startswith("arena.db")]
        assert len(files) == 3
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
