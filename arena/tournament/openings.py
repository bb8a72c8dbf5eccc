"""Files of setups: one a line, for block k line k mod n."""

from __future__ import annotations

from pathlib import Path

from arena.errors import TournamentFileError
from arena.tournament.files import read_text
from arena.tournament.problems import shown
from engines import BadSetup, Game

__all__ = ["read_setups"]

MAX_BYTES = 4 << 20
MAX_TOLD = 10


def read_setups(path: Path, game: Game) -> tuple[str, ...]:
    """Return the setups of a file, at least one; empty lines are left out.

    Raises:
        TournamentFileError: the file cannot be read or holds no setup, or matches cannot begin with
            some of them, which are told on a line each.
    """
    lines = [line.rstrip("\r") for line in read_text(path, MAX_BYTES).split("\n")]
    setups = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    wrong: list[str] = []
    for number, setup in setups:
        if len(wrong) < MAX_TOLD and (reason := _what_is_wrong(setup, game)):
            wrong.append(f"{path}:{number}: {reason}")
    if wrong:
        raise TournamentFileError("\n".join(wrong))
    if not setups:
        raise TournamentFileError(f"{path}: expected a setup a line, found none")
    return tuple(setup for _, setup in setups)


def _what_is_wrong(setup: str, game: Game) -> str:
    try:
        return "the game is over there" if game.new_initial_state(setup).is_terminal() else ""
    except BadSetup as error:
        return shown(str(error))
