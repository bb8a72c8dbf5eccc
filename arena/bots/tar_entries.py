"""The entries of a tar archive, packed by gzip or not, one after the other.

``tarfile`` goes where the headers send it and reads what they say is theirs. So it reads through a
file that only goes forwards, hands out no header longer than an honest one, and ends at a limit;
a header that points backwards, or a bomb, ends the reading there.
"""

from __future__ import annotations

import re
import stat
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, Protocol

from arena.bots.entries import FILE, FOLDER, Broken, Content, Entry, kind_of

if TYPE_CHECKING:
    from tarfile import TarInfo

__all__ = ["tar_entries"]

MAX_HEADER = 4 * 1024  # bytes of a long name or of extra values, which belong to one entry
MAX_HEADERS = 1 << 20  # of all of them together
_BLOCK = 512
# Pythons before 3.11.10 need time by the square of such a run (CVE-2024-6232)
_LONG_NUMBER = re.compile(rb"[0-9]{32}")
_CHUNK = 64 * 1024


def tar_entries(file: BinaryIO, limit: int, *, gzipped: bool) -> Iterator[tuple[Entry, Content]]:
    """Yield each entry with its content; raises ``Broken``.

    Args:
        file: the archive.
        limit: bytes it may have in all, once it is unpacked by gzip.
        gzipped: whether it is packed by gzip.
    """
    import tarfile

    forward = _Forward(_Gunzip(file) if gzipped else file, limit)
    name = ""
    try:
        with tarfile.TarFile(fileobj=forward) as archive:  # type: ignore[arg-type]  # enough of a file
            while (member := archive.next()) is not None:
                # it keeps every entry, with all that its headers say
                archive.members.clear()  # type: ignore[attr-defined]  # not in typeshed
                name = member.name
                yield _entry(member), _content(forward, member)
                name = ""
        if forward.last.strip(b"\0") or len(forward.last) != _BLOCK:
            raise Broken("is cut off, or has a broken header")
        while forward.take(_CHUNK):  # gzip's checksum stands at the end
            pass
    except Broken:
        raise
    except Exception as error:  # whatever a hostile archive makes the library stumble over
        raise Broken(f"cannot be read as a tar archive: {error}", name) from None


def _entry(member: TarInfo) -> Entry:
    from tarfile import AREGTYPE, BLKTYPE, CHRTYPE, DIRTYPE, FIFOTYPE, LNKTYPE, REGTYPE, SYMTYPE

    kinds = {
        REGTYPE: FILE,
        AREGTYPE: FILE,
        DIRTYPE: FOLDER,
        LNKTYPE: "a hard link",
        SYMTYPE: kind_of(stat.S_IFLNK),
        FIFOTYPE: kind_of(stat.S_IFIFO),
        CHRTYPE: kind_of(stat.S_IFCHR),
        BLKTYPE: kind_of(stat.S_IFBLK),
    }
    kind = kinds.get(member.type, "of an unknown kind")
    if member.issparse():
        kind = "a sparse file"
    elif kind == FOLDER and member.size:
        kind = "a folder with content"
    return Entry(member.name, kind, member.size, bool(member.mode & stat.S_IXUSR))


def _content(forward: _Forward, member: TarInfo) -> Content:
    left = member.size
    forward.seek(member.offset_data)
    while left > 0:
        chunk = forward.take(min(left, _CHUNK))
        if not chunk:
            raise Broken("is cut off", member.name)
        left -= len(chunk)
        yield chunk


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes, none at the end."""
        ...


class _Forward:
    """A file as ``tarfile`` needs it, which goes forwards only.

    Attributes:
        last: what was read for ``tarfile`` last, which is the header where it stopped.
    """

    def __init__(self, file: _Readable, limit: int) -> None:
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
            raise Broken("a header points backwards")
        while self._at < position and self.take(min(position - self._at, _CHUNK)):
            pass

    def read(self, size: int) -> bytes:
        """Return a header."""
        if size > _BLOCK:
            self._headers += size
        if not 0 <= size <= MAX_HEADER or self._headers > MAX_HEADERS:
            raise Broken("a header that no entry needs: too long, or one of too many")
        data = b""
        while len(data) < size and (more := self.take(size - len(data))):
            data += more
        if size > _BLOCK and _LONG_NUMBER.search(data):
            raise Broken("a header with a number that is too long")
        self.last = data
        return data

    def take(self, size: int) -> bytes:
        """Return up to ``size`` bytes of content."""
        data = self._file.read(size)
        self._at += len(data)
        if self._at > self._limit:
            raise Broken(f"more than {self._limit >> 20} MiB once it is unpacked")
        return data


class _Gunzip:
    """Unpacks gzip bit by bit; ``gzip`` itself would read a header of any length in Python."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rest = b""
        self._inflate = zlib.decompressobj(wbits=31)

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes, none at the end."""
        while True:
            if self._inflate.eof:  # another one may follow, or zeros to fill a block
                self._rest = self._inflate.unused_data.lstrip(b"\0")
                while not self._rest:
                    if not (more := self._file.read(_CHUNK)):
                        return b""
                    self._rest = more.lstrip(b"\0")
                self._inflate = zlib.decompressobj(wbits=31)
            packed = self._rest or self._file.read(_CHUNK)
            data = self._inflate.decompress(packed, size)
            self._rest = self._inflate.unconsumed_tail
            if data:
                return data
            if not packed and not self._inflate.eof:
                raise Broken("is cut off")
