"""What a bot's processes hold together: whoever holds too much is killed, and it is its fault."""

from __future__ import annotations

import dataclasses
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.match_jobs import HUNGRY, pebbles, played_by, seat
from support.waiting import process_state, until

from arena.machine.procfs import descendants
from arena.process.bot import BotProcess
from arena.process.memory import Usage
from arena.record.record import parse_record
from arena.record.replay import verify
from arena.session.guard import Guard
from arena.session.launch import launch
from arena.session.match_session import play_match
from arena.values.model import Clock, MatchResult, Seat
from arena.values.said import SaidWhere
from arena.values.tables import MatchRow
from arena.workers.local import Workers

pytestmark = [pytest.mark.usefixtures("small_games"), pytest.mark.slow]

PATIENT = Clock(move_ms=20_000, first_ms=0, start_ms=20_000)
MIB = 1 << 20


def hungry(mode: str, limit_mib: int = 128) -> Seat:
    return seat(mode, program=HUNGRY, clock=PATIENT, memory_bytes=limit_mib * MIB)


def play(first: Seat, opponent: Seat | None = None, **more: object) -> MatchResult:
    other = opponent or seat("good", clock=PATIENT)
    return play_match(pebbles(first, other, heap=4, **more))


@pytest.mark.usefixtures("no_process_left")
def test_bot_with_large_unmapped_file_is_killed() -> None:
    """A bot with a file in memory over its limit is killed, though no process maps the file."""
    result = play(hungry("memory-file=200"))
    record = result.record
    assert (record.by, record.ranks) == ("memory", (2, 1))
    detail = "it held more than its 128 MiB of memory, with all its processes"
    assert record.faults[0].detail == detail
    remarks = b"".join([one.data for one in result.said[0] if one.source is SaidWhere.REFEREE])
    assert b"killed: it held more than its 128 MiB" in remarks
    assert "killed" not in record.faults[0].stderr


def test_bot_just_below_memory_limit_plays() -> None:
    """A bot below its limit plays on: memory shared by ``fork`` counts once."""
    slow = seat("sleep=0.3", "0", clock=PATIENT)  # so that it is looked at again and again
    record = play(hungry("memory-shared=80"), slow).record
    assert (record.by, record.faults) == ("rules", ())


def test_bot_over_memory_unasked_loses_when_asked() -> None:
    """A bot over its memory while its opponent decides is killed then, and loses when asked."""
    slow = seat("sleep=1.5", "1", clock=PATIENT)
    # it takes its memory unasked, and would be stopped for that
    record = play(hungry("memory-later=300"), slow, ponder=True).record
    assert record.by == "memory"
    assert record.actions == ((0, "take:1"), (1, "take:1"), (0, None))
    assert record.faults[0].decision == 2


def test_bot_with_too_many_processes_is_killed() -> None:
    """A bot with more than 256 processes loses by ``flood``."""
    record = play(hungry("processes=300", limit_mib=4096)).record
    assert record.by == "flood"
    assert record.faults[0].detail == "more than 256 processes"


def test_worker_lost_after_bot_over_memory_is_fault() -> None:
    """If a worker is lost after a bot was over its memory, that bot loses and nothing is void."""
    bomb = hungry("memory-later=300")
    slow = seat("sleep=1000", "1", clock=dataclasses.replace(PATIENT, move_ms=2_000_000))
    whole = pebbles(bomb, slow, heap=4, number=7, ponder=True)
    jobs = iter([whole])
    with Workers(1) as workers:
        [old] = workers.pids()

        def kill_once_the_bomb_is_dead() -> None:
            # the other bot sleeps, so that the dead one is not taken away
            until(lambda: any(process_state(pid) == "Z" for pid in descendants(old)))
            os.kill(old, signal.SIGKILL)

        with ThreadPoolExecutor() as beside:
            beside.submit(kill_once_the_bomb_is_dead)
            [outcome] = played_by(workers, jobs)
    assert isinstance(outcome, MatchRow)
    assert (outcome.number, outcome.by, outcome.ranks) == (7, "memory", (2, 1))
    record = parse_record(outcome.data.decode())
    assert record.actions == ((0, None),)
    assert "when the process that ran the match was lost" in record.faults[0].detail
    assert verify(record) == []


def test_bot_with_hidden_process_loses_by_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot with a process that cannot be looked into loses by ``memory``, with the reason."""
    own = 128 * MIB
    monkeypatch.setattr(
        "arena.session.holdings.usage", lambda _, limit, most: Usage(0, 1, hidden=limit == own)
    )
    monkeypatch.setattr("arena.session.launch.take_group", lambda *_: None)
    slow = seat("sleep=1", "0", clock=PATIENT)
    record = play(hungry("good", limit_mib=128), slow).record
    assert (record.by, record.ranks) == ("memory", (2, 1))
    assert "hides" in record.faults[0].detail


def test_bot_over_memory_while_ending_is_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that was over its memory and gave it back as it ended is still at fault for it."""
    found = iter([Usage(120 * MIB, 1), Usage(0, 1)])
    monkeypatch.setattr("arena.session.holdings.usage", lambda *_: next(found))
    bot = BotProcess(launch(hungry("good").entrant, "none"))
    try:
        guard = Guard(bot, ponder=False)
        for _ in range(2):
            assert guard.look(bot.next_check_ns) is None
        excess = guard.holds.why_it_ended()
    finally:
        bot.kill()
    assert excess is not None
    assert excess.code == "memory"
