"""Time controls as people give them: some keys, the rest by default."""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import UsageError, near_miss
from arena.model import Clock
from arena.tournament.units import parse_duration

__all__ = ["CLOCK_KEYS", "make_clock", "parse_clock", "parse_limit"]

DAY_MS = 24 * 3_600_000

# each key of a clock, with the least that makes sense
CLOCK_KEYS = {"move": 1, "first": 0, "main": 1, "inc": 0, "margin": 0, "start": 1}


def parse_clock(text: str) -> Clock:
    """Read a clock as ``--clock`` takes it, such as ``move=1s,first=5s,margin=50ms``.

    Raises:
        UsageError: an unknown or repeated key, no duration, or an impossible one.

    >>> parse_clock("main=1m,inc=1s")
    Clock(move_ms=None, first_ms=5000, main_ms=60000, inc_ms=1000, margin_ms=50, start_ms=10000)
    """
    given: dict[str, int] = {}
    for part in text.split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise UsageError(f'expected a clock like move=1s,first=5s, found "{text}"')
        if key not in CLOCK_KEYS:
            known = ", ".join(CLOCK_KEYS)
            hint = near_miss(key, CLOCK_KEYS) or f"; expected one of {known}"
            raise UsageError(f'a clock has no "{key}"{hint}')
        if key in given:
            raise UsageError(f'the clock\'s "{key}" is given twice')
        given[key] = parse_limit(key, value)
    return make_clock(given)


def parse_limit(key: str, text: str) -> int:
    """Read the duration of one key of a clock, in milliseconds; raises ``UsageError``.

    ``first``, ``inc`` and ``margin`` may be 0; nothing is longer than 24 hours.
    """
    duration = parse_duration(text)
    if not CLOCK_KEYS[key] <= duration <= DAY_MS:
        least = "0s" if CLOCK_KEYS[key] == 0 else "1ms"
        raise UsageError(f'expected a duration from {least} to 24h, found "{text}"')
    return duration


def make_clock(given: Mapping[str, int]) -> Clock:
    """Return the clock of which some keys are given, in milliseconds.

    Without ``move`` there is no limit a move if ``main`` is given, and the usual one otherwise.

    Raises:
        UsageError: ``inc`` without ``main``.
    """
    if "inc" in given and "main" not in given:
        raise UsageError("inc adds to the time of a whole game; give main too")
    usual = Clock()
    return Clock(
        move_ms=given.get("move", None if "main" in given else usual.move_ms),
        first_ms=given.get("first", usual.first_ms),
        main_ms=given.get("main"),
        inc_ms=given.get("inc", usual.inc_ms),
        margin_ms=given.get("margin", usual.margin_ms),
        start_ms=given.get("start", usual.start_ms),
    )
