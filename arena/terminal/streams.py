"""The three standard streams: what is written to a closed or full one vanishes."""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from typing import Any

import click

# no room on its disk, no reader, no terminal
_LOST = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE, errno.EIO)


def open_streams() -> None:
    """Open the standard streams that are closed, here and for the programs that are started.

    Otherwise the next file to be opened, such as the store, would get a stream's number, and with
    it what some library writes to stderr.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)  # it gets the lowest free number: this one
            os.set_inheritable(null, True)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # it stays open to the end
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # a name may have letters that a locale lacks
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")
    said = sys.__stderr__
    if said is not None and sys.stderr is said:
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Spare(2, "w", closefd=False)),
            encoding=said.encoding,
            errors=said.errors,
            line_buffering=True,
        )


class _Spare(io.FileIO):
    """A stream whose loss is no reason to end: what cannot be written there is lost."""

    def write(self, data: Any) -> int:
        """Write all or some of it; or none, as if it were written."""
        try:
            return super().write(data)
        except OSError as error:
            if error.errno not in _LOST:
                raise
            return memoryview(data).nbytes


def forget(number: int) -> None:
    """Let what is written to a descriptor from now on vanish."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, number)
    os.close(null)


def forget_hung_up() -> None:
    """Forget stdout and stderr if they lead to a terminal or a reader that has gone away."""
    for number in (1, 2):
        poll = select.poll()
        poll.register(number, 0)  # a hang-up is reported unasked
        if poll.poll(0):
            forget(number)


def terminal_columns() -> int | None:
    """Return how wide a line of stdout may be; ``None``: it is no terminal."""
    if not sys.stdout.isatty():
        return None
    import shutil  # which takes longer to import than most tables to print

    return shutil.get_terminal_size().columns


def print_message(text: str) -> None:
    """Print a message to stderr, as the arena's."""
    click.echo(f"arena: {text}", err=True)
