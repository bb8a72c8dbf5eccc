"""The text of a tournament file → a tournament that can be played, or all that is wrong with it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.arguments import PathLike, path_of
from arena.errors import UsageError
from arena.model import BotEntry, Opening, Stop, Tournament
from arena.schedule.compare import MOST_BLOCKS
from arena.tournament.clocks import make_clock
from arena.tournament.complaints import check_shape
from arena.tournament.files import read_setups, read_text
from arena.tournament.format_keys import LADDER, check_size
from arena.tournament.problems import KeyPath, Place, Problem, file_error, locate
from arena.tournament.shape import BotShape, OpeningShape, StopShape, TournamentShape
from arena.tournament.supported import usual_workers
from arena.tournament.together import check_together
from arena.tournament.yaml_text import MAX_BYTES, read_document
from engines import load_game

__all__ = ["parse_tournament", "read_tournament", "tournament_of"]

# keys of the file that a tournament has, too, with the same values
AS_THEY_ARE = (
    *("name", "format", "seed", "processes", "on_timeout", "ponder", "pin", "sandbox"),
    *("max_faults", "max_decisions", "durability", "challengers", "blocks", "batch", "seeding"),
)


def read_tournament(path: PathLike) -> Tournament:
    """Read a tournament file; paths in it are relative to it.

    Raises:
        TournamentFileError: the file cannot be read, or is wrong: all mistakes, a line each.
    """
    path = path_of(path, "path")
    return parse_tournament(read_text(path, MAX_BYTES), str(path), path.parent)


def parse_tournament(text: str, source: str, folder: Path) -> Tournament:
    """Read the text of a tournament file, which docs/reference/tournament-file.md describes.

    Args:
        text: the file's text.
        source: the file as messages name it.
        folder: what paths in the text are relative to.

    Raises:
        TournamentFileError: all mistakes, a line each as ``FILE:LINE:COLUMN: KEY: SENTENCE``.
    """
    document = read_document(text, source)
    problems = list(document.problems)
    if not isinstance(document.value, dict):
        what = "nothing" if document.value is None else "something else"
        problems.append(Problem((), f"expected a mapping with name, game and bots, found {what}"))
        raise file_error(problems, document.places, source)
    return _checked(document.value, document.places, source, folder, problems)


def tournament_of(value: Mapping[str, Any], folder: Path) -> Tournament:
    """Return the tournament of a file that says this; arguments and errors as above.

    Args:
        value: the file's mapping.
        folder: what paths in it are relative to.
    """
    return _checked(value, {(): Place(1, 1, (1, 1), None)}, "tournament", folder, [])


def _checked(
    value: Mapping[str, Any],
    places: Mapping[KeyPath, Place],
    source: str,
    folder: Path,
    problems: list[Problem],
) -> Tournament:
    """Return the tournament of a mapping, unless something is wrong with it, or was before."""
    shape, wrong = check_shape(value, places, folder)
    problems += [*check_together(value, folder), *wrong]
    if shape is None or problems:
        raise file_error(problems, places, source)
    tournament = _build(shape, folder, places, source)
    if not any(bot.is_pattern for bot in tournament.bots):
        try:
            check_size(tournament)
        except UsageError as error:
            raise file_error([Problem(("rounds",), str(error))], places, source) from None
    return tournament


def _build(
    shape: TournamentShape, folder: Path, places: Mapping[KeyPath, Place], source: str
) -> Tournament:
    games = tuple(shape.games or [])
    if shape.game is not None:
        games = (shape.game,)
    clock = shape.clock.given()
    return Tournament(
        **{key: getattr(shape, key) for key in AS_THEY_ARE},
        games=games,
        bots=tuple(
            _entry(bot, clock, folder, _bot_place(bot, number, places, source))
            for number, bot in enumerate(shape.bots)
        ),
        rounds=_rounds(shape),
        clock=make_clock(clock),
        opening=_opening(shape.opening, games[0], folder),
        memory_bytes=shape.memory,
        workers=shape.workers if shape.workers is not None else usual_workers(shape.processes),
        stop=_stop(shape.stop),
        without=tuple(unicodedata.normalize("NFC", name) for name in shape.without or []),
    )


def _rounds(shape: TournamentShape) -> int:
    """Return how many blocks a pairing plays; a sequential test and a ladder's stop end alone."""
    stop = shape.stop
    endless = stop is not None and (stop.sprt is not None or shape.format == LADDER)
    return MOST_BLOCKS if endless and "rounds" not in shape.model_fields_set else shape.rounds


def _stop(shape: StopShape | None) -> Stop:
    if shape is None:
        return Stop()
    test = shape.sprt
    sprt = None if test is None else (test.elo0, test.elo1, test.alpha, test.beta)
    return Stop(matches=shape.matches, sigma=shape.sigma, sprt=sprt)


def _bot_place(bot: BotShape, number: int, places: Mapping[KeyPath, Place], source: str) -> str:
    """Return where it stands which bot is meant; one that is only a name has no keys."""
    path: KeyPath = ("bots", number, "run" if bot.run is not None else "bot")
    return locate(path if path in places else path[:-1], places, source)


def _entry(bot: BotShape, common_clock: Mapping[str, int], folder: Path, where: str) -> BotEntry:
    """Return an entrant; its clock is the tournament's with its own keys in place."""
    own_clock = bot.clock.given()
    given = bot.name or bot.bot or bot.run
    assert given is not None, "a bot has a name or a path"
    return BotEntry(
        name=unicodedata.normalize("NFC", given),
        ref=bot.bot,
        run=str(folder.absolute() / bot.run) if bot.run is not None else None,
        args=tuple(bot.args),
        env=tuple(sorted(bot.env.items())),
        clock=make_clock({**common_clock, **own_clock}) if own_clock else None,
        memory_bytes=bot.memory,
        where=where,
    )


def _opening(shape: OpeningShape | None, game: str, folder: Path) -> Opening:
    if shape is None:
        return Opening()
    if shape.file is not None:
        return Opening(setups=read_setups(folder / shape.file, load_game(game)))
    return Opening(plies=shape.plies or 0)
