"""Archives of bots, unpacked entry by entry: nothing leaves the folder, nothing is taken on trust.

An entry's name, kind and size are checked before the first byte of it is written. Only regular
files and folders are made, in a folder of their own that is removed afterwards.
"""

from __future__ import annotations

import errno
import gzip
import os
import shutil
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, NamedTuple

from arena.bots.content import MAX_DEPTH, MAX_FILES, too_large
from arena.bots.program import ARCHIVES, is_archive
from arena.machine.run_folder import own_folder
from arena.machine.untrusted_files import open_regular
from arena.values.errors import BotError
from arena.values.model import DEFAULT_BOT_SIZE
from arena.values.untrusted import show

BESIDE = 16 << 20  # bytes that a tar may have beside the content
LISTED = 100_000  # entries that are looked at for environments, which have many
MAX_SIZE = 16 << 30  # bytes of an archive of all hand-ins
MAX_LIST = 4 << 20  # bytes of the list of entries at the end of a zip archive
MAX_HEADER = 8 * 1024  # bytes that are read of a tar at once: of a long name
MAX_PIECE = 1 << 20  # of content, as Python 3.14 does
MAX_HEADERS = 1 << 20  # of all that may belong to one entry of a tar, beside its content

_LITTER = "__MACOSX"  # a folder that one system adds to its archives
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may take any amount of memory
_UNFIT = (errno.EINVAL, errno.ENAMETOOLONG)  # a place or a name that cannot be


@contextmanager
def unpacked(path: Path, most: int = DEFAULT_BOT_SIZE, times: int = 1) -> Iterator[Path]:
    """Give the folder of the bot that an archive holds; a path that is none is given as it is.

    Where an archive holds nothing but one folder, that one is the bot's. The folder is gone
    afterwards, whatever happens; errors about its files name the archive. It has ``most`` bytes at
    most, packed or not, and at most so many ``times`` the files and folders of a bot.

    Raises:
        BotError: it is no archive, or something in it is not as it must be; nothing is left.
    """
    if not is_archive(path) or path.is_dir() or not os.path.lexists(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="unpack-", dir=own_folder()) as scratch:
        folder = Path(os.path.realpath(scratch), stem_of(path))
        folder.mkdir()
        with _open(path, most) as file:
            unpack(file, str(path), folder, most, times)
        shutil.rmtree(folder / _LITTER, ignore_errors=True)
        inner = list(folder.iterdir())
        try:
            yield inner[0] if len(inner) == 1 and inner[0].is_dir() else folder
        except BotError as error:
            message = str(error).replace(str(folder), str(path))
            raise type(error)(message) from error


def zip_names(path: Path) -> list[str]:
    """Return the names of the entries of a zip archive, as they are in it; damaged: none."""
    try:
        with _open(path, MAX_SIZE) as file:
            return [entry.name for entry in _zip_entries(file, MAX_SIZE)]
    except Exception:  # whatever a hostile archive makes a library raise
        return []


def unpack(
    file: BinaryIO,
    path: str,
    folder: Path,
    most: int = DEFAULT_BOT_SIZE,
    times: int = 1,
) -> None:
    """Unpack an archive into an empty folder.

    Args:
        file: the archive.
        path: what it is called, in messages too; its ending says how it is packed.
        folder: where it goes.
        most: bytes of all its files together.
        times: as many as a bot's are its files and folders. Those of virtual environments do not
            count, and are left out.

    Raises:
        BotError: something in it is not as it must be.
    """
    files = 0
    made = {PurePosixPath()}  # files and folders, listed or not
    left_out = 0
    where, size = path, 0  # what is read now, and the bytes of the entries up to there
    try:
        environments = _environments(file, path, most, times)
        for number, entry in enumerate(_entries(file, path, most)):
            where = f'{path}: entry "{show(entry.name)}"'
            if not environments.isdisjoint(PurePosixPath(entry.name).parents):
                left_out += 1
                if left_out > LISTED * times:
                    raise BotError(f"{where}: one too many, of what is left out")
                continue
            size += entry.size
            if size > most or entry.size < 0:
                raise too_large(where, most)
            if not entry.plain:
                raise BotError(f"{where}: expected regular files and folders only, packed as usual")
            place = _place(where, entry.name)
            made.update((place, *place.parents))
            if max(number - left_out, len(made) - 1) > MAX_FILES * times:
                raise BotError(f"{where}: one too many; expected at most {MAX_FILES * times:,}")
            if entry.open is None:
                (folder / place).mkdir(parents=True, exist_ok=True)
            else:
                _write(folder / place, entry, entry.open)
                files += 1
            where = path
    except (BotError, MemoryError):
        raise
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise BotError(f"{where}: a second entry of this name; expected every name once") from None
    except Exception as error:  # whatever a hostile archive makes a library raise
        why = str(error)
        if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile):
            if error.errno not in _UNFIT:
                raise
            why = str(error.strerror)
        raise BotError(f"{where}: cannot be unpacked: {show(why, 300)}") from None
    if not files:
        raise BotError(f"{path}: no file in it; expected those of a bot")


def stem_of(path: Path) -> str:
    """Return the name of an archive without its ending; ``bot`` where no name is left."""
    name = path.name.lower()
    stem = path.name[: -max(len(end) for end in ARCHIVES if name.endswith(end))]
    return stem if stem.strip(".") and stem.isprintable() else "bot"


