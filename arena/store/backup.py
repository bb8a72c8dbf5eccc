"""All of a home as one file, and back: for the organiser's own disk, not for somebody else.

A backup is trusted as much as a home: its bots start as they did there, and its seeds are secret. A
bundle is for somebody else: it is verified, and registers nothing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from typing import Any

from arena.database.access import connect
from arena.database.sqlite import FILE_NAME
from arena.machine.untrusted_files import make_private
from arena.store.lock import copies_lock
from arena.store.store import open_home, open_store
from arena.values.errors import StoreError, UsageError
from arena.values.untrusted import show

FOLDERS = ("bots", "environments", "openings")
MODE = 0o777  # of what is restored: nothing else of a file's mode


class _Tar(tarfile.TarFile):
    """Leaves out what goes meanwhile: bots lie beside their copies until they are copied whole."""

    def add(self, *args: Any, **named: Any) -> None:
        with contextlib.suppress(FileNotFoundError):
            super().add(*args, **named)


def back_up(home: Path, file: Path) -> int:
    """Write all of a home into a new file that only its owner can read; return its bytes.

    The home may be in use: what is written is the store of one moment, and the copies of bots that
    it names.

    Raises:
        UsageError: there is no such home, or a file of that name.
        StoreError: the store cannot be read.
        OSError: the file cannot be written.
    """
    open_home(home).close()
    if os.path.lexists(file):
        raise UsageError(f"{show(str(file))} is there already, and a backup overwrites nothing")
    with tempfile.TemporaryDirectory(prefix=f".{file.name}-", dir=file.absolute().parent) as place:
        copy, part = Path(place, FILE_NAME), Path(place, "part")
        with copies_lock(home):  # so that none of them is removed meanwhile
            _copy_store(home / FILE_NAME, copy)
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                with _Tar.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
                    tar.add(copy, FILE_NAME)
                    for folder in FOLDERS:
                        if (home / folder).is_dir():
                            tar.add(home / folder, folder)
                out.flush()
                os.fsync(out.fileno())
        size = part.stat().st_size
        try:
            os.link(part, file)  # unlike a rename it overwrites nothing
        except FileExistsError:
            raise UsageError(
                f"{show(str(file))} was made meanwhile, and is left as it is"
            ) from None
        except PermissionError:  # a file system without links
            part.rename(file)
        return size


def restore(file: Path, home: Path) -> None:
    """Make a home of a backup, where there is none or an empty folder; all of it, or nothing.

    Raises:
        UsageError: the file is no backup, or there is something in the home.
        StoreError: the store in it is damaged, or of a newer arena.
        OSError: the file cannot be read, or the home cannot be written.
    """
    if os.path.lexists(home) and not (home.is_dir() and not any(home.iterdir())):
        raise UsageError(f"{show(str(home))} is not empty: name a --home that does not exist yet")
    home = home.absolute()
    make_private(home.parent)
    begun = Path(tempfile.mkdtemp(prefix=f".{home.name}-", dir=home.parent))  # mode 0700
    try:
        with open(file, "rb") as data:
            try:
                with tarfile.open(fileobj=data, mode="r:") as tar:
                    folders = [_take_out(tar, member, begun, file) for member in tar]
            except tarfile.TarError as error:
                raise _no_backup(file, str(error)) from None
        if not (begun / FILE_NAME).is_file():
            raise _no_backup(file, f"it has no {FILE_NAME}")
        with open_store(begun, create=False) as store:
            if damage := store.check():
                raise StoreError(damage)
        for folder, mode in filter(None, reversed(folders)):  # some cannot be written to then
            folder.chmod(mode)
        begun.rename(home)  # onto an empty folder as well
    finally:
        shutil.rmtree(begun, ignore_errors=True)


def _copy_store(source: Path, copy: Path) -> None:
    """Copy a database that others may write to meanwhile."""
    try:
        with (
            contextlib.closing(connect(source, "ro")) as one,
            contextlib.closing(sqlite3.connect(copy)) as other,
        ):
            one.backup(other)
    except sqlite3.Error as error:
        raise StoreError(f"{source} cannot be copied (SQLite: {error})") from None


def _take_out(
    tar: tarfile.TarFile, member: tarfile.TarInfo, place: Path, file: Path
) -> tuple[Path, int] | None:
    """Write an entry of a backup, if it is one that a backup has; of a folder return the mode."""
    path = PurePosixPath(member.name)
    parts = path.parts
    if ".." in parts or path.is_absolute() or not parts or parts[0] not in (FILE_NAME, *FOLDERS):
        raise _no_backup(file, f'"{show(member.name)}" is in it')
    target, mode = place.joinpath(*parts), stat.S_IMODE(member.mode) & MODE | stat.S_IRUSR
    if any((place / folder).is_symlink() for folder in path.parents):
        raise _no_backup(file, f'"{show(member.name)}" lies below a link')
    if member.isdir():
        target.mkdir()
        return target, mode | stat.S_IXUSR
    if member.issym() and parts[0] == "environments" and len(parts) == 2:
        target.symlink_to(member.linkname)
    elif member.isreg() and not os.path.lexists(target):
        source = tar.extractfile(member)
        assert source is not None, "it is a plain file"
        with open(target, "xb") as out:
            shutil.copyfileobj(source, out)
        target.chmod(mode)
    else:
        raise _no_backup(file, f'"{show(member.name)}" is no file and no folder, or is there twice')
    return None


def _no_backup(file: Path, why: str) -> UsageError:
    return UsageError(f"{show(str(file))} is no backup of a home, or is damaged: {why}")
