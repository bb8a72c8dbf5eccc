"""The programming languages the arena can start, found by name or by a file's suffix.

Ours are the modules of this folder; other people's come through the entry point
``arena.languages`` and are looked at only when ours do not answer.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from arena.process.languages.interface import Language
from arena.values.errors import BotError, UsageError, hint


def all_languages() -> tuple[Language, ...]:
    """Return every language, ours and the plugged-in ones, in alphabetical order."""
    return tuple(sorted(_languages(), key=lambda language: language.name))


def language_named(name: str) -> Language | None:
    """Return the language of a name, or ``None``."""
    return next((language for language in _languages() if language.name == name), None)


def find_language(name: str) -> Language:
    """Return the language of a name; raises ``BotError`` with a near miss."""
    if found := language_named(name):
        return found
    names = [language.name for language in all_languages()]
    raise BotError(f'there is no language "{name}"{hint(name, names)}')


def language_of(file_name: str) -> Language | None:
    """Return the language whose suffix a file name has, or ``None``.

    >>> language_of("bot.mjs").name
    'javascript'
    """
    suffix = Path(file_name).suffix.lower()
    found = (each for each in _languages() if suffix in each.suffixes)
    return next(found, None) if suffix else None


def _languages() -> Iterator[Language]:
    yield from _own().values()
    yield from _others()


@cache
def _own() -> dict[str, Language]:
    """Return ours, by the modules that hold them."""
    paths = sorted(f"{__name__}.{each.name}" for each in pkgutil.iter_modules(__path__))
    found = {path: vars(importlib.import_module(path)).get("LANGUAGE") for path in paths}
    return {path: one for path, one in found.items() if one is not None}


@cache
def _others() -> tuple[Language, ...]:
    from importlib.metadata import entry_points

    points = sorted(entry_points(group="arena.languages"), key=lambda point: point.name)
    found = [(point.value, point.load()) for point in points]
    places: dict[str, str] = {}
    for place, one in [*_own().items(), *found]:
        for word in (one.name, *one.suffixes):
            if word in places:
                raise UsageError(f'two plug-ins claim "{word}": {places[word]} and {place}')
            places[word] = place
    return tuple([one for _, one in found])
