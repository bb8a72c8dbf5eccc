"""Files of records that people name, outside of any home; anybody may have written them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from itertools import islice
from pathlib import Path

from arena.machine.untrusted_files import MOST_OF_RECORDS, read_lines
from arena.record.record import parse_record
from arena.values.errors import RecordError
from arena.values.model import Record
from arena.values.untrusted import show

_NEITHER = (
    "neither a record nor a bundle: arena play --record FILE writes a record, arena bundle create "
    "a bundle"
)


def read_record_file(path: Path) -> Record:
    """Return the one record of a file; errors as for ``record_texts``.

    >>> read_record_file(Path("gone"))
    Traceback (most recent call last):
    arena.values.errors.RecordError: gone: cannot be read: No such file or directory
    """
    with closing(record_texts(path)) as texts:
        found = [*islice(texts, 2)]
    if len(found) != 1:
        what = "holds more than one record; a record file has one" if found else f"is {_NEITHER}"
        raise RecordError(f"{show(str(path))} {what}")
    return parse_record(found[0])


def record_texts(path: Path) -> Generator[str, None, None]:
    """Yield the texts of the records of a file, a line each; each is one that can be read.

    Raises:
        RecordError: it is no plain file, cannot be read, or a line of it is no record.
    """
    try:
        with closing(read_lines(path, MOST_OF_RECORDS)) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _checked(line, f"{show(str(path))}:{number}")
    except OSError as error:
        raise RecordError(f"{show(str(path))}: cannot be read: {error.strerror}") from None


def _checked(line: bytes, where: str) -> str:
    try:
        text = line.decode()
        if not text.lstrip().startswith("{"):
            raise RecordError(_NEITHER)
        parse_record(text)
    except (RecordError, UnicodeDecodeError) as error:
        raise RecordError(f"{where}: {error}") from None
    return text
