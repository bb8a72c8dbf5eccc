"""Files whose names or content are not ours: opened without following, waiting or filling memory.

A path that somebody else chose may be a pipe, a device without an end, a file that says it has a
terabyte, or a link to a file of the reader's.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import IO

MOST_OF_RECORDS = 64 << 20  # bytes of one record, or of a list of matches, that a person names


def open_regular(
    path: str | os.PathLike[str], flags: int = os.O_RDONLY, *, folder: int | None = None
) -> int:
    """Return the descriptor of a regular file; a pipe or a device is neither waited for nor read.

    Args:
        path: the file.
        flags: as for ``os.open``; a file that they make is this user's alone.
        folder: the descriptor of the folder that the path begins in.

    Raises:
        OSError: it is no regular file, or cannot be opened.
    """
    quick = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags | quick, 0o600, dir_fd=folder)
    except ValueError as error:  # a zero byte in the path
        raise OSError(errno.EINVAL, str(error)) from None
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        found = "a folder" if stat.S_ISDIR(mode) else "a pipe, a device or the like"
        raise OSError(errno.EINVAL, f"expected a file, found {found}")
    return descriptor


def read_regular(path: str | os.PathLike[str], most: int) -> bytes:
    """Return all that a regular file holds.

    Raises:
        OSError: it is no regular file, cannot be read, or holds more than ``most`` bytes.
    """
    with open(open_regular(path), "rb") as file:
        size = os.fstat(file.fileno()).st_size  # so that one that is too large is not read first
        data = b"" if size > most else file.read(most + 1) or b""
    if max(size, len(data)) > most:
        unit = f"{most >> 20} MiB" if most >> 20 else f"{most} bytes"
        raise OSError(errno.EFBIG, f"more than {unit}")
    return data


def read_lines(path: str | os.PathLike[str], most: int) -> Generator[bytes, None, None]:
    """Yield the lines of a regular file, of which only one is in memory.

    Raises:
        OSError: it is no regular file, cannot be read, or has a line of more than ``most`` bytes.
    """
    with open(open_regular(path), "rb") as file:
        while line := file.readline(most + 1):
            if len(line) > most:
                raise OSError(errno.EFBIG, f"a line of more than {most >> 20} MiB")
            yield line


@contextlib.contextmanager
def whole_file(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a new file that takes the place of ``path`` at the end of the block, unless it fails.

    It has another name until then. Whatever has that name, left by a writer that was stopped or
    laid by somebody, is removed, and never written to. If two processes write one file at a time,
    only the one that began last succeeds. A private file only its user can ever read.

    Raises:
        OSError: it cannot be written, or another process has begun to; it names ``path``.
    """
    part = path.with_name(path.name + ".part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        part.unlink(missing_ok=True)
        descriptor = os.open(part, flags, 0o600 if private else 0o666)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    made = os.fstat(descriptor)
    try:
        with open(descriptor, "wb") as file:
            yield file
        if not _is_same(part, made):
            raise OSError(errno.EBUSY, "another process writes it", str(path))
        part.replace(path)
    finally:
        if _is_same(part, made):
            part.unlink()


def _is_same(path: Path, made: os.stat_result) -> bool:
    """Return whether the file at a path is the one that ``made`` describes."""
    return os.path.lexists(path) and os.path.samestat(made, os.lstat(path))


def make_private(folder: Path) -> None:
    """Make a folder and all that is missing above it, for this user alone; one that is there stays.

    Raises:
        OSError: it cannot be made.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):  # somebody else was first
            each.mkdir(mode=0o700)
