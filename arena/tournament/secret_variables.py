"""Variables of bots' environments that look like keys, by their names alone.

A tournament keeps them as they are, since its bots play with them again when a match is reproduced.
So a person is warned where one is taken in, and wherever it leaves the home.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from arena.values.untrusted import show

_ENDINGS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIALS")


def is_key(variable: str) -> bool:
    """Return whether a word of a variable's name ends like that of a key.

    >>> is_key("LLM_API_KEY"), is_key("authToken"), is_key("MAX_TOKENS"), is_key("LEVEL")
    (True, True, False, False)
    """
    return any(word.endswith(_ENDINGS) for word in re.split("[^A-Z]+", variable.upper()))


def named_keys(bots: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Return ``VARIABLE of BOT, …`` for what looks like a key, or nothing.

    Args:
        bots: the names of bots, each with those of its variables.
    """
    pairs = [(variable, bot) for bot, variables in bots for variable in variables]
    return ", ".join(
        [f"{show(variable)} of {show(bot)}" for variable, bot in pairs if is_key(variable)]
    )


def keys_in_config(config: Mapping[str, Any]) -> str:
    """Return the same of what an edition was run from; nothing if that says nothing of the kind."""
    try:
        return named_keys((bot["name"], bot["env"]) for bot in config["bots"])
    except (LookupError, TypeError, AttributeError):
        return ""
