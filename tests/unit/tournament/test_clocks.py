"""The clock of the command line."""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.model import Clock
from arena.tournament.clocks import parse_clock


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
def test_clocks(text: str, clock: Clock) -> None:
    """What is left out has its default; without ``move`` a main time is the only limit."""
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
def test_no_clocks(text: str, message: str) -> None:
    """A mistake is told with what was expected."""
    with pytest.raises(UsageError, match=message):
        parse_clock(text)
