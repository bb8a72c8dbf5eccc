"""The bot that is checked: found, built, with its opponents and the games it is tried in."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from arena.bots.find import check_plays, enter
from arena.bots.imports import with_imports
from arena.check.steps import StepResult, StepState
from arena.isolation.choose import choose_level
from arena.store import open_store
from arena.values.errors import BotBuildError, BotError
from arena.values.model import USUAL, BotEntry, Clock, Entrant, Granted
from engines import EngineError, Game, game_names, load_game

REMEDY = "Fix what is named; arena help bots says what can be a bot."


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked: ``entrant`` against random players in each of ``games``, on ``clock``.

    ``sandbox`` is the level at which bots run; ``chosen`` says that somebody chose these games, and
    they are not just all there are.
    """

    entrant: Entrant
    games: tuple[Game, ...]
    clock: Clock
    sandbox: str
    chosen: bool = True


def find_subject(
    entry: BotEntry,
    home: Path,
    game: str | None,
    clock: Clock,
    sandbox: str,
    granted: Granted = USUAL,
) -> tuple[Subject | None, StepResult]:
    """Find and build a bot; ``None`` where there is a bot that cannot be built or is none.

    Args:
        entry: the bot as a person named it.
        home: where submitted bots are found.
        game: the one game to try it in; else those its ``bot.yaml`` names, else all.
        clock: its time control.
        sandbox: the level at which it is built and runs.
        granted: what else it may have.

    Raises:
        BotError: nothing has that name, or is at that path; or its ``bot.yaml`` names games, and
            not this one.
        EngineError: there is no such game.
        UsageError: the level does not work here.
    """
    level = choose_level(sandbox)
    wanted = None if game is None else load_game(game)
    with open_store(home, create=False) as store:
        try:
            granted = granted._replace(start_ms=clock.start_ms)
            entrant = enter(entry, store.bots, home, level=level, granted=granted)
            named = entrant.bot.games
        except BotError as error:
            there = entry.run is not None and os.path.lexists(entry.run)
            if there or isinstance(error, BotBuildError):
                return None, StepResult(StepState.FAILED, str(error), error.remedy or REMEDY)
            raise
    if wanted is not None:
        check_plays(entrant.bot, str(wanted))
    try:
        games = (wanted,) if wanted else tuple(load_game(text) for text in named or game_names())
    except EngineError as error:
        remedy = "Correct games in its bot.yaml; `arena games` lists those that are here."
        return None, StepResult(StepState.FAILED, f"bot.yaml, games: {error}", remedy)
    [entrant] = with_imports([entrant], [*map(str, games)], level, home)
    bot = entrant.bot
    kind, line = bot.language or "a program", shlex.join((*bot.start, *entrant.args))
    detail = f"{kind}, {bot.hash[:19]}, isolation {level}, started by {' '.join(line.split())}"
    subject = Subject(entrant, games, clock, level, bool(wanted or named))
    return subject, StepResult(StepState.OK, detail)
