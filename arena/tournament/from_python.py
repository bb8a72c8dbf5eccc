"""Tournaments that a program makes, checked as those that stand in files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import Any

from arena.tournament.clocks import check_clock
from arena.tournament.complaints import check_mapping
from arena.tournament.format_keys import check_size
from arena.tournament.names import name_of_text
from arena.tournament.parse import build
from arena.tournament.problems import KeyPath, Location, Problem, show_path, shown
from arena.tournament.text_files import check_setup
from arena.tournament.units import MAX_MEMORY, MIN_MEMORY
from arena.tournament.written import written
from arena.values.arguments import require, require_list
from arena.values.errors import UsageError
from arena.values.model import BotEntry, Opening, Stop, Tournament
from engines import EngineError, load_game

_FIELDS = {"bot": "ref", "file": "setups"}  # what other keys of the file are called


def tournament(**keys: Any) -> Tournament:
    """Return a tournament, said by the keys of a tournament file; see docs/reference.

    >>> arena.tournament(game="leaves", bots=["greedy", "random"], rounds=4, clock={"move": "2s"})
    <Tournament tournament: leaves, round-robin, 4 × greedy, random>

    Args:
        keys: as in a file: ``bots`` are texts or mappings, ``clock`` and ``opening`` are mappings,
            times are texts with their unit. ``name`` may be left out. Paths are relative to the
            current folder.

    Raises:
        UsageError: all that is wrong, a line each, with the name of the key.
    """
    functions: dict[int, Any] = {}
    if isinstance(keys.get("bots"), (list, tuple)):
        keys["bots"], functions = _without_functions(keys["bots"])
    built = made({"name": "tournament", **_as_yaml(keys)}, Path.cwd())
    entries = [
        replace(bot, function=functions.get(number)) for number, bot in enumerate(built.bots)
    ]
    return check_given(replace(built, bots=tuple(entries)))


def bot_entry(bot: Any, place: str) -> BotEntry:
    """Return one bot that a program gives: an entry, a text, a function or a file's mapping.

    Args:
        bot: what was given.
        place: what messages call it.

    Raises:
        UsageError: it is nothing of these, or is wrong.
    """
    if isinstance(bot, BotEntry):
        check_entry(bot, place)
        return bot
    (line,), functions = _without_functions([bot])
    if not isinstance(line, Mapping):
        raise UsageError(f"{place}: expected a bot's name, a function or a mapping, found {bot!r}")
    named = next(filter(None, map(line.get, ("bot", "run", "ask"))), "bot")
    line = {"name": name_of_text(str(named)), **_as_yaml(line)}
    value = {"name": "bot", "game": "leaves", "bots": [line]}
    shape, wrong = check_mapping(value, dict(_places(value, ())), Path.cwd(), of_python=True)
    if wrong:
        raise UsageError("\n".join(dict.fromkeys(f"{place}: {shown(one.text)}" for one in wrong)))
    return replace(build(shape, Path.cwd()).bots[0], function=functions.get(0))


def _without_functions(bots: Iterable[Any]) -> tuple[list[Any], dict[int, Any]]:
    """Return what a file could hold in the place of functions, and these by their places."""
    lines, functions = [*bots], {}
    for number, bot in enumerate(bots):
        line = {"function": bot} if callable(bot) else bot
        if isinstance(line, Mapping) and callable(function := line.get("function")):
            functions[number] = function
            called = getattr(function, "__name__", "") or type(function).__name__
            rest = {key: line[key] for key in line if key != "version"}
            version = str(line.get("version") or "")
            lines[number] = {"name": name_of_text(called), **rest, "function": version}
    return lines, functions


def _as_yaml(value: Any) -> Any:
    """Return a value with lists for all sequences and texts for paths, as a file has them."""
    if isinstance(value, Mapping):
        return {key: _as_yaml(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_yaml(inner) for inner in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def check_given(tournament: Tournament) -> Tournament:
    """Return a tournament as a file gives it: with its games' canonical names, and tuples.

    Raises:
        TypeError: a field is of another kind.
        UsageError: all else that is wrong, a line each, with the name of the field.
    """
    require_list(tournament.games, str, "tournament.games", 'a text like "leaves"')
    require_list(tournament.bots, BotEntry, "tournament.bots", "a BotEntry")
    require_list(tournament.without, str, "tournament.without", "an entrant's name")
    require(tournament.opening, Opening, "tournament.opening", "an Opening")
    require(tournament.stop, Stop, "tournament.stop", "a Stop")
    check_clock(tournament.clock, "tournament.clock")
    _check_size(tournament.memory_bytes, "tournament.memory_bytes")
    _check_size(tournament.bot_size, "tournament.bot_size")
    for number, entry in enumerate(tournament.bots):
        check_entry(entry, place := f"tournament.bots[{number}]")
        usual = name_of_text(entry.name)
        if not entry.is_pattern and entry.name != usual:
            name = shown(entry.name)
            raise UsageError(f'{place}.name: expected a name like "{usual}", found "{name}"')
    require(tournament.anchor, (tuple, NoneType), "tournament.anchor", "a name and an Elo")
    if tournament.anchor is not None and len(tournament.anchor) != 2:
        raise UsageError("tournament.anchor: expected a name and an Elo")
    value = written(tournament) | {"opening": {"plies": tournament.opening.plies}}
    found = made(value, Path.cwd(), _setups(tournament))
    pairs = zip(found.bots, tournament.bots, strict=True)
    bots = tuple([replace(bot, where=given.where, function=given.function) for bot, given in pairs])
    return replace(found, bots=bots, opening=tournament.opening)


def made(value: Mapping[str, Any], folder: Path | None, more: Iterable[Problem] = ()) -> Tournament:
    """Return the tournament of a mapping that stands in no file; see ``written``.

    Args:
        value: the mapping.
        folder: what paths in it are relative to; ``None``: they are not looked at.
        more: what else is wrong with it.

    Raises:
        UsageError: all that is wrong, a line each, with the name of the field.
    """
    shape, problems = check_mapping(value, dict(_places(value, ())), folder, of_python=True)
    if not (problems := [*problems, *more]):
        found = build(shape, folder)
        problems = list(check_size(found))
    if problems:
        raise UsageError("\n".join(dict.fromkeys(map(_line, problems))))
    return found


def check_entry(entry: BotEntry, name: str) -> None:
    """Check one bot, as far as that needs no tournament.

    Args:
        entry: the bot.
        name: what messages call it.

    Raises:
        TypeError: a field is of another kind.
        UsageError: it is wrong in another way.
    """
    require(entry.name, str, f"{name}.name", "a text")
    for field in ("ref", "run"):
        require(getattr(entry, field), (str, NoneType), f"{name}.{field}", "a text")
    if entry.version is not None:
        require(entry.version, str, f"{name}.version", "a text")
        if not callable(entry.function):
            raise UsageError(f"{name} is a function of a program, which only that program can play")
    elif (entry.ref is None) == (entry.run is None):
        found = "neither" if entry.ref is None else "both"
        raise UsageError(f"{name}: expected ref (a bot's name) or run (a path), found {found}")
    require(entry.asks, bool, f"{name}.asks", "True or False")
    require_list(entry.secrets, str, f"{name}.secrets", "a text")
    if entry.asks and entry.run is None:
        raise UsageError(f"{name}.asks: a program that asks is given by its path, as run")
    require_list(entry.args, str, f"{name}.args", "a text")
    require_list(entry.env, tuple, f"{name}.env", "a name and a value")
    for pair in entry.env:
        require_list(pair, str, f"{name}.env", "a text")
        if len(pair) != 2:
            raise UsageError(f"{name}.env: expected a name and a value, found {len(pair)} texts")
    if entry.clock is not None:
        check_clock(entry.clock, f"{name}.clock")
    if entry.memory_bytes is not None:
        _check_size(entry.memory_bytes, f"{name}.memory_bytes")


def _check_size(size: int, name: str) -> None:
    if type(size) is not int or not MIN_MEMORY <= size <= MAX_MEMORY or size % 1024:
        expected = f"whole KiB, from {MIN_MEMORY} to {MAX_MEMORY} bytes"
        raise UsageError(f"{name}: expected {expected}, found {shown(repr(size))}")


def _setups(tournament: Tournament) -> Iterator[Problem]:
    """Yield what is wrong with setups that matches are to begin with."""
    setups, path = tournament.opening.setups, ("opening", "setups")
    require_list(setups, str, "tournament.opening.setups", "a text")
    if not setups:
        return
    if tournament.opening.plies:
        yield Problem(("opening",), "expected only one of plies, setups, found both")
    if len(tournament.games) != 1:
        yield Problem(path, f"setups are for one game, found {len(tournament.games)} games")
        return
    try:
        game = load_game(tournament.games[0])
    except EngineError:
        return  # which is reported elsewhere
    for number, setup in enumerate(setups):
        if wrong := check_setup(setup, game):
            yield Problem((*path, number), wrong)


def _places(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, Location]]:
    """Yield a place for every value: no file has it, but messages quote what it says."""
    items: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    is_text = not isinstance(value, (dict, list))
    yield path, Location(1, 1, (1, 1), str(value) if is_text else None)
    for key, inner in items:
        yield from _places(inner, (*path, key))


def _line(problem: Problem) -> str:
    path = tuple(
        [_FIELDS.get(part, part) if isinstance(part, str) else part for part in problem.path]
    )
    return f"tournament{'.' if path else ''}{show_path(path)}: {shown(problem.text, 600)}"
