"""Results that were played elsewhere, from CSV, PGN or records as JSON lines."""

from __future__ import annotations

import csv
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from itertools import chain, starmap
from pathlib import Path

from arena.record.record import parse_record
from arena.values.errors import RecordError, UsageError
from arena.values.untrusted import show

Played = tuple[tuple[str, ...], tuple[int, ...]]  # who met, and their ranks, 1 the best
_Found = Iterator[tuple[int, Played | None]]  # by line; ``None``: the result is not known

STDIN = Path("-")
_PAIR, _MANY = ("white", "black", "result"), ("players", "ranks")  # columns
_HEADERS = f"{','.join(_PAIR)} or {','.join(_MANY)}"
_MOST = 1 << 26  # bytes of a line
_RANKS = {
    **{"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)},
    **{"1": (1, 2), "0": (2, 1), "0.5": (1, 1)},
}
_UNKNOWN = "*"
_WORDS = f"{' '.join(_RANKS)} {_UNKNOWN}"
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
# as a whole, one that the line leaves open, or to the end of the line
_COMMENT = re.compile(r"\{[^}]*\}|(\{)[^}]*|;.*")
_WHOLE = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


class _NoResult(Exception):
    """A line that says no result, and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def read_outcomes(sources: Iterable[Path]) -> Iterator[Played | None]:
    """Return the results of some files, each read once and line by line; ``None``: it is ``*``.

    Raises:
        UsageError: the suffix of a file does not say what is in it, which is raised at once; or a
            line says no result; file and line are named.
        OSError: a file cannot be read.
    """
    readers = [(source, _reader(source)) for source in sources]
    return chain.from_iterable(starmap(_outcomes, readers))


def _outcomes(source: Path, read: Callable[[Iterator[str]], _Found]) -> Iterator[Played | None]:
    called = "standard input" if source == STDIN else show(str(source), 600)
    try:
        for line, played in read(_lines(source)):
            yield played and _ranked(line, *played)
    except _NoResult as wrong:
        raise UsageError(f"{called}:{wrong.line}: {wrong}") from None


def _reader(source: Path) -> Callable[[Iterator[str]], _Found]:
    reader = SUFFIXES.get(".csv" if source == STDIN else source.suffix.lower())
    if reader is None:
        raise UsageError(
            f"{show(str(source), 600)}: expected a file whose name ends in {', '.join(SUFFIXES)}; "
            "- is CSV from standard input"
        )
    return reader


def _lines(source: Path) -> Iterator[str]:
    """Yield the lines of a file, without a byte order mark."""
    with nullcontext(sys.stdin.buffer) if source == STDIN else open(source, "rb") as file:
        for number, line in enumerate(iter(partial(file.readline, _MOST + 1), b""), 1):
            if len(line) > _MOST:
                raise _NoResult(number, f"the line has more than {_MOST >> 20} MiB")
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise _NoResult(number, f"not UTF-8 at byte {error.start} of the line") from None


def _of_csv(lines: Iterator[str]) -> _Found:
    rows = csv.reader(lines, strict=True)
    names: list[str] = []
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not names:
                names = _header(rows.line_num, cells)
                continue
            if len(cells) != len(names):
                raise _NoResult(rows.line_num, f"expected {len(names)} cells, found {len(cells)}")
            found = dict(zip(names, cells, strict=True))
            read, columns = (_of_pair, _PAIR) if found.keys() >= {*_PAIR} else (_of_many, _MANY)
            yield rows.line_num, read(rows.line_num, *map(found.__getitem__, columns))
    except csv.Error as error:
        raise _NoResult(max(1, rows.line_num), f"no CSV: {error}") from None
    if not names:
        raise _NoResult(max(1, rows.line_num), f"expected a header line: {_HEADERS}")


def _header(line: int, names: list[str]) -> list[str]:
    """Return the names of a header line, which has all columns that are needed."""
    if len(set(names)) < len(names) or not any({*names} >= {*some} for some in (_PAIR, _MANY)):
        found = show(",".join(names), 200)
        raise _NoResult(line, f"expected a header line {_HEADERS}, found {found}")
    return names


def _of_pair(line: int, white: str, black: str, result: str) -> Played | None:
    if result == _UNKNOWN:
        return None
    ranks = _RANKS.get(result)
    if ranks is None:
        raise _NoResult(line, f'expected a result of {_WORDS}, found "{show(result, 60)}"')
    return (white, black), ranks


def _of_many(line: int, players: str, ranked: str) -> Played:
    names, ranks = [[one.strip() for one in cell.split(";")] for cell in (players, ranked)]
    for rank in ranks:
        if not _WHOLE.fullmatch(rank):
            raise _NoResult(line, f'expected a rank, 1 or more, found "{show(rank, 60)}"')
    if len(names) != len(ranks):
        raise _NoResult(line, f"expected a rank a player, found {len(ranks)} for {len(names)}")
    return tuple(names), tuple(map(int, ranks))


def _of_pgn(lines: Iterator[str]) -> _Found:
    tags: dict[str, str] = {}
    begun, in_moves, in_comment = 0, False, False
    for at, text in enumerate(lines, 1):
        tag = None if in_comment else _TAG.fullmatch(text.strip())
        if tag is not None:
            if in_moves or tag[1] in tags:  # the next game
                yield begun, _of_tags(begun, tags)
                tags, in_moves = {}, False
            begun = begun if tags else at
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif text.strip() and not text.startswith("%"):
            if not in_comment and text.startswith("["):
                raise _NoResult(
                    at, f'expected a tag like [White "oak"], found {show(text.strip(), 60)}'
                )
            if not tags:
                raise _NoResult(at, "expected the tags of a game before its moves")
            in_moves = True
            comments = _COMMENT.finditer(f"{{{text}" if in_comment else text)
            in_comment = any(found[1] for found in comments)
    if tags:
        yield begun, _of_tags(begun, tags)


def _of_tags(line: int, tags: Mapping[str, str]) -> Played | None:
    for name in ("White", "Black", "Result"):
        if tags.get(name, "?") == "?":
            raise _NoResult(line, f"the game that begins here does not say {name}")
    return _of_pair(line, tags["White"], tags["Black"], tags["Result"])


def _of_records(lines: Iterator[str]) -> _Found:
    for at, text in enumerate(lines, 1):
        if text.strip():
            try:
                record = parse_record(text)
            except RecordError as error:
                raise _NoResult(at, str(error)) from None
            yield at, (tuple([player.bot for player in record.players]), record.ranks)


def _ranked(line: int, names: tuple[str, ...], ranks: tuple[int, ...]) -> Played:
    """Return a result with names in Unicode's composed form, and ranks without gaps."""
    names = tuple([unicodedata.normalize("NFC", name.strip()) for name in names])
    if len(names) < 2:
        raise _NoResult(line, f"expected two players or more, found {len(names)}")
    if not all(names):
        raise _NoResult(line, "expected a name, found nothing")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise _NoResult(line, f'"{show(twice, 60)}" plays twice in one result')
    return names, tuple([1 + sum(other < rank for other in ranks) for rank in ranks])


SUFFIXES = {".csv": _of_csv, ".pgn": _of_pgn, ".jsonl": _of_records}
