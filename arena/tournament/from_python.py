"""Tournaments that a program makes, checked as those that stand in files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.tournament.complaints import check_mapping
from arena.tournament.format_keys import check_size
from arena.tournament.names import name_of_text
from arena.tournament.parse import build
from arena.tournament.problems import KeyPath, Location, Problem, show_path, shown
from arena.tournament.written import as_yaml, written
from arena.values.arguments import require, require_list
from arena.values.errors import UsageError
from arena.values.model import BotEntry, Clock, Opening, Stop, Tournament


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
    built = made({"name": "tournament", **as_yaml(keys)}, Path.cwd())
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
        # whether there is a bot of that name, or at that path, is seen when it is looked up
        any_ref = "any" if isinstance(bot.ref, str) else bot.ref
        said = _said(Tournament("bot", ("leaves",), (replace(bot, ref=any_ref),)), place)
        found = _playable(_only_bot(said, None, place), bot.function, place)
        return replace(bot, args=found.args, env=found.env, secrets=found.secrets)
    (line,), functions = _without_functions([bot])
    if not isinstance(line, Mapping):
        raise UsageError(f"{place}: expected a bot's name, a function or a mapping, found {bot!r}")
    named = next(filter(None, map(line.get, ("bot", "run", "ask"))), "bot")
    line = {"name": name_of_text(str(named)), **as_yaml(line)}
    found = _only_bot({"name": "bot", "game": "leaves", "bots": [line]}, Path.cwd(), place)
    return _playable(found, functions.get(0), place)


def _only_bot(value: Mapping[str, Any], folder: Path | None, place: str) -> BotEntry:
    """Return the bot of a mapping that has one, which messages call ``place``."""
    shape, wrong = check_mapping(value, dict(_places(value, ())), folder, of_python=True)
    if wrong:
        raise _error([replace(one, path=(place, *one.path[2:])) for one in wrong])
    return build(shape, folder).bots[0]


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


def check_given(tournament: Tournament) -> Tournament:
    """Return a tournament as a file gives it: with its games' canonical names, and tuples.

    Raises:
        TypeError: a field is of another kind.
        UsageError: all else that is wrong, a line each, with the name of the key.
    """
    require_list(tournament.bots, BotEntry, "tournament.bots", "a BotEntry")
    require(tournament.clock, Clock, "tournament.clock", "a Clock")
    require(tournament.opening, Opening, "tournament.opening", "an Opening")
    require(tournament.stop, Stop, "tournament.stop", "a Stop")
    found = made(_said(tournament, "tournament"), Path.cwd())
    bots = []
    for number, (bot, given) in enumerate(zip(found.bots, tournament.bots, strict=True)):
        place, usual = f"tournament.bots[{number}]", name_of_text(bot.name)
        if not bot.is_pattern and bot.name != usual:
            name = shown(bot.name)
            raise UsageError(f'{place}.name: expected a name like "{usual}", found "{name}"')
        bots.append(replace(_playable(bot, given.function, place), where=given.where))
    return replace(found, bots=tuple(bots))


def given_clock(clock: Clock) -> Clock:
    """Return a clock that a program gives; errors as for ``check_given``."""
    anybody = BotEntry("all", ref="*")
    return check_given(Tournament("any", ("leaves",), (anybody,), clock=clock)).clock


def _said(tournament: Tournament, place: str) -> dict[str, Any]:
    """Return what a file would say; ``place`` is what messages call it."""
    opening = tournament.opening
    try:
        value = written(tournament)
    except (TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"{place}: a value is of another kind: {error}") from None
    if opening.setups:
        value["opening"] = {"plies": opening.plies or None, "setups": as_yaml(opening.setups)}
    return value


def _playable(bot: BotEntry, function: Any, place: str) -> BotEntry:
    """Return a bot with its function, if it is one."""
    if bot.version is not None and not callable(function):
        raise UsageError(f"{place} is a function of a program, which only that program can play")
    return replace(bot, function=function)


def made(value: Mapping[str, Any], folder: Path | None) -> Tournament:
    """Return the tournament of a mapping that stands in no file; see ``written``.

    Args:
        value: the mapping.
        folder: what paths in it are relative to; ``None``: they are not looked at.

    Raises:
        UsageError: all that is wrong, a line each, with the name of the key.
    """
    shape, problems = check_mapping(value, dict(_places(value, ())), folder, of_python=True)
    if not problems:
        found = build(shape, folder)
        problems = list(check_size(found))
    if problems:
        raise _error([replace(one, path=("tournament", *one.path)) for one in problems])
    return found


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


def _error(problems: Iterable[Problem]) -> UsageError:
    lines = [f"{show_path(one.path)}: {shown(one.text, 600)}" for one in problems]
    return UsageError("\n".join(dict.fromkeys(lines)))
