"""The tournament formats there are, found by the name a tournament file gives.

Ours are the modules of this folder that have a ``FORMAT``; other people's come through the entry
point ``arena.formats`` and are looked at only when ours do not answer.
"""

from __future__ import annotations

from arena.schedule.interface import AnyFormat
from arena.values.errors import UsageError, near_miss
from arena.values.plugins import Plugins

_FORMATS = Plugins[AnyFormat](
    "arena.schedule", "FORMAT", "arena.formats", lambda format_: (format_.name,)
)


def find_format(name: str) -> AnyFormat:
    """Return the format of a name; raises ``UsageError`` that lists those there are."""
    for format_ in _FORMATS:
        if format_.name == name:
            return format_
    names = format_names()
    raise UsageError(
        f'there is no format "{name}"; there are: {", ".join(names)}' + near_miss(name, names)
    )


def format_names() -> tuple[str, ...]:
    """Return the names of all formats, ours and the plugged-in ones, in alphabetical order."""
    return tuple(sorted(format_.name for format_ in _FORMATS))
