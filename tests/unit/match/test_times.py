"""Times of a record that contradict one another, or the rules of the clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support import finished
from support.script_games import Sums

from arena.match.clock import patience_ms
from arena.record.replay import verify
from arena.values.model import Clock, Decision, Fault, Record, Termination

LIMIT, MARGIN = 1000, 50
FINE = Decision(12.0, 11.0, 11.5)  # it waited for half a millisecond


@pytest.fixture(autouse=True)
def sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have records be of the game of scripts, of one player or of several."""

    def load(text: str) -> Sums:
        return Sums(dict(word.split("=") for word in text.split(",")))

    monkeypatch.setattr("arena.record.replay.load_game", load)


def record(*decisions: Decision, fell: Termination | None = None, **more: Any) -> Record:
    """Return a record in which player 0 alone acts, and is dropped at the end if it ``fell``."""
    actions = [(0, "add:0")] * len(decisions)
    faults: tuple[Fault, ...] = ()
    if fell is not None:
        actions[-1:] = [(0, None)]  # type: ignore[list-item]
        if fell is not Termination.RESIGN:
            faults = (Fault(0, fell, len(decisions), "wrong"),)
    return replace(
        finished.record(1, ["oak"], [1], game=f"players=1,rounds={len(decisions) or 1},late=zero"),
        setup="1 0",
        clock=Clock(move_ms=LIMIT, first_ms=0, margin_ms=MARGIN),
        actions=tuple(actions),
        decisions=decisions,
        faults=faults,
        elapsed_ms=more.pop("elapsed_ms", 1_000_000),
        **more,
    )


def wrong(*decisions: Decision, **more: Any) -> list[str]:
    return times_of(record(*decisions, **more))


def times_of(record: Record) -> list[str]:
    """Return what is wrong with the times of a record, or with what follows from them."""
    about = ("decision ", "it says ", "its decisions ")
    return [line for line in verify(record) if line.startswith(about)]


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
def test_possible_times_are_accepted(decisions: tuple[Decision, ...], more: dict[str, Any]) -> None:
    """Times that a match can have, on any machine and with any end, are no contradiction."""
    assert wrong(*decisions, **more) == []


@pytest.mark.parametrize(
    ("decisions", "more", "word"),
    [
        ((FINE._replace(ms=-5.0),), {}, "nothing takes"),
        ((FINE._replace(ms=1e300),), {}, "nothing takes"),
        ((FINE._replace(ms=float("nan")),), {}, "nothing takes"),
        ((FINE._replace(charged_ms=-1.0),), {}, "nothing takes"),
        ((FINE,), {"elapsed_ms": 10**15}, "nothing takes"),
        ((FINE._replace(late=True),), {}, "0, late, and charged"),
        ((LATE._replace(late=False),), {}, "not late, and charged"),
        ((FINE._replace(charged_ms=2040.0, ms=2040.0),), {}, "not late"),
        ((FINE._replace(charged_ms=2040.0, ms=2040.0, late=True),), {}, "(time: no complete"),
        ((FINE._replace(charged_ms=99999.0, ms=99999.0, late=True),), {}, "(time: no complete"),
        ((FINE._replace(charged_ms=0.0),), {}, "less than the CPU"),
        ((FINE, Decision(500.0, 900.0, 500.0)), {}, "less than the CPU"),  # waits are known
        ((Decision(0.5, 20.0, 0.5),), {}, "less than the CPU"),
        ((FINE._replace(cpu_ms=5000.0),), {}, "less than the CPU"),
        ((FINE._replace(charged_ms=900.0),), {}, "more than it took"),
        ((FINE._replace(cpu_ms=None, charged_ms=20.0),), {}, "more than it took"),
        ((FINE._replace(ms=1e6),), {"elapsed_ms": 1234}, "all of it"),
        ((FINE, FINE), {"elapsed_ms": 12}, "all of it"),
        ((LATE, LATE, LATE), {}, "(time: the third answer"),
        ((LATE, LATE, FINE, LATE, FINE), {}, "(time: the third answer"),
        ((FORCED,), {}, "it is a drop"),
        ((FORCED._replace(late=False),), {"on_timeout": "published"}, "not late"),
        (
            (FINE._replace(late=True, forced=True),),
            {"on_timeout": "published"},
            "it is add:0, not late",
        ),
        ((FINE,), {"fell": Termination.TIME}, "out of time, and charged"),
        ((LATE,), {"fell": Termination.TIME}, "a drop, late"),
        ((LATE,), {"fell": Termination.RESIGN}, "a drop, late"),
        ((FINE._replace(charged_ms=0.0),), {"fell": Termination.ILLEGAL}, "less than the CPU"),
    ],
)
def test_impossible_times_are_named(
    decisions: tuple[Decision, ...], more: dict[str, Any], word: str
) -> None:
    """Times that no match can have give one sentence that says what is wrong."""
    found = wrong(*decisions, **more)
    assert len(found) == 1
    assert word in found[0]


def test_clock_without_limit_is_no_traceback() -> None:
    """A record whose clock has no limit is checked without an exception."""
    found = replace(record(FINE), clock=Clock(move_ms=None, main_ms=None))
    assert verify(found) == ["it contradicts itself: player 0 has no limit a move or a game"]


def test_forced_action_must_be_that_of_rules() -> None:
    """With ``on_timeout``, only the action that the rules play for a bot is accepted."""
    found = record(FORCED, on_timeout="published")
    assert times_of(found) == []
    [sentence] = times_of(replace(found, actions=((0, "add:5"),)))
    assert "by the rules it is add:0" in sentence
