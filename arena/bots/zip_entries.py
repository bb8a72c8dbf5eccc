"""The entries of a zip archive, one after the other.

``zipfile`` takes the list at the archive's end for true, and reads all of it at once, however long
it says to be. So it reads through a file that hands out little at a time, and what it found is
looked at: names as they stand there, encryption, and ways of packing that cost more than they look.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from arena.bots.entries import FILE, FOLDER, Broken, Content, Entry, kind_of

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

__all__ = ["zip_entries"]

MAX_READ = 4 << 20  # bytes that are read at once; the list of entries is
_CHUNK = 64 * 1024
_ENCRYPTED = 0x1 | 0x40 | 0x2000


def zip_entries(file: BinaryIO) -> Iterator[tuple[Entry, Content]]:
    """Yield each entry with its content; raises ``Broken``.

    Content that is longer than the entry says ends there, and does not match its checksum.
    """
    import zipfile

    name = ""
    try:
        with zipfile.ZipFile(_Guarded(file)) as archive:
            for info in archive.infolist():
                name = info.orig_filename
                yield _entry(info), _content(archive, info)
                name = ""
    except Broken:
        raise
    except Exception as error:  # whatever a hostile archive makes the library stumble over
        raise Broken(f"cannot be read as a zip archive: {error}", name) from None


def _entry(info: ZipInfo) -> Entry:
    """Return an entry; ``orig_filename`` is its name before anything was cut off."""
    mode = info.external_attr >> 16
    named = FOLDER if info.orig_filename.endswith("/") else FILE
    kind = kind_of(mode) if stat.S_IFMT(mode) else named
    if kind in (FILE, FOLDER) and kind != named:
        kind = f"{named} by its name, and {kind} by its mode"
    if info.flag_bits & _ENCRYPTED:
        kind = "encrypted"
    elif info.compress_type not in (0, 8):
        kind = "packed in an unusual way"
    elif named == FOLDER and info.file_size:
        kind = "a folder with content"
    return Entry(info.orig_filename, kind, info.file_size, bool(mode & stat.S_IXUSR))


def _content(archive: ZipFile, info: ZipInfo) -> Content:
    try:
        with archive.open(info) as content:
            while chunk := content.read(_CHUNK):
                yield chunk
    except Broken:
        raise
    except Exception as error:
        raise Broken(f"cannot be unpacked: {error}", info.orig_filename) from None


class _Guarded:
    """A file of which nobody reads much at once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return bytes as any file does; raises ``Broken`` if they are too many."""
        left = max(0, self._size - self._file.tell())
        wanted = left if size < 0 else min(size, left)
        if wanted > MAX_READ:
            raise Broken(f"its list of entries is longer than {MAX_READ >> 20} MiB")
        return self._file.read(wanted)
