"""The programming languages the arena can start, found by name or by a file's suffix.

Ours are the modules of this folder; other people's come through the entry point
``arena.languages`` and are looked at only when ours do not answer.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from arena.process.languages.interface import Language
from arena.values.errors import BotError, near_miss


def all_languages() -> tuple[Language, ...]:
    """Return every language, ours and the plugged-in ones, in alphabetical order."""
    return tuple(sorted(_each(), key=lambda language: language.name))


def language_named(name: str) -> Language | None:
    """Return the language of a name, or ``None``."""
    return next((language for language in _each() if language.name == name), None)


def find_language(name: str) -> Language:
    """Return the language of a name; raises ``BotError`` with a near miss."""
    if found := language_named(name):
        return found
    names = [language.name for language in all_languages()]
    raise BotError(
        f'there is no language "{name}"'
        + (near_miss(name, names) or f"; there are {', '.join(names)}")
    )


def language_of(file_name: str) -> Language | None:
    """Return the language whose suffix a file name has, or ``None``.

    >>> language_of("bot.mjs").name
    'javascript'
    """
    suffix = Path(file_name).suffix.lower()
    return next((each for each in _each() if suffix in each.suffixes), None) if suffix else None


def _each() -> Iterator[Language]:
    """Yield ours, and then the plugged-in ones, which are looked for only if it comes to that."""
    yield from _own()
    yield from _plugged_in()


def refuse_doubles(languages: Iterable[tuple[Language, str]]) -> None:
    """Raise ``BotError`` if two languages share a name or a suffix; shows both places.

    Args:
        languages: each with the place it comes from.
    """
    places: dict[str, str] = {}
    for language, place in languages:
        for word in (language.name, *language.suffixes):
            if word in places:
                raise BotError(f'two languages claim "{word}": {places[word]} and {place}')
            places[word] = place


@lru_cache(maxsize=1)
def _own() -> tuple[Language, ...]:
    names = [
        module.name
        for module in pkgutil.iter_modules([str(Path(__file__).parent)])
        if module.name != "interface" and not module.name.startswith("_")
    ]
    return tuple(importlib.import_module(f"{__name__}.{name}").LANGUAGE for name in sorted(names))


@lru_cache(maxsize=1)
def _plugged_in() -> tuple[Language, ...]:
    from importlib.metadata import entry_points

    points = sorted(entry_points(group="arena.languages"), key=lambda point: point.name)
    found = [(point.load(), point.value) for point in points]
    refuse_doubles([*((language, f"{__name__}.{language.name}") for language in _own()), *found])
    return tuple(language for language, _ in found)
