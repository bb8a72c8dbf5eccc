"""Mistakes in a file, and their reports: one line each, with the place and the key's path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena.values.errors import TournamentFileError
from arena.values.untrusted import show

MAX_PROBLEMS = 50
MAX_SENTENCE = 600

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """Where a value stands in a file and how it is written; lines and columns count from 1.

    ``key`` is the place of the key (for an item of a list, of the value itself). ``text`` is a
    scalar's text as written, without quotes; a list or mapping has ``None``.
    """

    line: int
    column: int
    key: tuple[int, int]
    text: str | None


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: the path of the key it is about, and the sentence a person reads.

    ``at_key``: the key is wrong rather than its value. ``at``: line and column, where the path does
    not tell them.
    """

    path: KeyPath
    text: str
    at_key: bool = False
    at: tuple[int, int] | None = None


def file_error(
    problems: Iterable[Problem], places: Mapping[KeyPath, Location], source: str
) -> TournamentFileError:
    """Return the error that tells all problems in the order of the file, at most 50 of them.

    Args:
        problems: at least one.
        places: where each value stands; a path without a place stands where its parent does.
        source: the file as messages name it.
    """
    source = shown(source, MAX_SENTENCE)
    located = sorted({(_where(p, places), show_path(p.path), p.text) for p in problems})
    lines = [
        f"{source}:{line}:{column}: " + (f"{path}: " if path else "") + shown(text, MAX_SENTENCE)
        for (line, column), path, text in located[:MAX_PROBLEMS]
    ]
    if len(located) > MAX_PROBLEMS:
        lines.append(f"{source}: and {len(located) - MAX_PROBLEMS} more mistakes")
    return TournamentFileError("\n".join(lines))


def locate(path: KeyPath, places: Mapping[KeyPath, Location], source: str) -> str:
    """Return where a value stands, for errors that come later: ``FILE:LINE:COLUMN: KEY``."""
    line, column = _where(Problem(path, ""), places)
    return f"{shown(source, MAX_SENTENCE)}:{line}:{column}: {show_path(path)}"


def show_path(path: KeyPath) -> str:
    """Write a path as a person does.

    >>> show_path(("bots", 1, "clock", "move"))
    'bots[1].clock.move'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{shown(part)}"
    return text.removeprefix(".")


def shown(text: str, width: int = 80) -> str:
    """Return a text of the file as messages quote it: what ``show`` makes of it, but shorter."""
    return show(text, width)


def _where(problem: Problem, places: Mapping[KeyPath, Location]) -> tuple[int, int]:
    if problem.at is not None:
        return problem.at
    path = problem.path
    while path and path not in places:
        path = path[:-1]
    place = places.get(path)
    if place is None:
        return (1, 1)
    return place.key if problem.at_key and path == problem.path else (place.line, place.column)
