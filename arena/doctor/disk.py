"""The disk that the home is on: its room, and whether matches can be kept there."""

from __future__ import annotations

import os
from pathlib import Path

from arena.database.sqlite import open_database
from arena.doctor.finding import Finding
from arena.machine.run_folder import scratch_folder
from arena.values.errors import ArenaError

LITTLE_BYTES = 1 << 30
NOTHING_BYTES = 64 << 20


def disk_finding(home: Path) -> Finding:
    """Return what there is to say of the disk of a home, which need not exist yet."""
    place = home.absolute()
    folder = next(each for each in (place, *place.parents) if os.path.isdir(each))
    room = os.statvfs(folder)
    free = room.f_bavail * room.f_frsize
    data = {"folder": str(folder), "free_bytes": free}
    try:
        try_store(folder)
    except (ArenaError, OSError) as error:
        what = f"nothing can be kept in {home}: {error}"
        remedy = "choose another place with --home, or give this user write permission there"
        return Finding("disk", what, data, remedy, red=True)
    what = f"matches can be kept here, {free / (1 << 30):.1f} GiB free"
    remedy = "make room, or use another --home" if free < LITTLE_BYTES else ""
    return Finding("disk", what, data, remedy, red=free < NOTHING_BYTES)


def try_store(folder: Path) -> None:
    """Write to a store here, which is gone afterwards; raises what the store raises."""
    with scratch_folder(folder) as scratch:
        database = open_database(scratch, create=True)
        try:
            with database.writing() as execute:
                execute("CREATE TABLE probe (text TEXT)")
        finally:
            database.close()
