"""The disk that the home is on: its kind, its room, and whether matches can be kept there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from arena.doctor.finding import Finding, State
from arena.doctor.system import read_text
from arena.errors import ArenaError
from arena.owner import name_part
from arena.store.sqlite import open_database

__all__ = ["disk_findings", "file_system", "keeps_log", "nearest_folder"]

NETWORK = ("nfs", "nfs4", "cifs", "smb3", "9p", "afs", "ceph", "glusterfs", "lustre", "gpfs")
LITTLE_BYTES = 1 << 30
NOTHING_BYTES = 64 << 20


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
        return space, _store(keeps_log(folder))
    except (ArenaError, OSError) as error:
        what = f"nothing can be kept in {home}: {error}"
        remedy = "choose another place with --home, or give this user write permission there"
        return space, Finding("store", State.RED, what, remedy)


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


def keeps_log(folder: Path) -> bool:
    """Return whether a store here has a write-ahead log; raises what the store raises."""
    prefix = f".arena-probe-{name_part()}-"
    with tempfile.TemporaryDirectory(prefix=prefix, dir=folder) as name:
        database = open_database(Path(name), create=True)
        try:
            with database.writing() as execute:
                execute("CREATE TABLE probe (text TEXT)")
            (mode,) = database.row("PRAGMA journal_mode")
        finally:
            database.close()
    return bool(mode == "wal")


def _space(folder: Path, kind: str, free: int) -> Finding:
    network = kind.startswith(NETWORK) or kind in ("fuse.sshfs", "fuse.s3fs")
    data = {"folder": str(folder), "kind": kind, "free_bytes": free, "network": network}
    what = f"{kind or 'unknown'}, {free / (1 << 30):.1f} GiB free"
    if free < NOTHING_BYTES:
        return Finding("disk", State.RED, what, "make room, or use another --home", data)
    if network:
        what += ": over a network, where stores are slow and locks may not hold"
        return Finding("disk", State.YELLOW, what, "use a --home on a disk of this machine", data)
    if free < LITTLE_BYTES:
        return Finding("disk", State.YELLOW, what, "make room", data)
    return Finding("disk", State.GREEN, what, data=data)


def _store(wal: bool) -> Finding:
    if wal:
        return Finding("store", State.GREEN, "matches can be kept here", data={"wal": wal})
    what = "no write-ahead log on this file system"
    remedy = "use a --home on a disk of this machine: commits are quicker there"
    return Finding("store", State.YELLOW, what, remedy, {"wal": wal})
