"""Pipes to and from a program that is about to be started: its ends and ours, or none at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import FileIO

__all__ = ["Ends", "standard_pipes"]

Ends = tuple[FileIO, FileIO, FileIO]  # stdin, stdout, stderr


@contextmanager
def standard_pipes() -> Iterator[tuple[tuple[int, int, int], Ends]]:
    """Make pipes for a program's stdin, stdout and stderr; give its descriptors, and our files.

    The program is started in the ``with`` block. After the block its ends are closed here. Our ends
    are closed only if the block fails: the program was not started then.

    Raises:
        OSError: no descriptors are left. None of those already made stays open, which
            ``subprocess`` does not promise before Python 3.11.4.
    """
    with ExitStack() as its_ends, ExitStack() as our_ends:
        its: list[int] = []
        ours: list[FileIO] = []
        for mode in ("wb", "rb", "rb"):
            reading, writing = os.pipe2(os.O_CLOEXEC)
            mine, other = (writing, reading) if mode == "wb" else (reading, writing)
            its_ends.callback(os.close, other)
            ours.append(our_ends.enter_context(FileIO(mine, mode)))
            its.append(other)
        stdin, stdout, stderr = ours
        yield (its[0], its[1], its[2]), (stdin, stdout, stderr)
        our_ends.pop_all()
