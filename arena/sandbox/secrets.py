"""Secrets: variables of this process whose values one bot gets, and nobody else."""

from __future__ import annotations

import os
from collections.abc import Iterable

from arena.sandbox import find_level
from arena.values.errors import UsageError
from arena.values.model import BotEntry
from arena.values.untrusted import show

LEAST = 8  # characters: a shorter one would be found in what it has nothing to do with


def secret_values(names: Iterable[str]) -> dict[str, str]:
    """Return the values of variables that were checked to be there."""
    return {name: os.environ[name] for name in names}


def check_secrets(bots: Iterable[BotEntry], level: str) -> None:
    """Make sure that bots can be given their secrets, and that nobody else reads them.

    Args:
        bots: who plays.
        level: at which those are isolated who do not ask.

    Raises:
        UsageError: they cannot, or others could read them; no value is in the message.
    """
    bots = tuple(bots)
    needed = {name: bot.name for bot in bots for name in bot.secrets}
    for name, bot in needed.items():
        value = os.environ.get(name, "")
        if wrong := _wrong(value):
            raise UsageError(
                f"{show(bot)} needs the secret {show(name)}, and that variable {wrong}"
            )
    others = [bot.name for bot in bots if not bot.asks]
    if needed and others and not find_level(level).isolates:
        raise UsageError(
            f'"{show(others[0])}" would play at the level "{level}", where it can read the secrets '
            f"of {show(next(iter(needed.values())))} ({', '.join(map(show, needed))}): they need "
            "bwrap or landlock for all bots that do not ask (see arena doctor)"
        )


def _wrong(value: str) -> str:
    """Return what is wrong with a value; empty if nothing is."""
    if not value.strip():
        return "is not set" if not value else "is empty"
    if not value.isprintable():
        return "has more than one line, or characters that cannot be printed"
    if len(value.strip()) < LEAST:
        return f"has fewer than {LEAST} characters: such a text stands in what is no secret, too"
    return ""
