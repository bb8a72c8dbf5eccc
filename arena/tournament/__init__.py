"""YAML text → ``Tournament``: the one place where tournament files are read and compared.

A file is read in three steps: ``yaml_text`` makes plain values of it and keeps the place of each,
``shape`` and ``complaints`` check every value by itself, ``together`` what concerns several. All
mistakes are told at once, each with file, line, column and key. pydantic and PyYAML are imported
when a file is read, as most commands read none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.arguments import PathLike, path_of
from arena.model import Tournament
from arena.tournament.change import Change, Difference, canonical, difference, fingerprint
from arena.tournament.clocks import parse_clock
from arena.tournament.files import read_text
from arena.tournament.problems import file_error
from arena.tournament.supported import check_sandbox, check_test
from arena.tournament.units import parse_duration, parse_size

__all__ = [
    "Change",
    "Difference",
    "canonical",
    "check_sandbox",
    "check_test",
    "check_size",
    "difference",
    "file_schema",
    "fingerprint",
    "load_yaml",
    "parse_clock",
    "parse_duration",
    "parse_size",
    "parse_tournament",
    "read_tournament",
]


def read_tournament(path: PathLike) -> Tournament:
    """Read a tournament file; paths in it are relative to it.

    Raises:
        TournamentFileError: the file cannot be read, or is wrong: all mistakes, a line each.
    """
    from arena.tournament.yaml_text import MAX_BYTES

    path = path_of(path, "path")
    return parse_tournament(read_text(path, MAX_BYTES), str(path), path.parent)


def parse_tournament(text: str, source: str, folder: Path) -> Tournament:
    """Read the text of a tournament file, which docs/reference/tournament-file.md describes.

    Args:
        text: the file's text.
        source: the file as messages name it.
        folder: what paths in the text are relative to.

    Raises:
        TournamentFileError: all mistakes, a line each as ``FILE:LINE:COLUMN: KEY: SENTENCE``.
    """
    from arena.tournament.parse import tournament_from

    return tournament_from(text, source, folder)


def load_yaml(text: str, source: str) -> Any:
    """Return the plain value of a YAML text: mappings, lists, texts, numbers, booleans, ``None``.

    Words mean what YAML 1.2 says: ``no`` and ``017`` are texts. An empty text is ``None``.

    Args:
        text: at most 256 KiB as UTF-8, 32 levels deep, 20,000 keys and values.
        source: the file as messages name it.

    Raises:
        TournamentFileError: the text is no YAML, too large or deep, gives a key twice, or holds
            aliases, anchors, tags, merge keys or a second document.
    """
    from arena.tournament.yaml_text import read_document

    document = read_document(text, source)
    if document.problems:
        raise file_error(document.problems, document.places, source)
    return document.value


def check_size(tournament: Tournament) -> None:
    """Check a tournament whose patterns have been replaced by the bots that they mean.

    Raises:
        UsageError: there are too few entrants for a game, or too many matches.
    """
    from arena.tournament import parse

    parse.check_size(tournament)


def file_schema() -> dict[str, Any]:
    """Return the JSON Schema of a tournament file."""
    from arena.tournament import schema

    return schema.file_schema()
