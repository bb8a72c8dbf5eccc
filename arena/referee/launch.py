"""How a bot's process is started: its argument vector and environment at an isolation level.

Here is the seam for isolation: a level is one function from a seat to a ``Launch``. The plain one
gives a bot a session of its own, a clean environment, and death when its worker dies.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from arena.model import Seat

__all__ = ["Launch", "launch"]


class Launch(NamedTuple):
    """What to execute: ``argv``, the whole environment, and the working directory."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    folder: str


def launch(seat: Seat, sandbox: str) -> Launch:
    """Return how to start the bot of a seat; ``sandbox`` is a level that runs bots plain."""
    assert sandbox in ("auto", "none"), sandbox
    return Launch(
        argv=(*_dies_with_us(), *seat.bot.start, *seat.args),
        env={**_clean_environment(), **dict(seat.env)},
        folder=seat.bot.folder,
    )


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
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
