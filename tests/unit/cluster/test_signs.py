"""How long a host may show no sign that it goes on."""

from __future__ import annotations

import pytest

from arena.cluster.signs import FETCHING, PREPARING, Doing, Signs, still_seconds
from arena.values.model import Clock

CLOCK = Clock(move_ms=1000, first_ms=0, start_ms=10_000)


@pytest.mark.parametrize(
    ("doing", "seconds", "where"),
    [
        (Doing(), 60, ""),
        (Doing("match number 7"), 60, ", in match number 7"),
        (Doing("match number 7", 500.0), 500, ", in match number 7"),
        (PREPARING, 600, ", in preparing bots"),
        (FETCHING, 600, ", in fetching bots"),
    ],
)
def test_silence_of_host_depends_on_its_work(doing: Doing, seconds: int, where: str) -> None:
    """How long a host may be silent follows from what it does; the sentence says what that is."""
    signs = Signs()
    assert [signs.look(now, doing) for now in (100.0, 100.0 + seconds)] == ["", ""]
    assert signs.look(101.0 + seconds, doing) == f"no sign of it for {seconds + 1} s{where}"
    assert signs.look(102.0 + seconds, doing._replace(what="more")) == ""


def test_who_has_nothing_to_do_is_never_silent() -> None:
    """Time counts from when the host has something to do."""
    signs = Signs()
    assert [signs.look(now, None) for now in (0.0, 1e6)] == ["", ""]
    assert [signs.look(now, Doing()) for now in (1e6 + 50, 1e6 + 100)] == ["", ""]


def test_the_limit_of_a_game_clock_grows_with_its_decisions() -> None:
    """A bot that answers at once saves its increments, and may use all of them in one decision."""
    clock = Clock(move_ms=None, first_ms=0, main_ms=10_000, inc_ms=1000)
    assert still_seconds([CLOCK, clock], 20) == 2 * (10 * 30 + 5)
    assert still_seconds([CLOCK], 0) == 210
