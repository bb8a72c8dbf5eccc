"""The tournament formats there are, found by the name a tournament file gives.

Ours are the modules of this folder that have a ``FORMAT``; other people's come through the entry
point ``arena.formats`` and are looked at only when ours do not answer.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from arena.schedule.interface import AnyFormat
from arena.values.errors import UsageError, near_miss


def find_format(name: str) -> AnyFormat:
    """Return the format of a name; raises ``UsageError`` that lists those there are."""
    found = _own().get(name) or _plugged_in().get(name)
    if found is None:
        names = format_names()
        raise UsageError(
            f'there is no format "{name}"; there are: {", ".join(names)}' + near_miss(name, names)
        )
    return found


def format_names() -> tuple[str, ...]:
    """Return the names of all formats, ours and the plugged-in ones, in alphabetical order."""
    return tuple(sorted({*_own(), *_plugged_in()}))


@lru_cache(maxsize=1)
def _own() -> Mapping[str, AnyFormat]:
    package = __name__.rpartition(".")[0]
    folder = str(Path(__file__).parent)
    paths = [f"{package}.{module.name}" for module in pkgutil.iter_modules([folder])]
    modules = [(importlib.import_module(path), path) for path in paths if path != __name__]
    return by_name((module.FORMAT, path) for module, path in modules if hasattr(module, "FORMAT"))


@lru_cache(maxsize=1)
def _plugged_in() -> Mapping[str, AnyFormat]:
    from importlib.metadata import entry_points

    ours = [
        (format_, f"{__name__.rpartition('.')[0]} ({name})") for name, format_ in _own().items()
    ]
    points = sorted(entry_points(group="arena.formats"), key=lambda point: point.name)
    both = by_name([*ours, *((point.load(), point.value) for point in points)])
    return {name: found for name, found in both.items() if name not in _own()}


def by_name(formats: Iterable[tuple[AnyFormat, str]]) -> dict[str, AnyFormat]:
    """Return formats by their names; raises ``UsageError`` if two share one, showing both places.

    Args:
        formats: each with the place it comes from.
    """
    found: dict[str, AnyFormat] = {}
    places: dict[str, str] = {}
    for format_, place in formats:
        if format_.name in found:
            raise UsageError(
                f'two formats are called "{format_.name}": {places[format_.name]} and {place}'
            )
        found[format_.name], places[format_.name] = format_, place
    return found
