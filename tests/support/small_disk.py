"""A small disk, in a mount namespace of its own, that a test can fill and empty."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from support.needs import root, tool
from support.piped import Piped

FILLER = "filler"
_MOUNT = 'mount -t tmpfs -o "size=$1,mode=755" tmpfs "$2" && echo up && exec sleep infinity'


class SmallDisk(NamedTuple):
    """A file system that only programs started with ``enter`` see.

    Attributes:
        place: the folder in which they find it.
        seen: where we find it.
        enter: the words before a command that is to see it.
    """

    place: Path
    seen: Path
    enter: tuple[str, ...]

    def fill(self) -> None:
        """Take all the room that is left."""
        with open(self.seen / FILLER, "ab", buffering=0) as file:
            size = 1 << 16
            while size:
                try:
                    file.write(bytes(size))
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    size //= 2

    def make_room(self) -> None:
        """Give back what ``fill`` took."""
        (self.seen / FILLER).unlink()

    def remount(self, options: str) -> None:
        """Change how it is mounted, such as ``ro``."""
        words = ("mount", "-o", f"remount,{options}", str(self.place))
        subprocess.run([*self.enter, *words], check=True, capture_output=True)


@contextmanager
def small_disk(place: Path, size: str = "4m") -> Iterator[SmallDisk]:
    """Mount a small disk on a folder; skips the test where that cannot be done."""
    root("mount a disk")
    for name in ("nsenter", "unshare"):
        tool(name)
    place.mkdir()
    words = ("unshare", "--mount", "--propagation", "private", "sh", "-c", _MOUNT, "sh", size)
    keeper = Piped([*words, place], stderr=subprocess.PIPE)
    try:
        if keeper.stdout.readline() != "up\n":
            pytest.skip(f"no disk can be mounted here: {keeper.stderr.read().strip()}")
        seen = Path(f"/proc/{keeper.pid}/root{place}")
        yield SmallDisk(place, seen, ("nsenter", "--mount", f"--target={keeper.pid}", "--"))
    finally:
        keeper.kill()
        keeper.communicate()
