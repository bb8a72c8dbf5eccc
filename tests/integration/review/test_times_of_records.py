"""Times that no clock measured are found wherever a record comes from; those of matches pass."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from support.arena_command import output, tournament

from arena.record.record import parse_record
from arena.record.replay import verify

Change = Callable[[dict[str, Any]], object]


def decision(**times: object) -> Change:
    """Return what changes the third decision of a record."""
    return lambda record: record["decisions"][2].update(times)


def late_thrice(record: dict[str, Any]) -> None:
    """Have a player come late three times, each time within the margin."""
    for place in (0, 2, 4):
        record["decisions"][place].update(ms=2040.0, cpu_ms=1.0, charged_ms=2040.0, late=True)
    record["elapsed_ms"] = 100_000


def of_a_year(record: dict[str, Any]) -> None:
    record["elapsed_ms"] = 10**15


LIES: dict[str, Change] = {
    "late": decision(late=True),
    "over the limit": decision(charged_ms=2040.0, ms=2040.0),
    "late and over": decision(charged_ms=2040.0, ms=2040.0, late=True),
    "way over": decision(charged_ms=99999.0, ms=99999.0, late=True),
    "wall": decision(ms=1e6),
    "beyond the last deadline": decision(ms=25001.0),
    "CPU": decision(cpu_ms=5000.0),
    "negative": decision(ms=-5.0),
    "charged nothing": decision(charged_ms=0.0, cpu_ms=2.4),
    "charged more": decision(charged_ms=1999.0),
    "charged all of what was not": decision(charged_ms=1999.0, ms=1999.0),
    "huge": decision(ms=1e300),
    "forced": decision(forced=True, late=True),
    "three times late": late_thrice,
    "a match of a year": of_a_year,
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The record of a match that was played."""
    folder = tmp_path_factory.mktemp("timed")
    keys = {"clock": "{move: 2s, first: 0s, margin: 50ms}", "sandbox": "none"}
    output(folder / "home", "run", tournament(folder, opening="{plies: 2}", **keys))
    return output(folder / "home", "export").splitlines()[0]


def test_what_was_measured_passes(record: str) -> None:
    """The times of a match that was played can be."""
    assert verify(parse_record(record)) == []


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_time(lie: str, record: str) -> None:
    """A time that no clock can have measured is found."""
    value = json.loads(record)
    LIES[lie](value)
    assert verify(parse_record(json.dumps(value)))
