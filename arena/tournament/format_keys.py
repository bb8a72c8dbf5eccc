"""Whether a format takes the keys, games and number of bots that a file gives it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.schedule.compare import FORMAT
from arena.schedule.formats import AdaptiveFormat, Format, PlannedFormat, find_format
from arena.schedule.ladder import Ladder
from arena.tournament.problems import Problem
from arena.values.errors import UsageError
from arena.values.model import Tournament
from arena.values.words import count
from engines import Game, load_game

MAX_MATCHES = 10**9

COMPARE, LADDER = FORMAT.name, Ladder.name

# of the file; which of them a format takes it says itself
FORMAT_KEYS = ("rounds", "stop", "challengers", "blocks", "batch", "seeding", "apart")


def check_format_keys(shape: Mapping[str, Any], games: Sequence[Game]) -> Iterator[Problem]:
    """Yield what does not go together with the format of a file."""
    format_ = find_format(shape.get("format", "round-robin"))
    for key in FORMAT_KEYS:
        if shape.get(key) is not None and key not in format_.keys:
            takes = ", ".join(each for each in FORMAT_KEYS if each in format_.keys)
            yield Problem((key,), f"not for the format {format_.name}, which takes {takes}")
    if shape.get("seeding") is not None and shape["seeding"] == shape.get("name"):
        yield Problem(("seeding",), "expected another tournament, found this one")
    # all games are played by the same entrants
    numbers = {game.num_players: game for game in games}
    if isinstance(format_, Ladder) and len(numbers) > 1:
        found = " and ".join([f"{game} for {players}" for players, game in numbers.items()])
        text = f"{format_.name} is for games for equally many players, found {found}"
        yield Problem(("games",), text)
    for game in games:
        if isinstance(format_, AdaptiveFormat) and game.num_players != 2:
            problem = f"{format_.name} is for games for 2 players, and {game} is for "
            yield Problem(("format",), f"{problem}{game.num_players}; use round-robin or gauntlet")
        elif {"challengers", "batch"} & format_.keys and game.num_players < 2:
            problem = f"nobody meets anybody in {game}, which is for one player"
            yield Problem(("format",), f"{problem}; use round-robin")


def check_size(tournament: Tournament) -> Iterator[Problem]:
    """Yield what is wrong with how many entrants, or matches, there are, if that is known yet."""
    if any(bot.is_pattern for bot in tournament.bots):
        return
    entrants, challengers = len(tournament.bots), tournament.challengers
    compares = tournament.format == COMPARE or tournament.stop.sprt is not None
    for game in map(load_game, tournament.games):
        players, rest = game.num_players, max(0, entrants - challengers)
        text = ""
        if entrants < players:
            text = f"{game} needs {players} players, found {count(entrants, 'bot')}"
        elif "challengers" in find_format(tournament.format).keys and rest < players - 1:
            text = (
                f"{game} needs {players - 1} bots beside the challengers; {entrants} bots, of "
                f"whom {challengers} are challengers, leave {rest}"
            )
        elif compares and entrants > players:
            text = (
                "a comparison is one bot against those that fill the other seats: "
                f"{game} takes {players} bots, found {entrants}"
            )
        if text:
            yield Problem(("bots",), text)
            return
    if (matches := _count_matches(tournament)) > MAX_MATCHES:
        text = f"that makes {matches:,} matches or more; at most {MAX_MATCHES:,} can be played"
        yield Problem(("rounds",), text)


def _count_matches(tournament: Tournament) -> int:
    """Count the matches there are at most; more than Python can count are ``sys.maxsize``."""
    entrants = tuple(bot.name for bot in tournament.bots)
    format_ = find_format(tournament.format)
    if isinstance(format_, PlannedFormat):
        return format_.most_matches(tournament, len(entrants))
    try:
        return len(format_.schedule(tournament, entrants))
    except OverflowError:
        return sys.maxsize


def format_of(name: object) -> Format | None:
    """Return the format of a file's word, if it is one."""
    try:
        return find_format("round-robin" if name is None else str(name))
    except UsageError:
        return None
