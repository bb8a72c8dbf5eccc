"""Bots that ask: they run with the rights of whoever starts them, so somebody must say so."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from arena.values.errors import UsageError
from arena.values.model import BotEntry
from arena.values.untrusted import show


def check_asks(bots: Iterable[BotEntry], source: str) -> None:
    """Refuse bots that ask, as somebody else says that they do.

    Raises:
        UsageError: there are some.
    """
    if names := [show(bot.name) for bot in bots if bot.asks]:
        raise UsageError(
            f"{source} comes from somebody else, and would run {', '.join(names[:20])} with your "
            "own rights (network, files): if you trust it, add --trust"
        )


def is_yours(path: Path) -> bool:
    """Return whether nobody but you, or root, can have put there what a path leads to.

    Whoever may write to a folder on the way can put another one there, unless that is sticky, as
    ``/tmp`` is.
    """
    ways = path.absolute(), path.resolve()
    return all(_is_closed(place) for way in ways for place in (way, *way.parents))


def _is_closed(place: Path) -> bool:
    status = os.lstat(place)
    mode = status.st_mode
    sticky = stat.S_ISDIR(mode) and mode & stat.S_ISVTX
    others = stat.S_IWOTH if status.st_gid == os.getegid() else stat.S_IWOTH | stat.S_IWGRP
    is_open = mode & others and not (sticky or stat.S_ISLNK(mode))
    return status.st_uid in (0, os.geteuid()) and not is_open
