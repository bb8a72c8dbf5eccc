"""How long a run waits for what the machine lacks: pauses that grow, and an end."""

from __future__ import annotations

import pytest

from arena.workers.patience import END_SECONDS, FIRST_PAUSE, LONGEST_PAUSE, Patience


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def pauses(patience: Patience, clock: Clock) -> list[float]:
    """Return the pauses of a run whose every match is void for a lack, until nobody waits."""
    found = []
    while patience.lacked():
        found.append(patience.seconds())
        clock.now += patience.seconds()
    return found


def test_pauses_double_up_to_15_s_for_5_minutes(clock: Clock) -> None:
    """Pauses double from 0.25 to 15 s, and end after 300 s of waiting."""
    patience = Patience(clock)
    assert (patience.seconds(), patience.waiting) == (0, False)
    found = pauses(patience, clock)
    assert found[:8] == [0.25, 0.5, 1, 2, 4, 8, 15, 15]
    assert max(found) == LONGEST_PAUSE == 15
    assert found[0] == FIRST_PAUSE
    assert sum(found) == END_SECONDS == 300
    assert clock.now == 1300
    assert patience.waiting
    assert patience.seconds() == 0
    clock.now += 1000
    assert not patience.lacked()
