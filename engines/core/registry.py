"""From a game's text to its rules: ``leaves(tree=plus)`` → ``Game``.

Our games are the modules and packages of ``engines`` (their name is the game's name, and they are
imported when first asked for); other people's come through the entry point ``engines.games``.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import lru_cache
from pathlib import Path

from engines.core.errors import BadParameter, UnknownGame, near_miss
from engines.core.interface import Game

__all__ = ["game_class", "game_names", "load_game", "look_again"]

_TEXT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\((.*)\))?", re.ASCII)


def load_game(text: str) -> Game:
    """Return the game that a text names, e.g. ``leaves`` or ``leaves(tree=plus,push=any)``.

    Raises:
        UnknownGame: there is no such game, or the text is not written like one.
        BadParameter: a parameter is unknown, repeated or impossible.
    """
    return _load(text)


def game_names() -> tuple[str, ...]:
    """Return the names of all games, ours and the plugged-in ones, in alphabetical order."""
    return tuple(sorted({*_own_names(), *_plugged_in()}))


def game_class(name: str) -> type[Game]:
    """Return the class behind a game's name; raises ``UnknownGame``."""
    if name in _own_names():
        found: type[Game] = importlib.import_module(f"engines.{name}").GAME
        return found
    plugged = _plugged_in()
    if name in plugged:
        return plugged[name]
    names = game_names()
    raise UnknownGame(
        f'there is no game "{name}"' + (near_miss(name, names) or f": there are {', '.join(names)}")
    )


def look_again() -> None:
    """Forget which games were found, so that plug-ins installed since then are seen."""
    _load.cache_clear()
    _own_names.cache_clear()
    _plugged_in.cache_clear()


@lru_cache(maxsize=256)
def _load(text: str) -> Game:
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise UnknownGame(f'expected a game like "leaves" or "leaves(tree=plus)", found "{text}"')
    name, inside = match.groups()
    given: dict[str, str] = {}
    for part in (inside or "").split(",") if inside else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key or not value:
            raise BadParameter(f'{name}: expected parameters like "name=value", found "{part}"')
        if key in given:
            raise BadParameter(f'{name}: parameter "{key}" is given twice')
        given[key] = value
    return game_class(name)(given)


@lru_cache(maxsize=1)
def _own_names() -> tuple[str, ...]:
    folder = Path(__file__).parent.parent
    return tuple(
        module.name
        for module in pkgutil.iter_modules([str(folder)])
        if module.name != "core" and not module.name.startswith("_")
    )


@lru_cache(maxsize=1)
def _plugged_in() -> dict[str, type[Game]]:
    from importlib.metadata import entry_points

    found: dict[str, type[Game]] = {}
    places: dict[str, str] = {}
    for point in entry_points(group="engines.games"):
        if point.name in _own_names() or point.name in found:
            first = places.get(point.name, f"engines.{point.name}")
            raise UnknownGame(f'two games are called "{point.name}": {first} and {point.value}')
        found[point.name] = point.load()
        places[point.name] = point.value
    return found
