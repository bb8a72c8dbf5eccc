"""What an archive says of one thing in it, before anything of that is believed."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["FILE", "FOLDER", "Broken", "Content", "Entry", "kind_of"]

FILE = "a file"
FOLDER = "a folder"

Content = Iterator[bytes]
"""The content of an entry in pieces, read as somebody asks for them, before the next entry's."""

_KINDS = {
    stat.S_IFREG: FILE,
    stat.S_IFDIR: FOLDER,
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Entry(NamedTuple):
    """One entry: its name as it stands there, what it is (in words), and its size in bytes."""

    name: str
    kind: str
    size: int
    executable: bool


class Broken(Exception):
    """The archive cannot be read on; ``str(error)`` says why, ``entry`` where (or is empty)."""

    def __init__(self, why: str, entry: str = "") -> None:
        super().__init__(why)
        self.entry = entry


def kind_of(mode: int) -> str:
    """Return in words what the mode of a file says it is."""
    return _KINDS.get(stat.S_IFMT(mode), "something unknown")
