"""The entries of tar and zip archives, one after the other, before anything of them is believed.

``tarfile`` goes where the headers send it and reads what they say is theirs; ``zipfile`` takes the
list at the archive's end for true, and reads all of it at once. So both read through files that
hand out little at a time. Whatever else a hostile archive makes them stumble over is ``Refused``.
"""

from __future__ import annotations

import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, TypeVar

__all__ = ["FILE", "FOLDER", "Content", "Entry", "Refused", "entries_of"]

T = TypeVar("T")

FILE = "a file"
FOLDER = "a folder"

MAX_LIST = 4 << 20  # bytes that zipfile reads at once; the list of entries is
MAX_HEADER = 4 * 1024  # bytes of a long name or of extra values, which belong to one entry of a tar
MAX_HEADERS = 1 << 20  # of all of them together
BESIDE = 16 << 20  # bytes that a tar may have beside the content
MAX_STREAMS = 1000  # of gzip, one after the other
MAX_BARREN = 1 << 20  # bytes of gzip that unpack to nothing

_CHUNK = 64 * 1024
_BLOCK = 512
# Pythons before 3.11.10 need time by the square of such a run (CVE-2024-6232)
_LONG_NUMBER = re.compile(rb"[0-9]{32}")
_ENCRYPTED = 0x1 | 0x40 | 0x2000

_TYPES = {
    **dict.fromkeys((tarfile.REGTYPE, tarfile.AREGTYPE), FILE),
    **dict.fromkeys((tarfile.CHRTYPE, tarfile.BLKTYPE), "a device"),
    tarfile.DIRTYPE: FOLDER,
    tarfile.LNKTYPE: "a hard link",
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.FIFOTYPE: "a pipe",
}
_MODES = {
    0: "",  # it says nothing
    **dict.fromkeys((stat.S_IFCHR, stat.S_IFBLK), "a device"),
    stat.S_IFREG: FILE,
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}

Content = Iterator[bytes]
"""The content of an entry in pieces, read as somebody asks for them, before the next entry's."""


class Entry(NamedTuple):
    """One entry: its name as it stands there, what it is (in words), and its size in bytes."""

    name: str
    kind: str
    size: int
    executable: bool


class Refused(Exception):
    """An entry, or the whole archive, is not as it must be; ``str(error)`` says why."""


def entries_of(file: BinaryIO, name: str, limit: int) -> Iterator[tuple[Entry, Content]]:
    """Yield each entry of an archive with its content; raises ``Refused``.

    Args:
        file: the archive.
        name: what it is called, which says how it is packed.
        limit: bytes that all content may have.
    """
    kind = "zip" if name.lower().endswith(".zip") else "tar"
    if kind == "zip":
        entries = _zip_entries(file)
    else:
        unpacked = file if name.lower().endswith(".tar") else _Gunzip(file)
        entries = _tar_entries(_Forward(unpacked, limit + BESIDE))
    for entry, content in _or_refused(entries, f"cannot be read as a {kind} archive"):
        yield entry, _or_refused(content, "cannot be unpacked")


def _or_refused(items: Iterator[T], what: str) -> Iterator[T]:
    """Yield what is read; whatever a hostile archive makes a library raise is ``Refused``."""
    try:
        yield from items
    except Refused:
        raise
    except Exception as error:
        raise Refused(f"{what}: {error}") from None


def _tar_entries(forward: _Forward) -> Iterator[tuple[Entry, Content]]:
    with tarfile.TarFile(fileobj=forward) as archive:  # type: ignore[arg-type]  # enough of a file
        while (member := archive.next()) is not None:
            # it keeps every entry, with all that its headers say
            archive.members.clear()  # type: ignore[attr-defined]  # not in typeshed
            yield _tar_entry(member), _tar_content(forward, member)
    if forward.last.strip(b"\0") or len(forward.last) != _BLOCK:
        raise Refused("is cut off, or has a broken header")
    while forward.take(_CHUNK):  # gzip's checksum stands at the end
        pass


def _zip_entries(file: BinaryIO) -> Iterator[tuple[Entry, Content]]:
    """Yield the entries; content longer than one says ends there, and misses its checksum."""
    with zipfile.ZipFile(_Guarded(file)) as archive:
        for info in archive.infolist():
            yield _zip_entry(info), _zip_content(archive, info)


def _tar_entry(member: tarfile.TarInfo) -> Entry:
    kind = _TYPES.get(member.type, "of an unknown kind")
    if member.issparse():
        kind = "a sparse file"
    elif kind == FOLDER and member.size:
        kind = "a folder with content"
    return Entry(member.name, kind, member.size, bool(member.mode & stat.S_IXUSR))


