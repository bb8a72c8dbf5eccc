"""Time controls as people give them: some keys, the rest by default."""

from __future__ import annotations

from collections.abc import Mapping

from arena.tournament.units import parse_duration
from arena.tournament.written import NO_LIMIT
from arena.values.errors import UsageError, near_miss
from arena.values.model import CLOCK_KEYS, DAY_MS, Clock

MAY_BE_0, MAY_BE_NONE = ("first", "inc", "margin", "unable_for"), ("move", "main")


def parse_clock(text: str) -> Clock:
    """Read a clock as ``--clock`` takes it, such as ``move=1s,first=5s,margin=50ms``.

    Raises:
        UsageError: an unknown or repeated key, no duration, or an impossible one.

    >>> parse_clock("main=1m,inc=1s")
    Clock(move_ms=None, first_ms=5000, main_ms=60000, inc_ms=1000, margin_ms=50, start_ms=10000)
    """
    given: dict[str, int | None] = {}
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


def parse_limit(key: str, text: str) -> int | None:
    """Read the duration of a key, in milliseconds; raises ``UsageError``.

    ``first``, ``inc``, ``margin`` and ``unable_for`` may be 0, ``move`` and ``main`` may be the
    word for no limit; nothing is longer than 24 hours.
    """
    if text == NO_LIMIT and key in MAY_BE_NONE:
        return None
    duration = parse_duration(text)
    least = "0s" if key in MAY_BE_0 else "1ms"
    if not parse_duration(least) <= duration <= DAY_MS:
        raise UsageError(f'expected a duration from {least} to 24h, found "{text}"')
    return duration


def make_clock(given: Mapping[str, int | None]) -> Clock:
    """Return the clock of which some keys are given, in milliseconds; ``None``: no limit.

    Without ``move`` there is no limit a move if ``main`` is given, and the usual one otherwise.

    Raises:
        UsageError: ``inc`` without ``main``, or there is a limit neither a move nor a game.
    """
    if given.get("inc") and given.get("main") is None:
        raise UsageError("inc adds to the time of a whole game; give main too")
    usual = Clock() if given.get("main") is None else Clock(move_ms=None)
    clock = usual.but(given)
    if clock.move_ms is clock.main_ms is None:
        raise UsageError("expected a limit for move or main, found none for both")
    return clock