def _open(path: Path, most: int) -> BinaryIO:
    try:
        file = open(open_regular(path, os.O_NOFOLLOW), "rb")  # noqa: SIM115  # the caller's
    except OSError as error:
        link = os.path.islink(path)
        why = "a link; name the archive itself" if link else error.strerror
        raise BotError(f"{path}: {why}") from None
    if os.fstat(file.fileno()).st_size > most:
        file.close()
        raise BotError(f"{path}: expected an archive of at most {most >> 20} MiB")
    return file


class _ArchiveEntry(NamedTuple):
    """One entry, before anything of it is believed.

    Attributes:
        name: as it is in the archive.
        size: of its content in bytes, as it says.
        plain: is it a regular file or a folder, packed as usual?
        executable: may its owner execute it?
        open: gives its content, ``None`` for a folder.
    """

    name: str
    size: int
    plain: bool
    executable: bool
    open: Callable[[], IO[bytes] | None] | None


def _entries(file: BinaryIO, path: str, most: int) -> Iterator[_ArchiveEntry]:
    """Yield each entry of an archive; raises whatever ``zipfile``, ``tarfile`` and zlib raise."""
    name = path.lower()
    if name.endswith(".zip"):
        yield from _zip_entries(file, most)
    elif name.endswith(".tar"):
        yield from _tar_entries(file)
    else:
        with tempfile.TemporaryFile() as tar:
            _gunzip(file, tar, most)
            yield from _tar_entries(tar)


def _zip_entries(file: BinaryIO, most: int) -> Iterator[_ArchiveEntry]:
    with zipfile.ZipFile(_Sparing(file, MAX_LIST, 2 * most)) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            plain = stat.S_IFMT(mode) in (0, stat.S_IFDIR if info.is_dir() else stat.S_IFREG)
            give = None if info.is_dir() else partial(archive.open, info)
            plain = plain and info.compress_type in _PACKED
            yield _ArchiveEntry(
                info.filename, info.file_size, plain, bool(mode & stat.S_IXUSR), give
            )


def _tar_entries(file: IO[bytes]) -> Iterator[_ArchiveEntry]:
    sparing = _Sparing(file, MAX_HEADER, MAX_HEADERS)
    with tarfile.TarFile(fileobj=sparing) as archive:  # type: ignore[arg-type]  # enough of a file
        while (member := archive.next()) is not None:
            sparing.most, sparing.left = MAX_PIECE, member.size
            plain = (member.isfile() or member.isdir()) and not member.issparse()
            give = None if member.isdir() else partial(archive.extractfile, member)
            yield _ArchiveEntry(
                member.name, member.size, plain, bool(member.mode & stat.S_IXUSR), give
            )
            sparing.most, sparing.left = MAX_HEADER, MAX_HEADERS
            archive.members.clear()  # type: ignore[attr-defined]  # else it keeps them all
        file.seek(archive.offset)  # it takes a broken header for the end
        if file.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
            raise tarfile.ReadError("cut off, or a broken header")


def _gunzip(file: BinaryIO, tar: IO[bytes], most: int) -> None:
    """Unpack a file of gzip, which holds files of at most so many bytes."""
    with gzip.GzipFile(fileobj=file) as stream:
        while piece := stream.read(MAX_HEADER):
            tar.write(piece)
            if tar.tell() > most + BESIDE:
                raise ValueError(f"more than {most >> 20} MiB")
    tar.seek(0)


def _environments(file: BinaryIO, path: str, most: int, times: int) -> set[PurePosixPath]:
    """Return the folders of an archive that are virtual environments, as far as it can be read."""
    found: set[PurePosixPath] = set()
    with suppress(Exception):  # it will be refused for that
        for entry in islice(_entries(file, path, most), LISTED * times):
            name = PurePosixPath(entry.name)
            if name.name == "pyvenv.cfg":
                found.add(name.parent)
    file.seek(0)
    return found - {PurePosixPath()}


def _place(where: str, name: str) -> PurePosixPath:
    """Return where an entry goes; no name leads out of the archive."""
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts:
        raise BotError(f"{where}: a way out of the archive; expected a name within it")
    if len(place.parts) > MAX_DEPTH + 1:
        raise BotError(f"{where}: expected at most {MAX_DEPTH} folders in one another")
    return place


def _write(place: Path, entry: _ArchiveEntry, give: Callable[[], IO[bytes] | None]) -> None:
    """Write a file, whose content must have the size that its entry says."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place, "xb") as file:
        content = give()
        assert content is not None
        with content:
            shutil.copyfileobj(content, file, MAX_HEADER)
        if file.tell() != entry.size:
            raise ValueError(f"another size than the {entry.size} bytes it says")
    place.chmod(0o755 if entry.executable else 0o644)


class _Sparing:
    """A file of which little is read at once, and not much in all, whatever an archive says.

    ``most`` is how much may be read at once, ``left`` how much more in all.
    """

    def __init__(self, file: IO[bytes], most: int, left: int) -> None:
        self._file, self.most, self.left = file, most, left
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return bytes as any file does; raises ``ValueError`` if they are too many."""
        data = self._file.read(size if 0 <= size <= self.most else self.most + 1)
        self.left -= len(data)
        if len(data) > self.most or self.left < 0:
            raise ValueError("a list of entries or a header that no bot needs: too long")
        return data