def _tar_content(forward: _Forward, member: tarfile.TarInfo) -> Content:
    left = member.size
    forward.seek(member.offset_data)
    while left > 0:
        chunk = forward.take(min(left, _CHUNK))
        if not chunk:
            raise Refused("is cut off")
        left -= len(chunk)
        yield chunk


def _zip_entry(info: zipfile.ZipInfo) -> Entry:
    """Return an entry; ``orig_filename`` is its name before anything was cut off."""
    mode = info.external_attr >> 16
    named = FOLDER if info.orig_filename.endswith("/") else FILE
    kind = _MODES.get(stat.S_IFMT(mode), "something unknown") or named
    if kind in (FILE, FOLDER) and kind != named:
        kind = f"{named} by its name, and {kind} by its mode"
    if info.flag_bits & _ENCRYPTED:
        kind = "encrypted"
    elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        kind = "packed in an unusual way"
    elif named == FOLDER and info.file_size:
        kind = "a folder with content"
    return Entry(info.orig_filename, kind, info.file_size, bool(mode & stat.S_IXUSR))


def _zip_content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Content:
    with archive.open(info) as content:
        while chunk := content.read(_CHUNK):
            yield chunk


class _Forward:
    """A file as ``tarfile`` needs it, which goes forwards only and hands out no long header.

    Attributes:
        last: what was read for ``tarfile`` last, which is the header where it stopped.
    """

    def __init__(self, file: BinaryIO | _Gunzip, limit: int) -> None:
        self.last = b""
        self._file = file
        self._limit = limit
        self._at = 0
        self._headers = 0

    def tell(self) -> int:
        """Return how many bytes were read."""
        return self._at

    def seek(self, position: int) -> None:
        """Skip what lies before a position, or all there is."""
        if position < self._at:
            raise Refused("a header points backwards")
        while self._at < position and self.take(min(position - self._at, _CHUNK)):
            pass

    def read(self, size: int) -> bytes:
        """Return a header."""
        if size > _BLOCK:
            self._headers += size
        if not 0 <= size <= MAX_HEADER or self._headers > MAX_HEADERS:
            raise Refused("a header that no entry needs: too long, or one of too many")
        self.last = self.take(size)
        if size > _BLOCK and _LONG_NUMBER.search(self.last):
            raise Refused("a header with a number that is too long")
        return self.last

    def take(self, size: int) -> bytes:
        """Return bytes of content, fewer only at the end."""
        data = self._file.read(size)
        self._at += len(data)
        if self._at > self._limit:
            raise Refused(f"more than {self._limit >> 20} MiB once it is unpacked")
        return data


class _Gunzip:
    """Unpacks gzip; Python's own reader goes through a header, or zeros, byte by byte."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._packed = b""
        self._stream = zlib.decompressobj(wbits=31)
        self._streams = 1
        self._barren = 0

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end."""
        data = b""
        while len(data) < size and (not self._stream.eof or self._next_stream()):
            packed = self._packed or self._file.read(_CHUNK)
            piece = self._stream.decompress(packed, size - len(data))
            self._packed = self._stream.unused_data or self._stream.unconsumed_tail
            if not (packed or piece or self._stream.eof):
                raise Refused("is cut off")
            if not piece:
                self._count_barren(len(packed) - len(self._packed))
            data += piece
        return data

    def _next_stream(self) -> bool:
        """Begin with the stream behind one that has ended, and behind zeros that fill a block."""
        while not (rest := self._packed.lstrip(b"\0")):
            self._count_barren(len(self._packed))
            self._packed = self._file.read(_CHUNK)
            if not self._packed:
                return False
        self._packed = rest
        self._stream = zlib.decompressobj(wbits=31)
        self._streams += 1
        self._count_barren(0)
        return True

    def _count_barren(self, size: int) -> None:
        self._barren += size
        if self._streams > MAX_STREAMS or self._barren > MAX_BARREN:
            raise Refused(
                "more streams of gzip, or more that unpacks to nothing, than an archive needs"
            )


class _Guarded:
    """A file of which nobody reads much at once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return bytes as any file does; raises ``Refused`` if they are too many."""
        left = max(0, self._size - self._file.tell())
        wanted = left if size < 0 else min(size, left)
        if wanted > MAX_LIST:
            raise Refused(f"its list of entries is longer than {MAX_LIST >> 20} MiB")
        return self._file.read(wanted)
