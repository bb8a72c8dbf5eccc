"""A bot walked through the protocol, step by step: which one fails, and how to fix it.

``walk`` has the steps in their order. A step plays a ``rehearsal``: a match session like any other,
in which one bot has a process, whose ``transcript`` is kept.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import NoneType
from typing import Any

from arena.bots.find import check_plays, enter, parse_bot
from arena.bots.granted import granted_by
from arena.bots.imports import with_imports
from arena.check.findings_text import as_data, step_text, summary
from arena.check.steps import CheckReport, Step, StepResult, StepState, Subject
from arena.check.walk import walk
from arena.isolation.choose import choose_level
from arena.sandbox import AUTO
from arena.store import open_store
from arena.tournament.from_python import bot_entry, given_clock
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import BotBuildError, BotError, UsageError
from arena.values.model import BotEntry, Clock
from engines import EngineError, game_names, load_game

__all__ = ["CheckReport", "StepState", "as_data", "check_bot", "step_text", "summary"]

REMEDY = "Fix what is named; arena help bots says what can be a bot."


def check_bot(
    bot: BotEntry | str | Mapping[str, Any],
    home: PathLike,
    *,
    game: str | None = None,
    clock: Clock | None = None,
    sandbox: str = AUTO,
    memory: str | None = None,
    start: str | None = None,
    bot_size: str | None = None,
    watch: Callable[[Step], None] | None = None,
) -> CheckReport:
    """Walk a bot through the protocol; nothing is written to the store.

    Args:
        bot: the bot, also as the command line names it, or as a mapping of a tournament file.
        home: where submitted bots are found.
        game: the one game to try it in; else those its ``bot.yaml`` names, else all.
        clock: its time control; if left out, the one that ``bot`` has, or else the usual one.
        sandbox: the level at which it is built and runs; ``auto`` is the strongest that works here.
        memory: what it may use, such as ``3GiB``; 1 GiB if left out.
        start: how long it may take to start, such as ``60s``; as ``clock`` says if left out.
        bot_size: what its folder may have, such as ``1GiB``; 256 MiB if left out.
        watch: called after every step.

    Raises:
        BotError: nothing has that name, or is at that path; or its ``bot.yaml`` names games, and
            not this one.
        EngineError: there is no such game.
        UsageError: the level does not work here, or the bot is a function.
        MatchVoid: the bot could not be tried, through no fault of its own.
    """
    home = path_of(home, "home")
    require(bot, (BotEntry, str, Mapping), "bot", 'a BotEntry or a text like "greedy"')
    require(game, (str, NoneType), "game", 'a text like "leaves"')
    bot = parse_bot(bot) if isinstance(bot, str) else bot_entry(bot, "bot")
    if bot.version is not None:
        raise UsageError("bot: a function cannot be checked, as nothing starts it")
    granted = granted_by(memory, start, bot_size)
    clock = bot.clock or Clock() if clock is None else given_clock(clock)
    if start is not None:
        clock = replace(clock, start_ms=granted.start_ms)
    granted = granted._replace(start_ms=clock.start_ms)
    level = choose_level(sandbox)
    wanted = () if game is None else (load_game(game),)
    subject = None  # where there is a bot that cannot be built or is none
    try:
        with open_store(home, create=False) as store:
            entrant = enter(bot, store.bots, home, level=level, granted=granted)
        named = entrant.bot.games
        games = wanted or tuple(load_game(text) for text in named or game_names())
    except BotError as error:
        there = bot.run is not None and os.path.lexists(bot.run)
        if not there and not isinstance(error, BotBuildError):
            raise
        found = StepResult(StepState.FAILED, str(error), error.remedy or REMEDY)
    except EngineError as error:
        remedy = "Correct games in its bot.yaml; `arena games` lists those that are here."
        found = StepResult(StepState.FAILED, f"bot.yaml, games: {error}", remedy)
    else:
        if game is not None:
            check_plays(entrant.bot, str(games[0]))
        [entrant] = with_imports([entrant], [*map(str, games)], level, home)
        line = " ".join(shlex.join((*entrant.bot.start, *entrant.args)).split())
        kind = f"{entrant.bot.language or 'a program'}, {entrant.bot.hash[:19]}"
        found = StepResult(StepState.OK, f"{kind}, isolation {level}, started by {line}")
        subject = Subject(entrant, games, clock, level, bool(wanted or named))
    steps = []
    for step in walk(subject, found):
        steps.append(step)
        if watch is not None:
            watch(step)
    tried = dict.fromkeys(step.game for step in steps if step.game)
    return CheckReport(bot.name, tuple(tried), tuple(steps))
