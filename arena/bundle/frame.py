"""The outside of a bundle: named entries one after the other, as a gzipped tar that tools can list.

Written with nothing that depends on when, where or by whom. Read in one pass, a piece at a time,
and more strictly than tar: an entry's header must be the very bytes that we write for its name and
size, so that there are no links, folders, devices, owners or second names to be careful with.
"""

from __future__ import annotations

import gzip
import os
import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from arena.machine.untrusted_files import open_regular
from arena.values.errors import BundleError
from arena.values.untrusted import show, show_lines

__all__ = ["FrameEntry", "FrameReader", "is_bundle", "open_frame", "write_frame"]

BLOCK = 512
LONGEST_NAME = 100
LONGEST_LINE = 1000  # of a message
LARGEST = 1 << 33  # what eleven octal digits can say
SUFFIX = ".arena"
MAGIC = b"\x1f\x8b"
_NAME = re.compile(r"[a-z0-9]+(?:[./-][a-z0-9]+)*")
_READ = 1 << 16  # bytes at a time
_END = bytes(2 * BLOCK)


class FrameEntry(NamedTuple):
    """An entry's name and its size in bytes."""

    name: str
    size: int


def write_frame(file: IO[bytes], entries: Iterable[tuple[FrameEntry, Iterable[bytes]]]) -> None:
    """Write entries, each with its bytes in pieces.

    Args:
        file: where to.
        entries: in the order in which they will be read.
    """
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
        for entry, pieces in entries:
            packed.write(_header(entry))
            written = 0
            for piece in pieces:
                packed.write(piece)
                written += len(piece)
            assert written == entry.size, f"{entry.name}: {written} bytes"
            packed.write(bytes(-written % BLOCK))
        packed.write(_END)


@contextmanager
def open_frame(path: Path) -> Iterator[IO[bytes]]:
    """Open a bundle's file for reading.

    Raises:
        BundleError: it cannot be read, or is no plain file.
    """
    try:
        descriptor = open_regular(path)
    except OSError as error:
        raise BundleError(f"{show(str(path))}: cannot be read: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        yield file


def is_bundle(named: str) -> bool:
    """Return whether what a person names is a bundle: by its name, or by how the file begins."""
    path = Path(named)
    if path.suffix == SUFFIX:
        return True
    try:
        with open_frame(path) as file:
            return file.read(len(MAGIC)) == MAGIC
    except BundleError:
        return False


class FrameReader:
    """Reads the entries of a bundle from its start, each of them once.

    Args:
        file: the bundle; it is read from its beginning.
        name: what messages call it.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._name = name
        file.seek(0)
        if file.read(len(MAGIC)) != MAGIC:
            raise BundleError(f"{show(name)}: not a bundle: arena bundle create did not write it")
        file.seek(0)
        self._unpacked = gzip.GzipFile(fileobj=file, mode="rb")
        self._left = 0  # of the entry that is being read
        self._padding = 0
        self._where = "its beginning"

    def error(self, what: str) -> BundleError:
        """Return the error that names the bundle and the entry that is being read."""
        return BundleError(show_lines(f"{self._name}: {self._where}: {what}", LONGEST_LINE))

    def next(self) -> FrameEntry | None:
        """Return the next entry, whose bytes are to be read now; ``None`` at the end.

        Raises:
            BundleError: there is something else.
        """
        assert not self._left, "an entry is read to its end"
        self._skip_padding()
        self._where = f"after {self._where}"
        header = self._exactly(BLOCK)
        if header == _END[:BLOCK]:
            if self._exactly(BLOCK) != _END[:BLOCK]:
                raise self.error("one of the two blocks that end a bundle is missing")
            if self._read(1):
                raise self.error("something stands behind the end of the bundle")
            return None
        entry = self._parsed(header)
        self._left, self._padding = entry.size, -entry.size % BLOCK
        self._where = entry.name
        return entry

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the entry, some 64 KiB at a time."""
        while self._left:
            piece = self._exactly(min(self._left, _READ))
            self._left -= len(piece)
            yield piece

    def whole(self) -> bytes:
        """Return all bytes of the entry."""
        return b"".join(self.pieces())

    def _skip_padding(self) -> None:
        if any(self._exactly(self._padding)):
            raise self.error("something stands behind its end")
        self._padding = 0

    def _parsed(self, header: bytes) -> FrameEntry:
        name, size = header[:LONGEST_NAME].rstrip(b"\0"), header[124:135]
        try:
            entry = FrameEntry(name.decode("ascii"), int(size, 8))
            sound = _NAME.fullmatch(entry.name) is not None and header == _header(entry)
        except ValueError:
            sound = False
        if not sound:
            raise self.error(f'expected a plain entry, found "{show(name, 60)}"')
        return entry

    def _exactly(self, count: int) -> bytes:
        found = self._read(count)
        if len(found) < count:
            raise self.error("the bundle ends here; it was cut short")
        return found

    def _read(self, most: int) -> bytes:
        """Return so many bytes, or fewer at the end."""
        try:
            return self._unpacked.read(most)
        except EOFError:
            raise self.error("the bundle ends here; it was cut short") from None
        except gzip.BadGzipFile as error:  # the checksum is wrong, or something follows
            raise self.error(f"something else is at the end of the bundle ({error})") from None
        except zlib.error as error:
            raise self.error(f"cannot be unpacked ({error})") from None


def _header(entry: FrameEntry) -> bytes:
    """Return the one header that an entry can have."""
    if not 0 <= entry.size < LARGEST or len(entry.name) > LONGEST_NAME:
        raise ValueError(f"no entry of a bundle: {entry}")
    info = tarfile.TarInfo(entry.name)
    info.size, info.mode = entry.size, 0o644
    return info.tobuf(tarfile.USTAR_FORMAT, "ascii", "strict")
