"""Submitting a bot: checked, copied for ever, and given a version.

The bot is copied first, and it is the copy that is checked and kept: what plays later is exactly
what was tried, whatever happens to the original meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.errors import BotBuildError, CheckFailed
from arena.model import Bot, BotEntry, Clock, Entrant, Record, Termination
from arena.referee.driver import play_match
from arena.roster import (
    Program,
    check_submission_name,
    describe,
    enter,
    make_ready,
    snapshot,
)
from arena.single import job_for
from arena.store import open_store
from engines import load_game

__all__ = ["Submitted", "submit"]

DEFAULT_GAME = "leaves"
SEED = 1  # of the game it is tried in


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submitted version; ``new`` is false where the same content was there already."""

    name: str
    version: int
    hash: str
    new: bool


def submit(path: Path, name: str, home: Path, *, game: str | None = None) -> Submitted:
    """Check a bot and keep it as the next version of a name.

    Args:
        path: a file, or a folder with a ``bot.yaml``.
        name: the name to keep it under.
        home: where it is kept.
        game: the game it is tried in; else the first of its ``bot.yaml``, else Leaves.

    Raises:
        BotError: it is no bot, or the name cannot be taken.
        CheckFailed: it broke the protocol; the message names the step.
    """
    check_submission_name(name)
    program = describe(path)
    with open_store(home, create=True) as store:
        for row in store.bots.versions(name):
            if row.hash == program.hash and not row.retired:
                return Submitted(name, row.version, row.hash, new=False)
        copy = snapshot(path, home)
        _check(copy, home, game or next(iter(copy.games), DEFAULT_GAME))
        version = store.bots.version_for(name, copy.hash)
        kept = snapshot(copy.folder, home, name=name, version=version)
        bot = make_ready(kept, home, version=version, origin="submitted")
        row = store.bots.add(bot, kept.games)
        return Submitted(name, row.version, row.hash, new=True)


def _check(program: Program, home: Path, game: str) -> None:
    """Play one whole game against ``random``, which begins with the handshake."""
    rules = load_game(game)
    try:
        bot = make_ready(program, home)
    except BotBuildError as error:
        raise CheckFailed(f"step 1 of 3, the build, failed: {error}") from error
    record = _try(bot, str(rules), rules.num_players, home)
    fault = next((fault for fault in record.faults if fault.player == 0), None)
    if fault is None:
        return
    stderr = f"\nits last lines on stderr:\n{fault.stderr}" if fault.stderr else ""
    if fault.code is Termination.STARTUP:
        raise CheckFailed(
            f'step 2 of 3, the answer to "hello abp 1", failed: {fault.detail}\n'
            f'expected a line "ready" within the time to start{stderr}'
        )
    raise CheckFailed(
        f"step 3 of 3, a whole game of {rules} against random, failed at decision "
        f"{fault.decision}, {fault.code}: {fault.detail}{stderr}"
    )


def _try(bot: Bot, game: str, players: int, home: Path) -> Record:
    random = enter(BotEntry("random", ref="random"), _Nobody(), home)
    entrants = [Entrant("submitted", bot), *[random] * (players - 1)]
    return play_match(job_for(game, entrants, SEED, Clock(), None)).record


class _Nobody:
    """A store without submitted bots: the opponent is the bundled one."""

    def versions(self, name: str) -> tuple[()]:
        """Return nothing."""
        return ()
