"""The disk that the home is on: its kind, its room, and what keeping a match costs there."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from arena.doctor.finding import Finding, State
from arena.doctor.system import read_text
from arena.errors import ArenaError
from arena.owner import name_part
from arena.store.sqlite import open_database

__all__ = ["Commits", "disk_findings", "file_system", "measure_commits", "nearest_folder"]

NETWORK = ("nfs", "nfs4", "cifs", "smb3", "9p", "afs", "ceph", "glusterfs", "lustre", "gpfs")
COMMITS = 20
SECONDS = 0.4  # the longest that commits of one kind are tried
LITTLE_BYTES = 1 << 30
NOTHING_BYTES = 64 << 20
RECORD = "x" * 2000  # about what a match is


class Commits(NamedTuple):
    """What a transaction of one match costs, in ms; ``wal``: is there a write-ahead log?"""

    wal: bool
    normal_ms: float
    full_ms: float


def disk_findings(home: Path, root: Path = Path("/")) -> tuple[Finding, ...]:
    """Return what there is to say of the disk of a home, which need not exist yet.

    Args:
        home: the arena's home.
        root: where ``/proc`` is looked for.
    """
    folder = nearest_folder(home)
    kind = file_system(folder, read_text(root / "proc/self/mountinfo"))
    room = os.statvfs(folder)
    space = _space(folder, kind, room.f_bavail * room.f_frsize)
    try:
        return space, _cost(measure_commits(folder))
    except (ArenaError, OSError) as error:
        return space, Finding(
            "store",
            State.RED,
            f"nothing can be kept in {home}: {error}",
            "choose another place with --home, or give this user write permission there",
        )


def nearest_folder(home: Path) -> Path:
    """Return the home, or where it is not there yet, the nearest folder above that is."""
    home = home.absolute()
    return next(folder for folder in (home, *home.parents) if folder.is_dir())


def file_system(folder: Path, mounts: str) -> str:
    """Return the kind of file system that a folder is on, such as ``ext4``.

    Args:
        folder: any.
        mounts: the text of ``/proc/self/mountinfo``.
    """
    real = os.path.realpath(folder)
    longest, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        words = before.split()
        if len(words) < 5 or not after:
            continue
        place = words[4].encode().decode("unicode_escape")  # a space is \040 there
        inside = real == place or real.startswith(place.rstrip("/") + "/")
        if inside and len(place) >= longest:  # of those on one place the last is on top
            longest, kind = len(place), after.split()[0]
    return kind


def measure_commits(folder: Path) -> Commits:
    """Keep a few things in a store that is thrown away; raises what the store raises."""
    prefix = f".arena-probe-{name_part()}-"
    with tempfile.TemporaryDirectory(prefix=prefix, dir=folder) as name:
        costs: list[float] = []
        for durability in ("normal", "full"):
            database = open_database(Path(name), create=True, durability=durability)
            try:
                with database.writing() as execute:
                    execute("CREATE TABLE IF NOT EXISTS probe (text TEXT)")
                costs.append(_median_ms(database.writing))
                (mode,) = database.row("PRAGMA journal_mode")
            finally:
                database.close()
        return Commits(mode == "wal", costs[0], costs[1])


def _median_ms(writing: Callable[[], AbstractContextManager[Callable[..., object]]]) -> float:
    """Return what one transaction costs."""
    costs: list[float] = []
    end = time.monotonic() + SECONDS
    while len(costs) < COMMITS and (not costs or time.monotonic() < end):
        begin = time.perf_counter()
        with writing() as execute:
            execute("INSERT INTO probe VALUES (?)", (RECORD,))
        costs.append((time.perf_counter() - begin) * 1000)
    return statistics.median(costs)


def _space(folder: Path, kind: str, free: int) -> Finding:
    network = kind.startswith(NETWORK) or kind in ("fuse.sshfs", "fuse.s3fs")
    data = {"folder": str(folder), "kind": kind, "free_bytes": free, "network": network}
    what = f"{kind or 'unknown'}, {free / (1 << 30):.1f} GiB free"
    if free < NOTHING_BYTES:
        return Finding("disk", State.RED, what, "make room, or use another --home", data)
    if network:
        return Finding(
            "disk",
            State.YELLOW,
            f"{what}: over a network, where stores are slow and locks may not hold",
            "use a --home on a disk of this machine",
            data,
        )
    if free < LITTLE_BYTES:
        return Finding("disk", State.YELLOW, what, "make room", data)
    return Finding("disk", State.GREEN, what, data=data)


def _cost(commits: Commits) -> Finding:
    data = {"wal": commits.wal, "normal_ms": commits.normal_ms, "full_ms": commits.full_ms}
    what = (
        f"keeping a match takes {commits.normal_ms:.2f} ms, "
        f"{commits.full_ms:.2f} ms with durability: full"
    )
    if commits.wal:
        return Finding("store", State.GREEN, what, data=data)
    return Finding(
        "store",
        State.YELLOW,
        f"{what}; no write-ahead log on this file system",
        "use a --home on a disk of this machine: commits are quicker there",
        data,
    )
