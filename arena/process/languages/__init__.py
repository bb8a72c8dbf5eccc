"""The programming languages the arena can start, found by name or by a file's suffix.

Ours are the modules of this folder; other people's come through the entry point
``arena.languages`` and are looked at only when ours do not answer.
"""

from __future__ import annotations

from pathlib import Path

from arena.process.languages.interface import Language
from arena.values.errors import BotError, hint
from arena.values.plugins import Plugins

_LANGUAGES = Plugins[Language](
    __name__,
    "LANGUAGE",
    "arena.languages",
    lambda language: (language.name, *language.suffixes),
)


def all_languages() -> tuple[Language, ...]:
    """Return every language, ours and the plugged-in ones, in alphabetical order."""
    return tuple(sorted(_LANGUAGES, key=lambda language: language.name))


def language_named(name: str) -> Language | None:
    """Return the language of a name, or ``None``."""
    return next((language for language in _LANGUAGES if language.name == name), None)


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
    return next((each for each in _LANGUAGES if suffix in each.suffixes), None) if suffix else None
