"""What is written alike everywhere: numbers of things, durations, times, hashes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

SECRET_NAME = re.compile("[A-Z_][A-Z0-9_]*")  # of a variable whose value nobody is to see
HASH = re.compile("sha256:[0-9a-f]{64}")


def count(number: int, noun: str) -> str:
    """Write how many there are of something.

    >>> count(1, "match"), count(1200, "match"), count(0, "bot")
    ('1 match', '1,200 matches', '0 bots')
    """
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "ss")) else "s"
    return f"{number:,} {noun}{ending}"


def listed(words: Sequence[str]) -> str:
    """Write words one after the other.

    >>> listed(["oak"]), listed(["oak", "elm"]), listed(["oak", "elm", "yew"])
    ('oak', 'oak and elm', 'oak, elm and yew')
    """
    return " and ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


def duration(seconds: float) -> str:
    """Write a time for people: to three digits, and from a minute on in its two largest units.

    >>> duration(0.0000312), duration(0.0123), duration(0.9999), duration(8.44)
    ('0.03 ms', '12.3 ms', '1 s', '8.44 s')
    >>> duration(95), duration(3 * 3600 + 125), duration(200_000)
    ('1 min 35 s', '3 h 2 min', '2 d 7 h')
    """
    if seconds < 0.9995:
        ms = 1000 * seconds
        return f"{ms:.2f} ms" if ms < 1 else f"{ms:.3g} ms"
    if seconds < 59.95:
        return f"{seconds:.3g} s"
    whole = round(seconds)
    for large, size, small, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60)):
        if whole >= size:
            return f"{whole // size} {large} {whole % size // part} {small}"
    return f"{whole // 60} min {whole % 60} s"


def pace(a_minute: float) -> str:
    """Write how many there are a minute, to two digits.

    >>> pace(1234.5), pace(0.123)
    ('1,200 a minute', '0.12 a minute')
    """
    return f"{float(f'{a_minute:.2g}'):,.10g} a minute"


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
