"""What a bot may be shown of this machine: by which programs it starts, and what is never shown."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from arena.bots.environments import folders_with
from arena.process.languages import all_languages
from arena.process.languages.interface import find_tool
from arena.sandbox.importable import engines_import
from arena.sandbox.visible import SYSTEM, needed, within
from arena.values.errors import BotError, UsageError
from arena.values.untrusted import show


def folders_for(who: str, program: str, home: Path | None) -> tuple[str, ...]:
    """Return the folders that a bot is shown as a whole if its ``bot.yaml`` names this program.

    Args:
        who: the bot, for messages.
        program: an absolute path.
        home: the arena's home, whose environments count; ``None``: there are none.

    Raises:
        BotError: no bot may be started by it.
        UsageError: an environment in which it lies is not shown as things are now.
    """
    folder, name = os.path.split(program)
    place = os.path.realpath(folder)
    if any(within(place, os.path.realpath(one)) for one in SYSTEM):
        return ()
    if home is not None and (found := folders_with(program, home)):
        return found
    tools = [tool for each in all_languages() if (tool := find_tool(each)) is not None]
    real = f"{place}/{name}"
    if any(within(real, one) for tool in tools for one in needed(tool)):
        return ()  # it is shown to all bots of that language
    found_there = shutil.which(name)
    same = found_there is not None and os.path.realpath(found_there) == os.path.realpath(program)
    raise BotError(
        f'{who}: "{show(program)}" may not start a bot: expected a program of the system, of a '
        "language, or in a folder that was named by arena environments add NAME DIR"
        + (f'; this program is on the PATH: write "{show(name)}"' if same else "")
    )


def check_unseen(who: str, places: Iterable[str], home: Path | None, cache: Path) -> None:
    """Raise unless bots that are shown some places see nothing in them that the arena keeps.

    Args:
        who: the bot, for messages.
        places: what it is shown, besides ``engines`` and the system's folders, which all bots are.
        home: the arena's home, if there is one.
        cache: the folder from which bots play; each is shown its own copy in it, and no other.

    Raises:
        UsageError: the home or the cache lies in one of the places.
        BotError: one of the places is a copy of a bot, or lies in one.
    """
    kept = [("cache", cache, cache, "set XDG_CACHE_HOME to a folder outside of it")]
    if home is not None:
        kept.append(("home", home, home / "bots", "choose a home outside of it by --home DIR"))
    for what, whole, copies, remedy in kept:
        inner, outer = os.path.realpath(whole), os.path.realpath(copies)
        for place in (*SYSTEM, engines_import().path, *places):
            real = os.path.realpath(place)
            if within(inner, real):
                raise UsageError(
                    f"{who} would be shown {show(place)}, in which the arena's {what} "
                    f"{show(inner)} lies: {remedy}"
                )
            if within(real, outer):
                raise BotError(f"{who} would be shown {show(place)}, which is the copy of a bot")
