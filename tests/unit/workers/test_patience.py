"""How long a run waits for what the machine lacks: pauses that grow, and an end."""

from __future__ import annotations

from support.own_clock import OwnClock

from arena.workers.patience import END_SECONDS, FIRST_PAUSE, LONGEST_PAUSE, Patience


def pauses(patience: Patience, clock: OwnClock) -> list[float]:
    """Return the pauses of a run whose every match is void for a lack, until nobody waits."""
    found = []
    while patience.lacked():
        found.append(patience.seconds())
        clock.now += patience.seconds()
    return found


def test_pauses_double_up_to_15_s_for_5_minutes() -> None:
    """Pauses double from 0.25 to 15 s, and end after 300 s of waiting."""
    clock = OwnClock()
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
