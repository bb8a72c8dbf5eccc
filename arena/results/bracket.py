"""The bracket of a knockout, as it is stored."""

from __future__ import annotations

from typing import NamedTuple

from arena.progress.planner import read_rounds
from arena.results.standings import check_home, choose
from arena.schedule.knockout import Tie, bracket
from arena.store import open_home
from arena.values.arguments import PathLike
from arena.values.errors import UsageError


class Bracket(NamedTuple):
    """The bracket of a tournament: its rounds, each from top to bottom."""

    tournament: str
    rounds: tuple[tuple[Tie, ...], ...]


def read_bracket(home: PathLike, tournament: str | None = None) -> Bracket:
    """Return the bracket of a knockout; arguments and errors as ``arena.read_leaderboard``.

    Raises:
        UsageError: the tournament is no knockout.
    """
    with open_home(check_home(home, tournament, None)) as store:
        edition = choose(store, tournament)
        if edition.config.get("format") != "knockout":
            raise UsageError(f'"{edition.label}" is no knockout, and so has no bracket')
        past, under_way = read_rounds(store, edition.id)
        return Bracket(edition.label, tuple(map(tuple, bracket(past, under_way))))
