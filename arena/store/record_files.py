"""Files of records that people name, outside of any home; anybody may have written them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from arena.machine.untrusted_files import MOST_OF_RECORDS, read_lines, read_regular
from arena.record.record import parse_record
from arena.values.errors import RecordError
from arena.values.model import Record
from arena.values.untrusted import show


def read_record_file(path: Path) -> Record:
    """Return the one record of a file.

    >>> read_record_file(Path("gone"))
    Traceback (most recent call last):
    arena.values.errors.RecordError: cannot read the record file "gone": No such file or directory

    Raises:
        RecordError: it is no plain file, cannot be read, is too large, or holds something else.
    """
    try:
        text = read_regular(path, MOST_OF_RECORDS).decode()
    except OSError as error:
        raise RecordError(
            f'cannot read the record file "{show(str(path))}": {error.strerror}'
        ) from None
    except UnicodeDecodeError as error:
        raise RecordError(f'"{show(str(path))}" is no record: not UTF-8 ({error.reason})') from None
    if not text.lstrip().startswith("{"):
        raise RecordError(
            f"{show(str(path))} is neither a record nor a bundle: arena play --record FILE writes "
            "a record, arena bundle create a bundle"
        )
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        raise RecordError(f'"{path}" holds {len(lines)} lines; a record file has one record')
    try:
        return parse_record(lines[0])
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


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
        parse_record(text)
    except (RecordError, UnicodeDecodeError) as error:
        raise RecordError(f"{where}: {error}") from None
    return text
