"""Whether a format takes the keys, games and number of bots that a file gives it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.schedule.compare import FORMAT
from arena.schedule.formats import find_format
from arena.schedule.interface import AdaptiveFormat, AnyFormat, BatchFormat, PlannedFormat
from arena.schedule.ladder import FORMAT as LADDER_FORMAT
from arena.tournament.problems import Problem
from arena.values.errors import UsageError
from arena.values.model import Stop, Tournament
from engines import Game, load_game

MAX_MATCHES = 10**9

COMPARE, LADDER = FORMAT.name, LADDER_FORMAT.name

# of the file; which of them a format takes it says itself
FORMAT_KEYS = ("rounds", "stop", "challengers", "blocks", "batch", "seeding", "apart")


def check_format_keys(value: Mapping[str, Any], games: Iterable[Game]) -> Iterator[Problem]:
    """Yield what does not go together with the format of a file."""
    format_ = format_of(value.get("format"))
    if format_ is None:
        return
    for key in FORMAT_KEYS:
        if value.get(key) not in (None, "none") and key not in format_.keys:
            takes = ", ".join(each for each in FORMAT_KEYS if each in format_.keys)
            yield Problem((key,), f"not for the format {format_.name}, which takes {takes}")
    if value.get("seeding") is not None and value["seeding"] == value.get("name"):
        yield Problem(("seeding",), "expected another tournament, found this one")
    games = list(games)
    if isinstance(format_, BatchFormat):
        yield from _check_equal(format_.name, games)
    for game in games:
        if isinstance(format_, AdaptiveFormat) and game.num_players != 2:
            problem = f"{format_.name} is for games for 2 players, and {game} is for "
            yield Problem(("format",), f"{problem}{game.num_players}; use round-robin or gauntlet")
        elif {"challengers", "batch"} & format_.keys and game.num_players < 2:
            problem = f"nobody meets anybody in {game}, which is for one player"
            yield Problem(("format",), f"{problem}; use round-robin")


def _check_equal(name: str, games: list[Game]) -> Iterator[Problem]:
    """Check that the games are for equally many players, as all are played by the same entrants."""
    numbers = {game.num_players: game for game in games}
    if len(numbers) > 1:
        found = " and ".join([f"{game} for {players}" for players, game in numbers.items()])
        text = f"{name} is for games for equally many players, found {found}"
        yield Problem(("games",), text)


def too_few(name: object, game: Game, entrants: int, challengers: int) -> str:
    """Return what is wrong if a format has too few entrants for a game; nothing if it has not."""
    format_, players = format_of(name), game.num_players
    if entrants < players:
        has = f"{entrants} bot{'s' if entrants > 1 else ''}"
        return f"{game} needs {players} players, found {has}"
    rest = max(0, entrants - challengers)
    if format_ is not None and "challengers" in format_.keys and rest < players - 1:
        return (
            f"{game} needs {players - 1} bots beside the challengers; {entrants} bots, of "
            f"whom {challengers} are challengers, leave {rest}"
        )
    return ""


def compares(format_name: str, stop: Stop) -> bool:
    """Return whether a tournament holds one bot against the others."""
    return format_name == COMPARE or stop.sprt is not None


def too_many(game: str, players: int, entrants: int) -> str:
    """Say that a comparison has more bots than can meet in one match."""
    return (
        f"a comparison is one bot against those that fill the other seats: {game} takes "
        f"{players} bots, found {entrants}"
    )


def check_size(tournament: Tournament) -> None:
    """Raise ``UsageError`` if there are too few entrants for a game, or too many matches."""
    for game in tournament.games:
        entrants, challengers = len(tournament.bots), tournament.challengers
        rules = load_game(game)
        if wrong := too_few(tournament.format, rules, entrants, challengers):
            raise UsageError(wrong)
        players = rules.num_players
        if entrants > players and compares(tournament.format, tournament.stop):
            raise UsageError(too_many(game, players, entrants))
    if (matches := _count_matches(tournament)) > MAX_MATCHES:
        raise UsageError(
            f"that makes {matches:,} matches or more; at most {MAX_MATCHES:,} can be played"
        )


def _count_matches(tournament: Tournament) -> int:
    """Count the matches there are at most; more than Python can count are ``sys.maxsize``."""
    entrants = tuple(bot.name for bot in tournament.bots)
    format_ = find_format(tournament.format)
    if isinstance(format_, PlannedFormat):
        return format_.most_matches(tournament, len(entrants))
    try:
        first = format_.next_round(tournament, entrants, 0, ())
        return len(first) if first is not None else 0
    except OverflowError:
        return sys.maxsize


def format_of(name: object) -> AnyFormat | None:
    """Return the format of a file's word, if it is one."""
    try:
        return find_format("round-robin" if name is None else str(name))
    except UsageError:
        return None
