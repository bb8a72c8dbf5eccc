"""The file that a person names for a result: written whole, or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click

from arena.machine.untrusted_files import whole_file
from arena.values.errors import UsageError


@contextlib.contextmanager
def result_file(path: Path | None, *, private: bool = False) -> Iterator[TextIO]:
    """Open a file to write into; if the block fails, a plain file is as it was before.

    It is opened before the work whose result it gets: one that cannot be written is better known
    before. Without a path what is written is dropped.

    A plain file is replaced at the end of the block. Anything else that has this name, such as a
    pipe, a device or a link, stays what it is, and is written into. A private file only its user
    can read.

    Raises:
        UsageError: it is called ``-``, which means stdout where that can be written to.
        OSError: the file cannot be written; it names the file.
    """
    if path is None:
        yield io.StringIO()
        return
    if path == Path("-"):
        raise UsageError('expected the name of a file, found "-"')
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        with path.open("w", encoding="utf-8") as file:
            yield file
        return
    with (
        whole_file(path, private=private) as data,
        io.TextIOWrapper(data, encoding="utf-8") as file,
    ):
        yield file


def write_result(path: Path, text: str, *, private: bool = False) -> None:
    """Write a file as ``result_file`` does, and say so."""
    with result_file(path, private=private) as file:
        file.write(text)
    click.echo(f"wrote {path}", err=True)
