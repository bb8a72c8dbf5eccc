"""Tables of a home: whose matches are meant, and what they make of everybody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, NamedTuple

from arena.arguments import PathLike, path_of, require
from arena.errors import UsageError
from arena.model import CrossTable, Leaderboard
from arena.ratings.board import current_crosstable, current_leaderboard, recounted
from arena.store import Store, open_store
from arena.store.tournaments import Edition
from engines import load_game

if TYPE_CHECKING:
    from arena.ratings.recount import Recount
    from arena.schedule.knockout import Tie

__all__ = [
    "Bracket",
    "RatingsCheck",
    "check_ratings",
    "choose",
    "read_bracket",
    "read_crosstable",
    "read_leaderboard",
]


class RatingsCheck(NamedTuple):
    """A leaderboard's ratings, compared with those the ``trueskill`` package gives.

    Attributes:
        tournament: the edition's label.
        game: the game whose leaderboard it is; ``None``: that of all games.
        recount: what came of it.
        first: id of the first match after which ratings differ; see ``Recount.first``.
        beyond: ids of the matches that the package could not compute.
        damaged: how many kept tables of the tournament are damaged. They are not used.
    """

    tournament: str
    game: str | None
    recount: Recount
    first: str | None
    beyond: tuple[str, ...]
    damaged: int


class Bracket(NamedTuple):
    """The bracket of a tournament: its rounds, each from top to bottom."""

    tournament: str
    rounds: tuple[tuple[Tie, ...], ...]


def choose(store: Store, tournament: str | None) -> Edition:
    """Return the edition a person means: ``NAME``, ``NAME#2``, or (``None``) the one run last.

    Raises:
        UsageError: there is none.
    """
    if tournament is not None:
        return store.tournaments.find(tournament)
    last = store.tournaments.last_run()
    if last is None:
        raise UsageError(
            f"no tournament was run in the home {store.path.parent} yet; run one with: "
            "arena run FILE"
        )
    return last


def read_leaderboard(
    home: PathLike, tournament: str | None = None, *, game: str | None = None, merged: bool = False
) -> Leaderboard:
    """Return the leaderboard of a tournament, of one game of it, or of all tournaments together.

    Args:
        home: the arena's home.
        tournament: ``NAME``, ``NAME#2``, or the one run last.
        game: only this game's matches.
        merged: all tournaments of the home.

    Raises:
        UsageError: there is no such tournament.
        EngineError: there is no such game.
    """
    with open_store(_home(home, tournament, game), create=False) as store:
        edition = None if merged else choose(store, tournament)
        board = current_leaderboard(
            store.folds,
            None if edition is None else edition.id,
            _canonical(game),
            label=None if edition is None else edition.label,
        )
        if edition is None or game is not None or not store.rounds.all(edition.id):
            return board
        from arena.rounds import placed  # not needed by most, and a look should be quick

        return placed(store, edition, board)


def read_bracket(home: PathLike, tournament: str | None = None) -> Bracket:
    """Return the bracket of a knockout; arguments and errors as for ``read_leaderboard``.

    Raises:
        UsageError: the tournament is no knockout.
    """
    with open_store(_home(home, tournament, None), create=False) as store:
        edition = choose(store, tournament)
        if json.loads(edition.config).get("format") != "knockout":
            raise UsageError(f'"{edition.label}" is no knockout, and so has no bracket')
        from arena.rounds import read_rounds
        from arena.schedule.knockout import bracket

        past, under_way = read_rounds(store, edition.id)
        return Bracket(edition.label, tuple(map(tuple, bracket(past, under_way))))


def read_crosstable(
    home: PathLike, tournament: str | None = None, *, game: str | None = None, merged: bool = False
) -> CrossTable:
    """Return who did how against whom; arguments and errors as for ``read_leaderboard``."""
    with open_store(_home(home, tournament, game), create=False) as store:
        edition = None if merged else choose(store, tournament)
        return current_crosstable(
            store.folds,
            None if edition is None else edition.id,
            _canonical(game),
            label=None if edition is None else edition.label,
        )


def check_ratings(home: PathLike, tournament: str | None = None) -> Iterator[RatingsCheck]:
    """Fold a tournament again with the ``trueskill`` package, and each of its games by itself.

    It takes the package 70 µs a match of two, some 400 of four.

    Raises:
        UsageError: there is no such tournament.
        StoreError: a match is damaged or missing.
    """
    return _check_ratings(_home(home, tournament, None), tournament)


def _check_ratings(home: Path, tournament: str | None) -> Iterator[RatingsCheck]:
    with open_store(home, create=False) as store:
        edition = choose(store, tournament)
        damaged = store.folds.damaged(edition.id)
        games = list(json.loads(edition.config).get("games", ()))
        for game in (None, *(games if len(games) > 1 else ())):
            found = recounted(store.folds, edition.id, game)
            first = None if found.first is None else store.matches.id_of(*found.first)
            beyond = tuple([store.matches.id_of(*position) for position in found.beyond])
            yield RatingsCheck(edition.label, game, found, first, beyond, damaged)


def _home(home: PathLike, tournament: str | None, game: str | None) -> Path:
    """Return the home as a path, and check what was handed in with it."""
    require(tournament, (str, NoneType), "tournament", "the text NAME or NAME#2")
    require(game, (str, NoneType), "game", 'a text like "leaves"')
    return path_of(home, "home")


def _canonical(game: str | None) -> str | None:
    return None if game is None else str(load_game(game))
