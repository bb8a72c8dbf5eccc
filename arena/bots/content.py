"""The files that make up a bot: which count, what they hash to, and how they are copied.

Only the content of regular files counts. A symbolic link stands for what it points to and must not
leave the folder; since a file may be swapped between a look and a read, what was opened is checked,
not what was listed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Generator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from arena.machine.untrusted_files import open_regular
from arena.sandbox.visible import within
from arena.values.errors import BotError
from arena.values.model import DEFAULT_BOT_SIZE
from arena.values.untrusted import hidden_character, show
from arena.values.words import HASH

MAX_FILES = 10_000  # files and folders together
MAX_DEPTH = 32  # folders in one another
SPECIAL = "a pipe, a socket or a device"

_IGNORED = ("__pycache__", ".git")
_CHUNK = 1 << 20


class File(NamedTuple):
    """A file of a bot: its name relative to the folder, parts joined by ``/``; its bytes."""

    name: str
    executable: bool
    size: int


def list_files(root: Path, most: int | None = DEFAULT_BOT_SIZE) -> tuple[File, ...]:
    """Return the files of a folder that count, sorted by the bytes of their names.

    Args:
        root: the folder; a real path, without links on the way.
        most: bytes of all files together; ``None``: any number.

    Raises:
        BotError: a link leaves the folder or leads nowhere, something is no regular file, or there
            is too much.
    """
    real = os.path.abspath(root)
    found: list[File] = []
    seen = size = 0
    stack: list[tuple[str, tuple[str, ...]]] = [("", (real,))]  # with the real folders above
    while stack:
        prefix, above = stack.pop()
        if prefix and os.path.lexists(root / prefix / "pyvenv.cfg"):
            continue  # a virtual environment, which cannot be copied
        entries = _entries(root / prefix, MAX_FILES - seen)
        seen += len(entries)
        if seen > MAX_FILES:
            raise BotError(f"{root}: more than {MAX_FILES:,} files; a bot's folder has fewer")
        for entry in entries:
            name = prefix + entry
            _check_name(root, entry)
            target, status = _look(root, name, real)
            if stat.S_ISDIR(status.st_mode):
                if target in above:
                    raise BotError(f"{root / name}: a link that leads round in a circle")
                if len(above) > MAX_DEPTH:
                    raise BotError(f"{root}: more than {MAX_DEPTH} levels; a bot's folder has less")
                stack.append((f"{name}/", (*above, target)))
            else:
                size += status.st_size
                found.append(_file(name, status))
        if most is not None and size > most:
            raise too_large(str(root), most)
    return tuple(sorted(found, key=lambda file: os.fsencode(file.name)))


def one_file(root: Path, name: str, most: int | None = None) -> File:
    """Return one file of a folder as ``list_files`` would, whatever lies beside it."""
    _check_name(root, name)
    file = _file(name, _look(root, name, os.path.abspath(root))[1])
    if most is not None and file.size > most:
        raise too_large(str(root / name), most)
    return file


def hash_files(root: Path, files: tuple[File, ...], start: tuple[str, ...]) -> str:
    """Return ``sha256:<64 hex>`` over a start line and files; docs/reference/bots.md has the bytes.

    >>> hash_files(Path("."), (), ("./bot",))[:19]
    'sha256:f4070415f696'
    """
    digest = hashlib.sha256()
    for word in start:
        digest.update(_length_and(os.fsencode(word)))
    for name, executable, size in files:
        digest.update(b"x" if executable else b"-")
        digest.update(_length_and(os.fsencode(name)))
        content = hashlib.sha256()
        for chunk in chunks(root, name, size):
            content.update(chunk)
        digest.update(content.digest())
    return f"sha256:{digest.hexdigest()}"


def too_large(what: str, most: int) -> BotError:
    """Return the error that a bot, or its path, has more bytes than ``most``."""
    return BotError(
        f"{what}: more than {most >> 20} MiB; bot_size: SIZE in the tournament file, or --bot-size "
        "SIZE, grants a bot's folder more",
        "Leave out what the bot does not read when it plays.",
    )


def is_hash(text: str) -> bool:
    """Return whether a text has the form of what ``hash_files`` returns."""
    return HASH.fullmatch(text) is not None


def copy_files(root: Path, files: tuple[File, ...], target: Path) -> None:
    """Copy content and executable bits into a new folder ``target``, never links or owners."""
    for name, executable, size in files:
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "xb") as out:
            out.writelines(chunks(root, name, size))
        path.chmod(0o755 if executable else 0o644)


def names_in(folder: Path) -> list[str]:
    """Return what lies in a folder, sorted; nothing if it cannot be looked into."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def read_file(root: Path, name: str, limit: int) -> bytes:
    """Return the first ``limit`` bytes of a file of a bot, at most 1 MiB."""
    with contextlib.closing(chunks(root, name, None)) as pieces:
        return next(pieces, b"")[:limit]


def _entries(folder: Path, most: int) -> list[str]:
    """Return the names in a folder that count, sorted; no more than one above ``most``."""
    try:
        with os.scandir(folder) as found:  # a folder may have more names than memory
            names = (entry.name for entry in found)
            count = (one for one in names if one not in _IGNORED and not one.endswith(".pyc"))
            return sorted(islice(count, most + 1))
    except OSError as error:
        raise BotError(f"{folder}: {error.strerror}") from None


def _check_name(root: Path, name: str) -> None:
    if hidden_character(name) is not None:
        raise BotError(f'{root}: a file\'s name is printable text, found "{show(name)}"')


def _file(name: str, status: os.stat_result) -> File:
    return File(name, bool(status.st_mode & stat.S_IXUSR), status.st_size)


def _look(root: Path, name: str, real: str) -> tuple[str, os.stat_result]:
    """Return where an entry really lies and what it is, once it is known to be ours to read."""
    path = root / name
    try:
        target = os.path.realpath(path)
    except OSError:  # it was a link when it was looked at first
        raise BotError(f"{path}: changed while it was read; try again") from None
    if not within(target, real):
        raise BotError(
            f"{path}: a link out of the bot's folder, to {show(target)}; copy the file instead"
        )
    try:
        status = os.stat(target)
    except OSError:
        raise BotError(f"{path}: a link to nothing") from None
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise BotError(f"{path}: {SPECIAL}; a bot is made of regular files only")
    return target, status


def chunks(root: Path, name: str, size: int | None) -> Generator[bytes, None, None]:
    """Yield the content of a file of a bot in pieces, at most 1 MiB each.

    Args:
        root: the bot's folder.
        name: of the file.
        size: what it must have in bytes; ``None``: any.

    Raises:
        BotError: it cannot be read, is another file by now, or has another size.
    """
    path = root / name
    try:
        with open(open_regular(path), "rb", buffering=0) as file:
            opened = os.path.realpath(f"/proc/self/fd/{file.fileno()}")
            # not the root's real path: were the root a link by now, that would be where it leads
            if not within(opened, os.path.abspath(root)):
                raise BotError(f"{path}: changed while it was read; try again")
            total = 0
            while chunk := file.read(_CHUNK):
                total += len(chunk)
                if size is not None and total > size:
                    break
                yield chunk
    except OSError as error:
        raise BotError(f"{path}: {error.strerror}") from None
    if size not in (None, total):
        raise BotError(f"{path}: changed while it was read; try again")


def _length_and(data: bytes) -> bytes:
    return b"%d:%s" % (len(data), data)
