"""Submitting a bot: checked, copied for ever, and given a version.

The bot is copied first, and it is the copy that is checked and kept: what plays later is exactly
what was tried, whatever happens to the original meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.check import Verdict, quick_walk, step_text, subject_of
from arena.errors import BotBuildError, CheckFailed
from arena.model import Clock, Entrant
from arena.referee.sandbox.choose import best_level
from arena.roster import (
    Program,
    check_submission_name,
    describe,
    kept_names,
    make_ready,
    snapshot,
    unpacked,
)
from arena.store import open_store
from engines import load_game

__all__ = ["Submitted", "submit"]

DEFAULT_GAME = "leaves"
STEPS = 4  # of the check: built, ready, answers, a whole game in each seat


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
        path: a file, a folder with a ``bot.yaml``, or an archive of one.
        name: the name to keep it under.
        home: where it is kept.
        game: the game it is tried in; else the first of its ``bot.yaml``, else Leaves.

    Raises:
        BotError: it is no bot, or the name cannot be taken.
        CheckFailed: it broke the protocol; the message names the step.
    """
    check_submission_name(name, kept_names(home))
    with unpacked(path) as source:
        return _keep(source, name, home, game)


def _keep(path: Path, name: str, home: Path, game: str | None) -> Submitted:
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
    """Build a bot and walk it through the first steps of ``arena check``, in one game."""
    rules = load_game(game)
    try:
        bot = make_ready(program, home)
    except BotBuildError as error:
        raise CheckFailed(f"step 1 of {STEPS} failed, the build: {error}") from error
    subject = subject_of(Entrant(bot.name, bot), home, (rules,), Clock(), best_level())
    for step in quick_walk(subject):
        if step.finding.verdict is Verdict.FAILED:
            text = step_text(step).rstrip()
            raise CheckFailed(f"step {step.number} of {STEPS} failed\n{text}")
