"""Small text files that people name, files of setups among them: read whole, or refused."""

from __future__ import annotations

import os
from pathlib import Path

from arena.machine.untrusted_files import read_regular
from arena.tournament.problems import shown
from arena.values.errors import TournamentFileError, near_miss
from engines import BadSetup, Game

MAX_LISTED = 1000
MAX_SETUPS = 4 << 20  # bytes of them
MAX_TOLD = 10


def read_text(path: Path, max_bytes: int) -> str:
    """Return the text of a UTF-8 file, without a byte order mark.

    Raises:
        TournamentFileError: there is no such file, it is no plain file, cannot be read, is larger
            than ``max_bytes``, or is not UTF-8.
    """
    source = shown(str(path), 600)
    try:
        data = read_regular(path, max_bytes)
    except FileNotFoundError:
        raise TournamentFileError(f"{source}: there is no such file{names_near(path)}") from None
    except OSError as error:
        raise TournamentFileError(f"{source}: cannot be read: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TournamentFileError(
            f"{source}:{line}: not UTF-8 at byte {error.start}; save it as UTF-8"
        ) from None


def names_near(path: Path) -> str:
    """Return ``'; did you mean "x"?'`` for a file beside where this one should be, or ``''``."""
    try:
        names = sorted(os.listdir(path.parent))[:MAX_LISTED]
    except (OSError, ValueError):
        return ""
    return near_miss(path.name, names)


def read_setups(path: Path, game: Game) -> tuple[str, ...]:
    """Return the setups of a file, at least one; empty lines are left out.

    Raises:
        TournamentFileError: the file cannot be read or holds no setup, or matches cannot begin with
            some of them, which are told on a line each.
    """
    lines = [line.rstrip("\r") for line in read_text(path, MAX_SETUPS).split("\n")]
    setups = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    wrong: list[str] = []
    for number, setup in setups:
        if len(wrong) < MAX_TOLD and (reason := check_setup(setup, game)):
            wrong.append(f"{path}:{number}: {reason}")
    if wrong:
        raise TournamentFileError("\n".join(wrong))
    if not setups:
        raise TournamentFileError(f"{path}: expected a setup a line, found none")
    return tuple(setup for _, setup in setups)


def check_setup(setup: str, game: Game) -> str:
    """Return why no match can begin with a setup; nothing if one can."""
    try:
        return "the game is over there" if game.new_initial_state(setup).is_terminal() else ""
    except BadSetup as error:
        return shown(str(error))
