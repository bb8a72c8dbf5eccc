"""Durations and sizes: a number and its unit, and nothing else."""

from __future__ import annotations

import pytest

from arena.tournament.clocks import parse_clock
from arena.tournament.units import parse_duration, parse_size
from arena.values.errors import UsageError
from arena.values.model import Clock


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1s", 1000),
        ("500ms", 500),
        ("0s", 0),
        ("1.5s", 1500),
        ("0.001s", 1),
        ("2m", 120_000),
        ("1h", 3_600_000),
        ("0.25h", 900_000),
        ("007ms", 7),
    ],
)
def test_duration_is_read_in_milliseconds(text: str, ms: int) -> None:
    """A number with ``ms``, ``s``, ``m`` or ``h`` is so many milliseconds, exactly."""
    assert parse_duration(text) == ms


@pytest.mark.parametrize(
    ("text", "size"),
    [("1KiB", 1024), ("512MiB", 536_870_912), ("1GiB", 1_073_741_824), ("1.5GiB", 1_610_612_736)],
)
def test_size_is_read_in_bytes(text: str, size: int) -> None:
    """A size is so many bytes, by powers of 1024."""
    assert parse_size(text) == size


# the clock of the command line


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        (
            "move=1s,first=5s,margin=50ms",
            Clock(move_ms=1000, first_ms=5000, margin_ms=50, start_ms=10_000),
        ),
        ("move=500ms", Clock(move_ms=500)),
        ("main=1m", Clock(move_ms=None, main_ms=60_000)),
        ("main=1m, inc=100ms", Clock(move_ms=None, main_ms=60_000, inc_ms=100)),
        ("main=1m,move=2s", Clock(move_ms=2000, main_ms=60_000)),
        ("first=0s,margin=0ms,start=1s", Clock(first_ms=0, margin_ms=0, start_ms=1000)),
        ("move=24h", Clock(move_ms=86_400_000)),
    ],
)
def test_clock_is_read_with_defaults(text: str, clock: Clock) -> None:
    """A clock's missing keys have defaults; without ``move`` only the main time limits."""
    assert parse_clock(text) == clock


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a clock like"),
        ("1s", "expected a clock like"),
        ("mvoe=1s", 'no "mvoe"; did you mean "move"'),
        ("zzz=1s", r'no "zzz"; expected one of move, first'),
        ("move=1s,move=2s", '"move" is given twice'),
        ("move=1", 'unit.*found "1"'),
        ("move=0s", 'expected a duration from 1ms to 24h, found "0s"'),
        ("main=0s", "from 1ms to 24h"),
        ("start=0s", "from 1ms to 24h"),
        ("first=25h", "expected a duration from 0s to 24h"),
        ("inc=1s", "give main too"),
        ("move=1s,", "expected a clock like"),
    ],
)
def test_invalid_clock_is_refused(text: str, message: str) -> None:
    """A clock with a mistake is refused with what was expected."""
    with pytest.raises(UsageError, match=message):
        parse_clock(text)
