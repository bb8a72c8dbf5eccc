"""How a bot's process is started: its argument vector and environment at an isolation level.

Here is the seam for isolation: a level is one function from a seat to a ``Launch``. The plain one
gives a bot a session of its own, a clean environment, and death when its worker dies.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import engines
from arena.model import Seat

__all__ = ["PERSON", "TERMINAL", "Launch", "launch"]

PERSON = "person"  # the origin of the bot that asks the person at the terminal
TERMINAL = "ARENA_TERMINAL"  # where that bot finds the terminal: two descriptors, "INPUT,OUTPUT"


class Launch(NamedTuple):
    """What to execute: ``argv``, the whole environment, the working directory.

    ``descriptors`` of ours are open in it under the same numbers; only a person's terminal is.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    folder: str
    descriptors: tuple[int, ...] = ()


def launch(seat: Seat, sandbox: str) -> Launch:
    """Return how to start the bot of a seat; ``sandbox`` is a level that runs bots plain."""
    assert sandbox in ("auto", "none"), sandbox
    return Launch(
        argv=(*_dies_with_us(), *seat.bot.start, *seat.args),
        env={**_clean_environment(), **dict(seat.env)},
        folder=seat.bot.folder,
        descriptors=_terminal(seat),
    )


def _terminal(seat: Seat) -> tuple[int, ...]:
    """Return the descriptors of the terminal, if a person sits here."""
    if seat.bot.origin != PERSON:
        return ()
    return tuple(int(number) for number in dict(seat.env)[TERMINAL].split(","))


@lru_cache(maxsize=1)
def _dies_with_us() -> tuple[str, ...]:
    """Return a prefix that has the kernel kill the bot when the worker that started it dies.

    Where the tool is missing, a bot whose worker and runner are killed at the same instant ends
    when it reads the end of its input.
    """
    tool = shutil.which("setpriv")
    return (tool, "--pdeathsig", "KILL", "--") if tool else ()


@lru_cache(maxsize=1)
def _clean_environment() -> dict[str, str]:
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    # a bot can import `engines`, also where arena runs from a source tree that is not installed
    place = Path(engines.__file__).parent.parent
    if place.name != "site-packages":
        environment["PYTHONPATH"] = str(place)
    return environment
