"""Archives of bots, unpacked entry by entry: nothing leaves the folder, nothing is taken on trust.

An entry's name, kind and size are checked before the first byte of it is written, and its size once
more meanwhile. Only regular files and folders are made, in a folder of their own that is removed
afterwards.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arena.bots.archive_entries import FILE, FOLDER, Content, Entry, Refused, entries_of
from arena.bots.content import MAX_BYTES, MAX_DEPTH, MAX_FILES
from arena.bots.program import ARCHIVES, is_archive
from arena.errors import BotError
from arena.files import open_regular
from arena.owner import name_part
from arena.tournament.names import same_name
from arena.untrusted import hidden_character, show

__all__ = ["stem_of", "unpack", "unpacked"]

MAX_NAME = 1024  # bytes
MAX_PART = 255  # bytes of one part of it
FREE_BYTES = 16 << 20  # an archive may hold so much, however small it is,
MAX_RATIO = 100  # and beyond that so many times its own size

_DRIVE = re.compile(r"[A-Za-z]:")
_LITTER = "__MACOSX"  # what one system adds to its archives


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Give the folder of the bot that an archive holds; a path that is none is given as it is.

    Where an archive holds nothing but one folder, that one is the bot's. The folder is gone
    afterwards, whatever happens; what goes wrong with its files is told by the archive's name.

    Raises:
        BotError: it is no archive, or something in it is not as it must be; nothing is left.
    """
    if not is_archive(path) or path.is_dir() or not os.path.lexists(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix=f"arena-unpack-{name_part()}-") as scratch:
        folder = Path(os.path.realpath(scratch), stem_of(path))
        folder.mkdir()
        with _open(path) as file:
            size = os.fstat(file.fileno()).st_size
            limit = min(MAX_BYTES, max(FREE_BYTES, MAX_RATIO * size))
            unpack(file, str(path), limit, folder)
        try:
            yield _only_folder(folder)
        except BotError as error:
            told = str(error).replace(str(folder), str(path))
            raise type(error)(told) from error


def unpack(
    file: BinaryIO, path: str, limit: int, folder: Path, *, portable: bool = True
) -> tuple[str, ...]:
    """Unpack an archive into an empty folder; return the names of the files in it.

    Args:
        file: the archive.
        path: what it is called, in messages too; its ending says how it is packed.
        limit: bytes that all content may have.
        folder: where it goes.
        portable: refuse names that are one name, or a way out, on some other system, and leave out
            what such systems add. An archive that the arena made itself holds a bot as it was.

    Raises:
        BotError: something in it is not as it must be.
    """
    name: str | None = None  # of the entry that is looked at
    try:
        checks = _Checks(limit, portable)
        for entry, content in entries_of(file, path, limit):
            name = entry.name
            place = checks.admit(entry)
            if place is not None:
                _write(folder / place, entry, content)
            name = None
        if not checks.files:
            raise Refused("no file in it; expected those of a bot")
    except Refused as refused:
        where = path if name is None else f'{path}: entry "{show(name)}"'
        raise BotError(f"{where}: {show(str(refused), 300)}") from None
    return tuple(checks.files)


def stem_of(path: Path) -> str:
    """Return the name of an archive without its ending; ``bot`` where no name is left."""
    name = path.name.lower()
    stem = path.name[: -max(len(end) for end in ARCHIVES if name.endswith(end))]
    return stem if stem.strip(".") and stem.isprintable() else "bot"


def _only_folder(folder: Path) -> Path:
    names = os.listdir(folder)
    inner = folder / names[0] if len(names) == 1 else folder
    return inner if inner.is_dir() else folder


def _open(path: Path) -> BinaryIO:
    try:
        file = open(open_regular(path, os.O_NOFOLLOW), "rb")  # noqa: SIM115  # the caller's
    except OSError as error:
        link = os.path.islink(path)
        why = "a link; name the archive itself" if link else error.strerror
        raise BotError(f"{path}: {why}") from None
    if os.fstat(file.fileno()).st_size > MAX_BYTES:
        file.close()
        raise BotError(f"{path}: expected an archive of at most {_mib(MAX_BYTES)}")
    return file


