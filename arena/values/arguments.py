"""What callers of the Python API hand in: a path in any form; a wrong type is a sentence."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["PathLike", "path_of", "require", "require_list"]

PathLike = str | os.PathLike[str]

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
