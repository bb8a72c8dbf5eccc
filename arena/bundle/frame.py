"""The outside of a bundle: named entries one after the other, as a gzipped tar that tools can list.

Written with nothing that depends on when, where or by whom. Read by ``tarfile`` in one pass: of all
that a tar can say only plain files are taken, each of the name and size that is expected next, and
nothing is made on the disk.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from arena.machine.untrusted_files import open_regular
from arena.values.errors import BundleError
from arena.values.untrusted import show, show_lines

LONGEST_LINE = 1000  # of a message
SUFFIX = ".arena"
MAGIC = b"\x1f\x8b"
_NAME = re.compile(r"[a-z0-9]+(?:[./-][a-z0-9]+)*")
# what cannot be unpacked, is no tar, or has other characters
_BROKEN = (tarfile.TarError, OSError, EOFError, zlib.error, ValueError)


def write_frame(file: IO[bytes], entries: Iterable[tuple[str, bytes]]) -> None:
    """Write entries, each a name and its content, to a file as a tar archive, packed by gzip."""
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
        for name, data in entries:
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o644
            packed.write(info.tobuf(tarfile.USTAR_FORMAT, "ascii", "strict"))
            packed.write(data)
            packed.write(bytes(-len(data) % tarfile.BLOCKSIZE))
        packed.write(bytes(2 * tarfile.BLOCKSIZE))


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


class _PlainFile(tarfile.TarInfo):
    """The header of a plain file; any other is refused before what follows it is read."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _PlainFile:
        info = super().frombuf(buf, encoding, errors)
        plain = info.type == tarfile.REGTYPE and info.size >= 0
        if not plain or _NAME.fullmatch(info.name) is None:
            raise tarfile.TarError(f'expected a plain entry, found "{show(info.name, 60)}"')
        return info


class FrameReader:
    """Reads the entries of a bundle from its start, each of them once.

    Args:
        file: the bundle; it is read from its beginning.
        name: what messages call it.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._name, self._where = name, "its beginning"
        file.seek(0)
        if file.read(len(MAGIC)) != MAGIC:
            raise BundleError(f"{show(name)}: not a bundle: arena bundle create did not write it")
        file.seek(0)
        self._unpacked = gzip.GzipFile(fileobj=file, mode="rb")
        with self._reading():
            self._archive = tarfile.TarFile(
                fileobj=self._unpacked, tarinfo=_PlainFile, encoding="ascii", errors="strict"
            )

    def error(self, what: str) -> BundleError:
        """Return the error that names the bundle and the entry that is being read."""
        return BundleError(show_lines(f"{self._name}: {self._where}: {what}", LONGEST_LINE))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except _BROKEN as error:
            raise self.error(f"cannot be read: {str(error) or 'it was cut short'}") from None

    def read(self, name: str, size: int, sha256: str | None = None) -> bytes:
        """Return the content of the next entry.

        Args:
            name: which has to be that one.
            size: how many bytes it has; without ``sha256``, at most.
            sha256: of its bytes.

        Raises:
            BundleError: something else is there.
        """
        self._where = name
        with self._reading():
            info = self._archive.next()
        if info is None:
            raise self.error("the bundle ends before it")
        if info.name != name or (info.size > size if sha256 is None else info.size != size):
            raise self.error(f"expected it with {size} bytes, found {info.name} with {info.size}")
        content = self._archive.extractfile(info)
        assert content is not None
        with self._reading():
            data = content.read()
        if sha256 not in (None, hashlib.sha256(data).hexdigest()):
            raise self.error("its hash is not that of the manifest")
        return data

    def end(self) -> None:
        """Raise ``BundleError`` unless all was read."""
        with self._reading():
            info = self._archive.next()
            rest = self._unpacked.read(tarfile.RECORDSIZE)  # what other programs write at the end
        if info is not None:
            raise self.error(f"{info.name} follows, which is not in the manifest")
        if len(rest) == tarfile.RECORDSIZE or any(rest):
            raise self.error("something stands behind the end of the bundle")
