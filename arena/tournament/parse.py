"""The text of a tournament file → a tournament that can be played, or all that is wrong with it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from arena.schedule.compare import MOST_BLOCKS
from arena.tournament.asking import check_asks, is_yours
from arena.tournament.clocks import make_clock
from arena.tournament.complaints import check_mapping
from arena.tournament.format_keys import LADDER, check_size
from arena.tournament.problems import KeyPath, Location, Problem, file_error, locate
from arena.tournament.several_keys import Shape
from arena.tournament.supported import usual_workers
from arena.tournament.text_files import read_setups, read_text
from arena.tournament.written import SPRT, path_key
from arena.tournament.yaml_text import MAX_BYTES, read_document
from arena.values.arguments import PathLike, path_of
from arena.values.costs import COSTS, Limits
from arena.values.model import BotEntry, Opening, Stop, Tournament
from engines import load_game

# keys of the file that a tournament has in other words; the others are fields of the same name
OTHERWISE = frozenset(
    ("game", "games", "bots", "rounds", "clock", "opening", "memory", "workers", "stop", "without")
) | {"anchor", "apart", "unable_for"}


def read_tournament(path: PathLike, *, trust: bool = False) -> Tournament:
    """Read a tournament file; paths in it are relative to it.

    Args:
        path: the file.
        trust: let programs start with your own rights although others can change the file, or them.

    Raises:
        UsageError: others can change the file, or a program that asks.
        TournamentFileError: the file cannot be read, or is wrong: all mistakes, a line each.
    """
    path = path_of(path, "path")
    tournament = parse_tournament(read_text(path, MAX_BYTES), str(path), path.parent)
    programs = [Path(bot.run) for bot in tournament.bots if bot.asks and bot.run is not None]
    if programs and not trust:
        for place in (path, *programs):
            if not is_yours(place):
                check_asks(tournament.bots, str(place))
    return tournament


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
    places = document.places
    shape, wrong = check_mapping(document.value, places, folder)
    if problems := [*problems, *wrong]:
        raise file_error(problems, places, source)
    tournament = build(shape, folder)
    bots = [
        replace(bot, where=_bot_place(bot, number, places, source))
        for number, bot in enumerate(tournament.bots)
    ]
    tournament = replace(tournament, bots=tuple(bots))
    if problems := list(check_size(tournament)):
        raise file_error(problems, places, source)
    return tournament


def build(shape: Shape, folder: Path | None) -> Tournament:
    """Return the tournament of a mapping; what it leaves out is as ``Tournament`` has it.

    Args:
        shape: the mapping, with its values read by ``shape``.
        folder: what paths in it are relative to; ``None``: they stay as they are, and setups are
            not read.
    """
    game = shape.get("game")
    games = tuple(shape.get("games") or []) if game is None else (game,)
    clock = shape.get("clock", {})
    stop = shape.get("stop") or {}
    given = {key: value for key, value in shape.items() if key not in OTHERWISE}
    return Tournament(
        **given,
        **({"memory_bytes": shape["memory"]} if "memory" in shape else {}),
        **({"unable_for_ms": shape["unable_for"]} if "unable_for" in shape else {}),
        games=games,
        bots=tuple(_entry(bot, clock, folder) for bot in shape["bots"]),
        rounds=_rounds(shape, stop),
        clock=make_clock(clock),
        opening=_opening(shape.get("opening") or {}, games[0], folder),
        workers=shape.get("workers") or usual_workers(shape.get("processes", "fresh")),
        stop=_stop(stop),
        without=tuple(unicodedata.normalize("NFC", name) for name in shape.get("without") or []),
        anchor=_anchor(shape.get("anchor") or {}),
        apart=_apart(shape.get("apart") or ()),
    )


def _apart(shape: str | Iterable[Iterable[str]]) -> str | tuple[tuple[str, ...], ...]:
    """Return groups of names, in an order of their own."""
    if isinstance(shape, str):
        return shape
    groups = [{unicodedata.normalize("NFC", name) for name in group} for group in shape]
    return tuple(sorted({tuple(sorted(group)) for group in groups if len(group) > 1}))


def _anchor(shape: Mapping[str, float]) -> tuple[str, float] | None:
    return next(((unicodedata.normalize("NFC", name), elo) for name, elo in shape.items()), None)


def _rounds(shape: Shape, stop: Shape) -> int:
    """Return how many blocks a pairing plays; a sequential test and a ladder's stop end alone."""
    endless = bool(stop) and (stop.get("sprt") is not None or shape.get("format") == LADDER)
    rounds: int = shape.get("rounds", MOST_BLOCKS if endless else 1)
    return rounds


def _stop(shape: Shape) -> Stop:
    test = shape.get("sprt")
    if test is None:
        return Stop(shape.get("matches"), shape.get("sigma"), info=_limits(shape.get("info")))
    elo0, elo1, alpha, beta = (test.get(key, usual) for key, usual in SPRT.items())
    return Stop(sprt=(elo0, elo1, alpha, beta))


def _bot_place(bot: BotEntry, number: int, places: Mapping[KeyPath, Location], source: str) -> str:
    """Return where it stands which bot is meant; one that is only a name has no keys."""
    path: KeyPath = ("bots", number, "bot" if bot.run is None else path_key(bot))
    return locate(path if path in places else path[:-1], places, source)


def _entry(bot: Shape, common_clock: Mapping[str, int | None], folder: Path | None) -> BotEntry:
    """Return an entrant; its clock is the tournament's with its own keys in place."""
    own_clock, run = bot.get("clock"), bot.get("run") or bot.get("ask")
    given = bot.get("name") or bot.get("bot") or run or bot.get("function")
    assert given is not None, "a bot has a name or a path"
    return BotEntry(
        name=unicodedata.normalize("NFC", given),
        ref=bot.get("bot"),
        run=run if run is None or folder is None else str(folder.absolute() / run),
        version=bot.get("function"),
        asks=bot.get("ask") is not None,
        args=tuple(bot.get("args", ())),
        env=tuple(sorted(bot.get("env", {}).items())),
        clock=make_clock({**common_clock, **own_clock}) if own_clock else None,
        memory_bytes=bot.get("memory"),
        most=_limits(bot.get("most")),
        secrets=tuple(bot.get("secrets") or ()),
        at_once=bot.get("at_once"),
    )


def _limits(shape: Mapping[str, float] | None) -> Limits:
    return tuple([(key, shape[key]) for key in COSTS if key in shape]) if shape else ()


def _opening(shape: Shape, game: str, folder: Path | None) -> Opening:
    if shape.get("file") is not None and folder is not None:
        return Opening(setups=read_setups(folder / shape["file"], load_game(game)))
    return Opening(plies=shape.get("plies") or 0, setups=tuple(shape.get("setups", ())))
