"""From a game's text to its rules: ``leaves(tree=plus)`` → ``Game``.

Our games are the modules and packages of ``engines`` (their name is the game's name, and they are
imported when first asked for); other people's come through the entry point ``engines.games``. One
that cannot be imported is an error for whoever asks for it, and for nobody else; an entry point
that names an extra (``NAME = MODULE:CLASS [EXTRA]``) need not be installed with it.
"""

from __future__ import annotations

import importlib
import os
from functools import cache, lru_cache

from engines.core.errors import (
    BadParameter,
    BrokenPlugin,
    EngineError,
    UnknownGame,
    near_miss,
)
from engines.core.interface import Game, GameType
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

NOT_GAMES = frozenset({"core", "search"})  # packages beside the games


def load_game(text: str) -> Game:
    """Return the game that a text names, e.g. ``leaves`` or ``leaves(tree=plus,push=any)``.

    >>> load_game("leaves(tree=u)").num_players
    2

    Raises:
        UnknownGame: there is no such game, or the text is not written like one.
        BadParameter: a parameter is unknown, repeated or impossible.
        BrokenPlugin: the plug-in that brings the game does not work.
    """
    return _load(text)


def game_names() -> tuple[str, ...]:
    """Return the names of all games that can be loaded, ours and the plugged-in ones, sorted.

    >>> "treeblox" in game_names()
    True
    """
    return tuple(sorted({*_own_names(), *_plugged_in()[0]}))


def broken_plugins() -> tuple[str, ...]:
    """Return what is wrong with plug-ins, a line for each name that none of them can have."""
    return _plugged_in()[1]


def game_class(name: str) -> type[Game]:
    """Return the class behind a game's name; raises ``UnknownGame`` or ``BrokenPlugin``."""
    if name in _own_names():
        found: type[Game] = importlib.import_module(f"engines.{name}").GAME
        return found
    if name in _points():
        return _import(name)
    names = game_names()
    raise UnknownGame(
        f'there is no game "{name}"' + (near_miss(name, names) or f": there are {', '.join(names)}")
    )


def distribution_of(name: str) -> str:
    """Return ``NAME VERSION`` of the distribution that brings a game; empty for one of ours."""
    if name in _own_names() or name not in _points():
        return ""
    dist = _points()[name][0].dist
    return "an unknown distribution" if dist is None else f"{dist.name} {dist.version}"


def look_again() -> None:
    """Forget which games were found, so that plug-ins installed since then are seen."""
    for cached in (_load, _own_names, _points, _import, _plugged_in):
        cached.cache_clear()


@lru_cache(maxsize=256)
def _load(text: str) -> Game:
    name, bracket, inside = text.strip().partition("(")
    named = name.isascii() and name.isidentifier() and "\n" not in inside
    if not named or (bracket and not inside.endswith(")")):
        raise UnknownGame(
            f'expected a game like "leaves" or "leaves(tree=plus)", found "{text}"'
            + near_miss(name, game_names())
        )
    inside = inside[:-1]
    given: dict[str, str] = {}
    for part in inside.split(",") if inside else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key or not value:
            raise BadParameter(f'{name}: expected parameters like "name=value", found "{part}"')
        if key in given:
            raise BadParameter(f'{name}: parameter "{key}" is given twice')
        given[key] = value
    game = game_class(name)
    if name in _own_names():
        return game(given)
    try:
        made = game(given)
        if not isinstance(made.type, GameType):
            raise TypeError("its type is no GameType")
    except EngineError:
        raise
    except Exception as error:  # such as the TypeError of a class with abstract methods
        raise _broken(name, error) from error
    return made


@lru_cache(maxsize=1)
def _own_names() -> tuple[str, ...]:
    # pathlib and pkgutil would cost a bot that loads one game 10 ms
    folder = os.path.dirname(os.path.dirname(__file__))
    with os.scandir(folder) as entries:
        names = [
            entry.name.removesuffix(".py")
            for entry in entries
            if entry.name.endswith(".py") or os.path.isfile(os.path.join(entry, "__init__.py"))
        ]
    return tuple(sorted(n for n in names if n not in NOT_GAMES and not n.startswith("_")))


@lru_cache(maxsize=1)
def _points() -> dict[str, tuple[EntryPoint, ...]]:
    """Return the entry points of each name; nothing is imported."""
    from importlib.metadata import entry_points

    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(group="engines.games"):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


@cache
def _import(name: str) -> type[Game]:
    """Return the class of a plug-in's game."""
    points = _points()[name]
    if len(points) > 1:
        raise UnknownGame(_doubled(name, *(point.value for point in points)))
    try:
        found: type[Game] = points[0].load()
    except (Exception, SystemExit) as error:  # whatever a module does when it is imported
        raise _broken(name, error) from error
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise _broken(name, TypeError("expected a class of its own below engines.Game"))
    if found.name != name:
        raise _broken(name, ValueError(f'the game of this entry point is named "{found.name}"'))
    return found


@lru_cache(maxsize=1)
def _plugged_in() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names of the plugged-in games that work, and what is wrong with others."""
    working = set()
    wrong = []
    for name, points in sorted(_points().items()):
        try:
            if name in _own_names():
                places = (f"engines.{name}", *(point.value for point in points))
                raise UnknownGame(_doubled(name, *places))
            _load(name)
            working.add(name)
        except EngineError as error:
            # what an extra brings that is not installed is no fault
            if not (points[0].extras and isinstance(error.__cause__, ImportError)):
                wrong.append(str(error))
    return frozenset(working), tuple(wrong)


def _doubled(name: str, *places: str) -> str:
    count = "two" if len(places) == 2 else str(len(places))
    return f'{count} games are called "{name}": {" and ".join(places)}'


def _broken(name: str, error: BaseException) -> BrokenPlugin:
    point = _points()[name][0]
    reason = " ".join(str(error).split())
    return BrokenPlugin(
        f'the plug-in game "{name}" of {distribution_of(name)} cannot be loaded: '
        f"{type(error).__name__}: {reason} ({point.value})"
    )
