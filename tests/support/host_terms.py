"""Terms that a coordinator shows to hosts, and two bots for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from support.bot_programs import program

from arena.bots.program import describe
from arena.cluster.terms import Terms
from arena.values.model import Bot, BotEntry, Clock, Entrant, Match, Tournament
from arena.workers.jobs import JobFactory
from engines import load_game

GAME = "leaves(tree=plus)"
FIRST = program()
SLEEPER = "import time\nprint('ready', flush=True)\ntime.sleep(3600)\n"
NOWHERE = "/nowhere/at/the/coordinator"


def terms(*sources: Path, key: str = "k", **changes: Any) -> Terms:
    """Return terms of a tournament of two bots, which may be the same program."""
    entrants = []
    for name, source in zip(("oak", "elm"), (sources[0], sources[-1]), strict=True):
        found = describe(source)
        bot = Bot(name, 3, found.hash, ("/no/python", "x"), NOWHERE, language=found.language)
        entrants.append(Entrant(name, bot))
    clock = Clock(move_ms=2000, first_ms=0, margin_ms=50, start_ms=10_000)
    clock = changes.pop("clock", clock)
    entries = tuple(BotEntry(one.name, ref=one.name) for one in entrants)
    level = changes.pop("sandbox", "none")
    tournament = Tournament("open", (GAME,), entries, seed=5, clock=clock, sandbox=level)
    fields: dict[str, Any] = {"rules": ((GAME, load_game(GAME).rules_version),), "isolates": False}
    fields |= changes
    playing = {one.name: one for one in entrants}
    return Terms(key, JobFactory(tournament, "open", playing, "none"), **fields)


def with_bots(agreed: Terms, **changes: Any) -> Terms:
    """Return terms in which both bots are changed."""
    entrants = {
        name: replace(one, bot=replace(one.bot, **changes))
        for name, one in agreed.jobs.entrants.items()
    }
    return replace(agreed, jobs=replace(agreed.jobs, entrants=entrants))


MATCHES = tuple(
    Match(number, GAME, 0, number, seats)
    for number, seats in enumerate([("oak", "elm"), ("elm", "oak")])
)
