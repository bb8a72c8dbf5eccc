"""No thinking on the opponent's time: who does is seen, stopped while not asked, and marked."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from support.burners import one_core
from support.match_jobs import HUNGRY, pebbles, seat
from support.needs import working
from support.waiting import process_state

from arena.session.match_session import Pool, play_match
from arena.values.model import Clock, Record, Seat

pytestmark = [pytest.mark.usefixtures("small_games"), pytest.mark.slow]

CLOCK = Clock(move_ms=5000, first_ms=0, start_ms=10_000)


def hungry(mode: str, last_words: Path | None = None) -> Seat:
    env = [] if last_words is None else [("LAST_WORDS", str(last_words))]
    return seat(mode, program=HUNGRY, clock=CLOCK, env=env)


def play(first: Seat, *, heap: int = 6, pool: Pool | None = None, **more: object) -> Record:
    """Play a bot in seat 0 against one that sleeps for 200 ms at each decision."""
    sleeper = seat("sleep=0.2", "0", clock=CLOCK)
    whole = pebbles(first, sleeper, heap=heap, **more)
    return play_match(whole, pool).record


@pytest.mark.parametrize(
    ("level", "mode"),
    [("none", "ponder-thread"), ("landlock", "ponder-thread"), ("bwrap", "ponder-child")],
)
def test_pondering_bot_is_marked(level: str, mode: str) -> None:
    """A bot with a thread or child that computes while its opponent decides is marked, alone."""
    working(level)
    record = play(hungry(mode), sandbox=level)
    assert [player.pondered for player in record.players] == [True, False]
    assert (record.by, record.faults) == ("rules", ())  # it is marked, and plays on


def test_stopped_bot_reads_end_of_match(tmp_path: Path) -> None:
    """A bot that is stopped when the match ends goes on, and reads how it ended."""
    last_words = tmp_path / "words"
    record = play(hungry("ponder-child", last_words), heap=5)
    assert record.actions[-1][0] == 0  # it answers, and is stopped again
    assert record.players[0].pondered
    assert last_words.read_text().startswith("end ")


def test_pondering_bot_is_stopped_until_asked() -> None:
    """A bot that was seen pondering uses no CPU while its opponent decides.

    Its opponent sleeps for six times 200 ms, of which it computes for some 100.
    """
    with one_core():
        starts, _ = used_by("burn=0")
        used, record = used_by("ponder-child")
    asked = sum(
        decision.ms
        for (player, _), decision in zip(record.actions, record.decisions, strict=True)
        if player == 0
    )
    assert used - starts < 0.5 + asked / 1000


def used_by(mode: str) -> tuple[float, Record]:
    """Play a match; return the CPU seconds that its bots used, and its record."""
    before = _cpu_of_children()
    record = play(hungry(mode), heap=12)
    return _cpu_of_children() - before, record


def _cpu_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def test_pondering_is_allowed_by_key() -> None:
    """With ``ponder: true`` a bot that ponders is neither marked nor stopped."""
    record = play(hungry("ponder-thread"), ponder=True)
    assert [player.pondered for player in record.players] == [False, False]


@pytest.mark.parametrize("ponder", [False, True])
def test_kept_bot_is_stopped_between_matches(ponder: bool) -> None:
    """A kept bot that computes between its matches is stopped, and marked in its next one."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(one_core())
        pool = Pool()
        stack.callback(pool.close)
        first = play(hungry("ponder-end"), processes="reuse", pool=pool, ponder=ponder)
        kept = pool.pids()
        while True:  # the bots of these matches are others, which are not kept
            play(hungry("good"), heap=2, pool=pool)
            states = {process_state(pid) for pid in kept}
            if ponder or "T" in states:
                break
        again = play(hungry("ponder-end"), processes="reuse", pool=pool, ponder=ponder)
    assert not first.players[0].pondered
    assert [player.pondered for player in again.players] == [not ponder, False]
    assert ("T" in states) == (not ponder)
    assert len(kept) == 2
    assert (again.by, again.faults) == ("rules", ())
