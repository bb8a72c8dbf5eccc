"""Times of a record that contradict one another, or the rules of the clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support import finished

from arena.match.clock import patience_ms
from arena.match.limits import time_differences
from arena.model import Clock, Decision, Fault, Record, Termination

LIMIT, MARGIN = 1000, 50
FINE = Decision(12.0, 11.0, 11.5)  # it waited for half a millisecond


def record(*decisions: Decision, fell: Termination | None = None, **more: Any) -> Record:
    """Return a record in which player 0 alone acts, and is dropped at the end if it ``fell``."""
    actions = [(0, "a")] * len(decisions)
    faults: tuple[Fault, ...] = ()
    if fell is not None:
        actions[-1:] = [(0, None)]  # type: ignore[list-item]
        if fell is not Termination.RESIGN:
            faults = (Fault(0, fell, len(decisions), "wrong"),)
    return replace(
        finished.record(1, ["oak", "elm"], [1, 2]),
        clock=Clock(move_ms=LIMIT, first_ms=0, margin_ms=MARGIN),
        actions=tuple(actions),
        decisions=decisions,
        faults=faults,
        elapsed_ms=more.pop("elapsed_ms", 1_000_000),
        **more,
    )


def wrong(*decisions: Decision, **more: Any) -> list[str]:
    return [*time_differences(record(*decisions, **more))]


LATE = Decision(LIMIT + 40.0, LIMIT + 20.0, LIMIT + 20.0, late=True)
FORCED = Decision(LIMIT + 60.0, 5.0, LIMIT + 55.0, late=True, forced=True)


@pytest.mark.parametrize(
    ("decisions", "more"),
    [
        ((), {"elapsed_ms": 0}),
        ((FINE,), {"elapsed_ms": 12}),
        ((Decision(0.05, 0.0, 0.05), Decision(0.05, 0.3, 0.3)), {}),  # at once, one on two cores
        ((Decision(500.0, 900.0, 900.0),), {}),  # on two cores, within the limit
        ((Decision(500.0, 900.0, 500.0),), {}),  # the same where waits are not known
        ((Decision(9000.0, 10.0, 10.0),), {}),  # it waited for nine limits
        ((LATE, LATE, FINE), {}),
        ((Decision(LIMIT + 0.001, 1.0, LIMIT + 0.001, late=True),), {}),
        ((Decision(LIMIT * 1.0, 1.0, LIMIT * 1.0, late=True),), {}),  # by less than a microsecond
        ((Decision(700.0, LIMIT + 1.0, LIMIT + 1.0, late=True),), {}),  # by CPU time alone
        ((FORCED,) * 5, {"on_timeout": "published"}),
        ((LATE, LATE, LATE._replace(forced=True)), {"on_timeout": "published"}),
        ((LATE, LATE, LATE._replace(late=False)), {"fell": Termination.TIME}),
        ((FORCED._replace(late=False, forced=False),), {"fell": Termination.TIME}),
        ((Decision(patience_ms(LIMIT) + 1.0, 4.0, 5.0),), {"fell": Termination.TIME}),
        ((Decision(), FINE), {"fell": Termination.CRASH}),
        ((FINE, FINE), {"fell": Termination.RESIGN}),
        ((Decision(5000.0, 10.0, 4000.0),), {"fell": Termination.CRASH}),
    ],
)
def test_what_a_match_can_have(decisions: tuple[Decision, ...], more: dict[str, Any]) -> None:
    """On any machine, and however it ends."""
    assert wrong(*decisions, **more) == []


@pytest.mark.parametrize(
    ("decisions", "more", "word"),
    [
        ((FINE._replace(ms=-5.0),), {}, "nothing takes"),
        ((FINE._replace(ms=1e300),), {}, "nothing takes"),
        ((FINE._replace(ms=float("nan")),), {}, "nothing takes"),
        ((FINE._replace(charged_ms=-1.0),), {}, "nothing takes"),
        ((FINE,), {"elapsed_ms": 10**15}, "nothing takes"),
        ((FINE._replace(late=True),), {}, "late, and charged"),
        ((LATE._replace(late=False),), {}, "not late, and charged"),
        ((FINE._replace(charged_ms=2040.0, ms=2040.0),), {}, "not late"),
        ((FINE._replace(charged_ms=2040.0, ms=2040.0, late=True),), {}, "margin"),
        ((FINE._replace(charged_ms=99999.0, ms=99999.0, late=True),), {}, "margin"),
        ((FINE._replace(charged_ms=0.0),), {}, "less than the CPU"),
        ((FINE, Decision(500.0, 900.0, 500.0)), {}, "less than the CPU"),  # waits are known
        ((Decision(0.5, 20.0, 0.5),), {}, "less than the CPU"),
        ((FINE._replace(cpu_ms=5000.0),), {}, "less than the CPU"),
        ((FINE._replace(charged_ms=900.0),), {}, "more than it took"),
        ((FINE._replace(cpu_ms=None, charged_ms=20.0),), {}, "more than it took"),
        ((FINE._replace(ms=1e6),), {"elapsed_ms": 1234}, "all of it"),
        ((FINE, FINE), {"elapsed_ms": 12}, "all of it"),
        ((LATE, LATE, LATE), {}, "late answer number 3"),
        ((LATE, LATE, FINE, LATE, FINE), {}, "late answer number 3"),
        ((FORCED,), {}, "the rules' own"),
        ((FORCED._replace(late=False),), {"on_timeout": "published"}, "not late"),
        ((FINE._replace(late=True, forced=True),), {"on_timeout": "published"}, "out of time"),
        ((FINE,), {"fell": Termination.TIME}, "out of time, and charged"),
        ((LATE,), {"fell": Termination.TIME}, "where there is none"),
        ((LATE,), {"fell": Termination.RESIGN}, "where there is none"),
        ((FINE._replace(charged_ms=0.0),), {"fell": Termination.ILLEGAL}, "less than the CPU"),
    ],
)
def test_what_none_can_have(
    decisions: tuple[Decision, ...], more: dict[str, Any], word: str
) -> None:
    """One sentence says what it is."""
    found = wrong(*decisions, **more)
    assert len(found) == 1
    assert word in found[0]


def test_each_player_has_a_clock_of_its_own() -> None:
    """The first decision has its own limit, and a game clock runs down."""
    clock = Clock(move_ms=None, main_ms=1000, inc_ms=100, first_ms=500, margin_ms=0)
    slow, quick = Decision(900.0, 1.0, 900.0), Decision(1.5, 1.0, 1.2)
    found = record(slow, quick, slow, quick)
    players = (replace(found.players[0], clock=clock), found.players[1])
    found = replace(found, players=players, actions=((0, "a"), (1, "a")) * 2)
    # 200 of 1000 ms are left
    [sentence] = time_differences(found)
    assert sentence == "decision 3, of player 0: not late, and charged 900 of 200 ms"
    soon = slow._replace(ms=190.0, charged_ms=190.0)
    assert not [*time_differences(replace(found, decisions=(slow, quick, soon, quick)))]


def test_a_start_may_have_begun_before_the_match() -> None:
    """What a bot took until it failed to start is no decision."""
    found = record(Decision(5000.0, 3.0, 4000.0), elapsed_ms=10)
    fault = Fault(0, Termination.STARTUP, 0, "it exited")
    found = replace(found, actions=((0, None),), faults=(fault,), by=Termination.STARTUP)
    assert not [*time_differences(found)]
