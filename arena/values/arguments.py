"""What callers of the Python API hand in: a path in any form; a wrong type is a sentence."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from arena.values.errors import UsageError

PathLike = str | os.PathLike[str]

MOST_ELO = 10_000.0  # that an anchor can have, and the least below 0
SHOWN = 60  # characters of a value in a message


def path_of(value: PathLike, name: str) -> Path:
    """Return a path, given as a text, a ``Path``, or anything like one.

    Args:
        value: the path.
        name: the argument, as messages name it.

    Raises:
        TypeError: it is something else.
    """
    require(value, (str, os.PathLike), name, "a path: a text or a Path")
    return Path(value)


def require(value: object, kind: type | tuple[type, ...], name: str, expected: str) -> None:
    """Raise ``TypeError`` unless a value is of a kind, which ``expected`` says in words."""
    if not isinstance(value, kind):
        shown = repr(value)
        shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
        raise TypeError(f"{name}: expected {expected}, found {type(value).__name__} {shown}")


def require_list(
    values: Iterable[object], kind: type | tuple[type, ...], name: str, expected: str
) -> None:
    """Raise ``TypeError`` unless this is a list or tuple whose items all are of a kind."""
    require(values, (list, tuple), name, f"a list, each of it {expected}")
    for value in values:
        require(value, kind, name, expected)


def check_anchor(anchor: Mapping[str, float]) -> tuple[str, float]:
    """Return the bot whose Elo is fixed, and what it is.

    Args:
        anchor: the same as a mapping of one name.

    Raises:
        TypeError: it is something else.
        UsageError: it does not name one bot, or not an Elo that a bot can have.
    """
    require(anchor, Mapping, "anchor", 'a mapping like {"greedy": 1500}')
    if len(anchor) != 1:
        raise UsageError(f"anchor: expected one bot with its Elo, found {len(anchor)}")
    ((bot, elo),) = anchor.items()
    require(bot, str, "anchor", "the name of a bot")
    require(elo, (int, float), "anchor", "an Elo")
    if isinstance(elo, bool) or not -MOST_ELO <= elo <= MOST_ELO:
        raise UsageError(f"anchor: expected an Elo of {-MOST_ELO:g} to {MOST_ELO:g}, found {elo}")
    return bot, float(elo)