def _refused(found: str, expected: str) -> Refused:
    return Refused(f"{found}; expected {expected}")


class _Checks:
    """What was admitted so far: how much, how many, and under which names."""

    def __init__(self, limit: int, portable: bool) -> None:
        self.files: list[str] = []
        self.limit = limit
        self._portable = portable
        self._size = 0
        self._count = 0
        self._seen: dict[str, tuple[str, str]] = {}  # spelling and kind, by what names share

    def admit(self, entry: Entry) -> str | None:
        """Return where an entry goes, ``None`` if nowhere; raises ``Refused``."""
        self._count += 1
        if max(self._count, len(self._seen)) > MAX_FILES:
            raise _refused("one entry too many", f"at most {MAX_FILES:,} of them")
        parts = _parts(entry, self._portable)
        if entry.kind not in (FILE, FOLDER):
            raise _refused(entry.kind, "regular files and folders only")
        if entry.size < 0:
            raise _refused("a size below 0", "the size of its content")
        if self._size + entry.size > self.limit:
            raise _refused(
                f"more than {_mib(self.limit)} in all, by what it says",
                f"at most {_mib(MAX_BYTES)}, and {MAX_RATIO} times the archive's own size",
            )
        self._size += entry.size
        for depth in range(1, len(parts)):
            self._take(parts[:depth], FOLDER)
        if parts:
            self._take(parts, entry.kind)
        if not parts or (self._portable and parts[0] == _LITTER):
            return None
        place = "/".join(parts)
        if entry.kind == FILE:
            self.files.append(place)
        return place

    def _take(self, parts: list[str], kind: str) -> None:
        """Take a name, unless another entry has it, or one that some systems take for it."""
        name = "/".join(parts)
        common = same_name(name) if self._portable else name
        if common not in self._seen:
            self._seen[common] = (name, kind)
            return
        spelling, earlier = self._seen[common]
        if spelling != name:
            raise _refused(f'nearly the name of "{show(spelling)}"', "names that differ in more")
        if FILE in (kind, earlier):
            raise _refused("a second entry of this name", "every name once")


def _parts(entry: Entry, portable: bool) -> list[str]:
    """Return the parts of an entry's name, none for the folder itself; raises ``Refused``."""
    name = entry.name.removesuffix("/") if entry.kind == FOLDER else entry.name
    if name == "." and entry.kind == FOLDER:
        return []
    wrong = hidden_character(name)
    if wrong is not None:
        raise _refused(f"U+{ord(wrong):04X} in its name", "characters that can be seen")
    if name.startswith("/"):
        raise _refused("an absolute path", "a name within the archive")
    if portable:
        _check_portable(name)
    parts = name.removeprefix("./").split("/")
    if ".." in parts:
        raise _refused("a way out of the archive", 'a name without ".."')
    if "" in parts or "." in parts:
        raise _refused("a part of its name that is empty", "a name like a/b.py")
    if len(parts) > MAX_DEPTH + (not portable):
        raise _refused(f"{len(parts)} levels", f"at most {MAX_DEPTH}")
    if any(len(part.encode()) > MAX_PART for part in parts):
        raise _refused("a name that is too long", f"at most {MAX_PART} bytes a part")
    return parts


def _check_portable(name: str) -> None:
    """Raise ``Refused`` for a name that some system would take for another one."""
    if len(name.encode()) > MAX_NAME:
        raise _refused("a name that is too long", f"at most {MAX_NAME} bytes")
    if _DRIVE.match(name):
        raise _refused("an absolute path", "a name within the archive")
    if "\\" in name:
        raise _refused("a backslash in its name", 'parts joined by "/"')


def _write(place: Path, entry: Entry, content: Content) -> None:
    """Write one entry, whose size must be what it says; raises ``Refused``."""
    if entry.kind == FOLDER:
        place.mkdir(parents=True, exist_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with open(place, "xb") as file:
        for chunk in content:
            size += len(chunk)
            if size > entry.size:
                break
            file.write(chunk)
    if size != entry.size:
        raise _refused(f"another size than the {entry.size} bytes it says", "what it says")
    place.chmod(0o755 if entry.executable else 0o644)


def _mib(size: int) -> str:
    return f"{size >> 20} MiB"
