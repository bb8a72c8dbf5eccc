"""Times as people read them: where they are, to the minute."""

from __future__ import annotations

from datetime import datetime

__all__ = ["local_time"]


def local_time(text: str, year: int | None) -> str:
    """Return a time of a record (UTC) in the time zone of this machine.

    Args:
        text: the time; whatever is none is returned as it is, since records can hold any text.
        year: a time of this one is shown without it; ``None``: every time is.
    """
    try:
        found = datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        return text
    return found.strftime("%m-%d %H:%M" if year in (None, found.year) else "%Y-%m-%d %H:%M")
