"""A disk that is full or read-only, a store that is locked or damaged: a sentence, nothing lost.

Disks are small and real, in a mount namespace of their own.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.arena_command import ARENA, ROOT, arena, process, tournament
from support.crash_runs import acknowledged, at_end, stored
from support.made_once import made_once
from support.running import Running
from support.slowly import nightly, slowly
from support.small_disk import SmallDisk, small_disk
from support.waiting import process_state, until

PLAYED = 3  # matches that are played before something happens


def written(folder: Path, rounds: int) -> Path:
    keys = {"rounds": rounds, "seed": 3, "workers": 2, "sandbox": "none"}
    return tournament(folder, "[random, random-sh]", name="disk", **keys)


class Run(Running):
    """A run of a tournament that something happens to.

    Args:
        folder: where the file is, and a home, unless it is on a disk.
        disk: whose folder ``home`` is the home.
        rounds: of two matches each.
        patience: seconds in place of a minute.
    """

    def __init__(
        self, folder: Path, disk: SmallDisk | None = None, *, rounds: int = 16, patience: str = "60"
    ) -> None:
        self.folder = folder
        self.home = (folder if disk is None else disk.place) / "home"
        self.seen = (folder if disk is None else disk.seen) / "home"
        enter = () if disk is None else disk.enter
        words = ("run", written(folder, rounds), "--verbose")
        super().__init__(self.home, *words, enter=enter, ARENA_PATIENCE=patience)

    def copied(self) -> Path:
        """Return the home, or a copy of one that is on a disk that we do not see ourselves."""
        if self.seen == self.home:
            return self.home
        target = self.folder / "copy"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.seen, target, symlinks=True)
        return target

    def kept(self) -> None:
        """Check that all that was acknowledged is stored, once."""
        found = stored(self.copied())
        assert acknowledged(self.said) <= set(found)
        assert len(found) == len(set(found))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk") as made:
        yield made


@pytest.fixture(scope="module")
def calm(of_all_workers: Path) -> object:
    """Return what comes of a run that nothing disturbs."""

    def play(folder: Path) -> None:
        run = Run(folder)
        assert run.end() == 0, run.said

    return at_end(made_once(of_all_workers / "calm-on-disk", play) / "home")


# full


@pytest.mark.slow
def test_disk_that_stays_full_ends_run(tmp_path: Path, disk: SmallDisk, calm: object) -> None:
    """A disk that fills up ends the run with exit code 3; with room the same command goes on."""
    run = Run(tmp_path, disk, patience="1")
    run.until(" by ", PLAYED)
    disk.fill()
    assert run.end() == 3, run.said
    assert "disk is full" in run.last
    assert "same command" in run.last
    disk.make_room()
    run.kept()
    again = Run(tmp_path, disk)
    assert again.end() == 0, again.said
    assert acknowledged(again.said).isdisjoint(acknowledged(run.said))
    assert at_end(run.copied()) == calm


@pytest.mark.slow
def test_full_disk_costs_only_time(tmp_path: Path, disk: SmallDisk, calm: object) -> None:
    """A disk that is full for less than a minute changes no result."""
    run = Run(tmp_path, disk)
    run.until(" by ", PLAYED)
    disk.fill()
    run.until("is not stored yet")
    disk.make_room()
    assert run.end() == 0, run.said
    assert at_end(run.copied()) == calm


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "submit"])
def test_disk_full_from_start_begins_nothing(tmp_path: Path, disk: SmallDisk, command: str) -> None:
    """On a full disk ``run`` and ``submit`` end in a sentence; with room they work."""
    words: tuple[object, ...] = ("run", written(tmp_path, 1))
    disk.fill()
    if command == "submit":
        words = ("submit", "bots/random_python", "--name", "mine", "--allow-unsafe")
    start = [*disk.enter, "sh", "-c", 'cd "$0" && exec "$@"', ROOT, *ARENA]
    codes = []
    for _ in range(2):
        done = process(disk.place / "home", *words, start=start, ARENA_PATIENCE="0")
        codes.append(done.returncode)
        assert "Traceback" not in done.stderr
        if (disk.seen / "filler").exists():
            assert len(done.stderr.splitlines()) <= 2, done.stderr
            assert "No space left" in done.stderr or "disk is full" in done.stderr
            disk.make_room()
    assert codes == [3, 0], done.stderr


@pytest.mark.slow
def test_full_disk_for_stderr_ends_no_run(tmp_path: Path, disk: SmallDisk, calm: object) -> None:
    """A run whose stderr cannot be written plays on, as its results are elsewhere."""
    words = ("run", written(tmp_path, 16), "--verbose")
    disk.fill()
    start = [*disk.enter, "sh", "-c", 'exec "$@" 2> "$0"', disk.place / "log", *ARENA]
    done = process(tmp_path / "home", *words, start=start)
    assert done.returncode == 0
    assert "random-sh" in done.stdout
    assert at_end(tmp_path / "home") == calm


# read-only


@pytest.mark.slow
def test_read_only_disk_refuses_run_and_shows_table(tmp_path: Path, disk: SmallDisk) -> None:
    """On a read-only disk a run is refused in a sentence, and the leaderboard is shown."""
    assert Run(tmp_path, disk, rounds=1).end() == 0
    disk.remount("ro")
    run = Run(tmp_path, disk, rounds=1, patience="0")
    assert run.end() == 3
    assert len(run.said.splitlines()) == 1
    assert "cannot be written" in run.last or "Read-only" in run.last
    look = process(disk.place / "home", "leaderboard", start=[*disk.enter, *ARENA])
    assert look.returncode == 0, look.stderr
    assert "random-sh" in look.stdout
    disk.remount("rw")
    assert Run(tmp_path, disk, rounds=1).end() == 0


# locked


def locked(home: Path, begin: str) -> sqlite3.Connection:
    """Lock a store as another program may."""
    home.mkdir(exist_ok=True)
    connection = sqlite3.connect(home / "arena.db", isolation_level=None)
    connection.execute(begin)
    return connection


@pytest.mark.slow
def test_store_locked_at_opening_is_waited_for(tmp_path: Path) -> None:
    """A store that another program locks while it is opened is waited for."""
    other = locked(tmp_path / "home", "BEGIN EXCLUSIVE")
    run = Run(tmp_path, rounds=1)
    run.until("cannot be opened yet")
    other.close()
    assert run.end() == 0, run.said


# damaged


def stopped_with_all_in_one_file(run: Run) -> Path:
    """Stop a run between two transactions, with nothing left in the log beside its store."""
    store = run.home / "arena.db"
    busy = True
    while busy:
        run.process.send_signal(signal.SIGCONT)
        run.until(" by ")
        run.process.send_signal(signal.SIGSTOP)
        until(lambda: process_state(run.process.pid) == "T")
        with contextlib.closing(sqlite3.connect(store)) as connection:
            [[busy, _, _]] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store


def overwrite(store: Path) -> None:
    store.write_bytes(store.read_bytes()[:100].ljust(store.stat().st_size, b"\xa5"))


def cut_short(store: Path) -> None:
    os.truncate(store, 5000)


@pytest.mark.parametrize("damage", [*slowly([overwrite]), *nightly([cut_short])])
def test_damaged_store_ends_run(
    tmp_path: Path, damage: Callable[[Path], None], calm: object
) -> None:
    """A store damaged during a run ends it with exit code 3; with a copy put back it goes on."""
    run = Run(tmp_path)
    store = stopped_with_all_in_one_file(run)
    whole = store.read_bytes()
    damage(store)
    run.process.send_signal(signal.SIGCONT)
    assert run.end() == 3, run.said
    assert str(store) in run.last
    again = Run(tmp_path)
    assert (again.end(), str(store) in again.last) == (3, True), again.said
    for command in ("leaderboard", "verify"):
        look = arena(run.home, command)
        assert (look.returncode, look.stdout) == (3, ""), look
        assert str(store) in look.stderr
    for file in run.home.glob("arena.db-*"):
        file.unlink()
    store.write_bytes(whole)
    run.kept()
    assert Run(tmp_path).end() == 0
    assert at_end(run.copied()) == calm


# signals while the store is waited for


@pytest.mark.slow
def test_run_waiting_for_store_can_be_stopped(tmp_path: Path) -> None:
    """SIGINT ends a run at once that waits for a locked store."""
    run = Run(tmp_path, rounds=500)
    run.until(" by ", PLAYED)
    other = locked(run.seen, "BEGIN IMMEDIATE")
    run.until("is not stored yet")
    assert run.stopped() == 130
    other.close()
    run.kept()
