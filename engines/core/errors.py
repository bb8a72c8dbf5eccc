"""Errors that engines raise; a person's or a bot's text was at fault, never the engine."""

from __future__ import annotations

from collections.abc import Iterable


class EngineError(Exception):
    """The parent of everything an engine raises on purpose."""


class UnknownGame(EngineError):
    """There is no game of this name; the message names the nearest one."""


class BrokenPlugin(EngineError):
    """A game of another distribution cannot be imported or made; the message names it."""


class BadParameter(EngineError):
    """A game's parameter is unknown or has an impossible value."""


class BadSetup(EngineError):
    """A setup text does not describe a position or deal of this game."""


class IllegalAction(EngineError):
    """The text is no legal action of this player here; ``str(error)`` is the reason."""


class NoView(EngineError):
    """The game does not say what somebody may see who does not play."""


def near_miss(word: str, known: Iterable[str]) -> str:
    """Return ``'; did you mean "x"?'`` for the nearest of ``known``, or ``''`` if none is near.

    >>> near_miss("leafs", ["leaves", "treeblox"])
    '; did you mean "leaves"?'
    """
    import difflib  # 4 ms, spent on mistakes only

    close = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f'; did you mean "{close[0]}"?' if close else ""
