"""A bot walked through the protocol, step by step: which one fails, and how to fix it.

``walk`` has the steps in their order. A step plays a ``rehearsal``: a match session like any other,
in which one bot has a process, whose ``transcript`` is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import NoneType
from typing import Any

from arena.bots.find import parse_bot
from arena.bots.granted import granted_by
from arena.check.findings_text import as_data, step_text, summary
from arena.check.steps import CheckReport, Step, StepState
from arena.check.subject import find_subject
from arena.check.walk import walk
from arena.sandbox import AUTO
from arena.tournament.from_python import bot_entry, given_clock
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import UsageError
from arena.values.model import BotEntry, Clock

__all__ = ["CheckReport", "StepState", "as_data", "check_bot", "step_text", "summary"]


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
        clock: its time control; the usual one if left out.
        sandbox: the level at which it is built and runs; ``auto`` is the strongest that works here.
        memory: what it may use, such as ``3GiB``; 1 GiB if left out.
        start: how long it may take to start, such as ``60s``; as ``clock`` says if left out.
        bot_size: what its folder may have, such as ``1GiB``; 256 MiB if left out.
        watch: called after every step.

    Raises:
        BotError: nothing has that name, or is at that path.
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
    clock = Clock() if clock is None else given_clock(clock)
    if start is not None:
        clock = replace(clock, start_ms=granted.start_ms)
    subject, found = find_subject(bot, home, game, clock, sandbox, granted)
    steps = []
    for step in walk(subject, found):
        steps.append(step)
        if watch is not None:
            watch(step)
    games = dict.fromkeys(step.game for step in steps if step.game)
    return CheckReport(bot.name, tuple(games), tuple(steps))
