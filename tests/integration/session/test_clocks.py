"""Honest clocks with real processes: what a bot is charged beside other work, and who is void."""

from __future__ import annotations

import dataclasses
import os
import select
import signal
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from support.burners import burners, one_core
from support.match_jobs import HUNGRY, pebbles, played_by, seat
from support.needs import working
from support.piped import Piped
from support.slowly import nightly

from arena.process.meter import Meter, OwnMeter, schedstat_works
from arena.process.tree import Tree
from arena.session.match_session import play_match
from arena.values.model import Clock, Record
from arena.values.tables import MatchRow
from arena.workers.local import Workers

pytestmark = [pytest.mark.usefixtures("small_games"), pytest.mark.slow]

CLOCK = Clock(move_ms=300, first_ms=0, margin_ms=0, start_ms=10_000)

needs_waits = pytest.mark.skipif(
    not schedstat_works(), reason="this kernel does not say how long a process waits for a CPU"
)


def play(mode: str, *, clock: Clock = CLOCK, heap: int = 4, **more: object) -> Record:
    """Play a bot of ``hungry.py``, in seat 0, against a good one."""
    first = seat(mode, program=HUNGRY, clock=clock)
    other = seat("good", clock=dataclasses.replace(clock, move_ms=10_000))
    return play_match(pebbles(first, other, heap=heap, **more)).record


@needs_waits
def test_starved_bot_has_its_time() -> None:
    """Beside eight burners on its core a bot that needs half its limit answers in time.

    It gets a ninth of the core, and so takes about 1.3 s of wall time for 150 ms.
    """
    with one_core(), burners(8):
        record = play("burn=150", heap=2)
    assert (record.by, record.faults) == ("rules", ())
    decision = record.decisions[0]
    assert decision.cpu_ms is not None
    assert decision.ms > 300
    assert 149 < decision.cpu_ms <= decision.charged_ms < 300
    assert not decision.late


@needs_waits
@pytest.mark.parametrize("mode", ["threads=8", "children=8", "short-children"])
def test_own_threads_and_children_buy_no_time(mode: str) -> None:
    """A bot that waits behind its own threads or children is out of time at its limit.

    It is out of time when all of them together have used its limit, which is seen within 2 ms if
    we get a CPU then, and on a busy machine a little later.
    """
    with one_core(), burners(1):
        record = play(mode)
    assert record.by == "time"
    assert 300 < record.decisions[0].charged_ms < 2 * 300


@needs_waits
def test_starved_bot_is_out_of_time_at_last_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot without a CPU is out of time at the last deadline, and never void."""
    monkeypatch.setattr("arena.match.clock.STARVED_TIMES", 1)
    monkeypatch.setattr("arena.match.clock.STARVED_MORE_MS", 300)
    with one_core(), burners(8):
        record = play("burn=280", heap=2)
    assert record.by == "time"
    assert record.decisions[0].charged_ms < 300


@needs_waits
@pytest.mark.parametrize("level", ["none", "landlock", "limits", "bwrap"])
def test_timeout_says_bot_was_computing(level: str) -> None:
    """A bot that computes past its limit is told that it was computing."""
    working(level)
    clock = dataclasses.replace(CLOCK, move_ms=500)
    (fault,) = play("burn=10000", clock=clock, heap=2, sandbox=level).faults
    assert fault.code == "time"
    assert "computing" in fault.detail


@needs_waits
@pytest.mark.parametrize("level", ["none", "landlock", "bwrap"])
def test_uncounted_children_buy_no_time(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a control group, a bot that waits behind uncounted children is out of time.

    Its wait for a CPU is its children's doing; it would otherwise think for four seconds. On a
    machine that does much else they get little done, and that much is not seen.
    """
    working(level)
    monkeypatch.setattr("arena.session.launch.take_group", lambda *words: None)
    first, other = seat("unseen-children=4", program=HUNGRY, clock=CLOCK), seat("good")
    with one_core():
        whole = pebbles(first, other, heap=2, sandbox=level)
        result = play_match(whole)
    said = b"".join(piece.data for piece in result.said[0])
    if result.record.by == "rules" and int(said.split()[-1]) < 2000:
        pytest.skip("this machine is too busy with other things")
    assert result.record.by == "time"
    assert result.record.decisions[0].charged_ms > 300


# starts


@needs_waits
def test_a_start_beside_burners() -> None:
    """A start is charged like a decision: what others' work keeps from a bot is no part of it."""
    clock = dataclasses.replace(CLOCK, start_ms=600)
    with one_core(), burners(8):
        record = play("burn-at-start=300", clock=clock, heap=2)
    assert (record.by, record.faults) == ("rules", ())


@needs_waits
@pytest.mark.parametrize("mode", ["hog-at-start=2.5", "hog-when-ready"])
def test_opponent_cannot_delay_start(mode: str) -> None:
    """Thirty burners of its opponent cost a bot no start within its time."""
    hog = seat(mode, program=HUNGRY, clock=dataclasses.replace(CLOCK, start_ms=60_000))
    honest = seat(
        "burn-at-start=600", program=HUNGRY, clock=dataclasses.replace(CLOCK, start_ms=1200)
    )
    with one_core():
        record = play_match(pebbles(hog, honest, heap=2)).record
    assert (record.by, record.faults) == ("rules", ())


# decisions beside opponents


@needs_waits
@pytest.mark.parametrize("ponder", [True, False])
def test_opponents_work_costs_no_time(ponder: bool) -> None:
    """Forty burners of an opponent that is not asked cost a bot neither time nor match.

    While it is not asked the opponent is stopped, even where all may think at all times. Beside 40
    burners 200 ms take 8 s, and no deadline moves further than that here.
    """
    swarm = seat("swarm=40", program=HUNGRY, clock=dataclasses.replace(CLOCK, move_ms=10_000))
    burner = seat("burn=200", program=HUNGRY, clock=CLOCK)
    with one_core():
        whole = pebbles(swarm, burner, heap=2, ponder=ponder)
        record = play_match(whole).record
    assert (record.by, record.faults) == ("rules", ())
    assert record.decisions[1].charged_ms < 300


def test_wall_time_counts_without_schedstat(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a kernel that does not report waits, a bot is charged its wall time."""
    monkeypatch.setattr("arena.process.meter.schedstat_works", lambda: False)
    with one_core(), burners(8):
        record = play("burn=150", heap=2)
    assert record.by == "time"
    assert record.decisions[0].ms == record.decisions[0].charged_ms > 300


def test_game_clock_falls_by_charge(tmp_path: Path) -> None:
    """The game clock that a bot is told falls by what it was charged."""
    clock = Clock(move_ms=None, main_ms=5000, first_ms=0, start_ms=10_000)
    sleeper = seat("sleep=0.2", "0", clock=clock, env=[("TRANSCRIPT", str(tmp_path / "read"))])
    record = play_match(pebbles(sleeper, seat("good"), heap=3)).record
    assert record.by == "rules"
    first = record.decisions[0].charged_ms
    assert 150 < first < 5000
    asked = [line for line in (tmp_path / "read").read_text().splitlines() if line[:2] == "go"]
    assert asked[0] == "go 1 left=5000 limit=5000"
    assert asked[1] == "go 2 left={0} limit={0}".format(int(5000 - first))


# gaps in our own time


def test_busy_machine_voids_no_match() -> None:
    """A match beside burners counts, as the arena is late but was not stopped."""
    seats = (seat("burn=20", program=HUNGRY), seat("good"))
    with one_core(), burners(8), Workers(1, pin=False) as workers:
        [outcome] = played_by(workers, [pebbles(*seats, heap=4)])
    assert isinstance(outcome, MatchRow)
    assert outcome.by == "rules"


@needs_waits
@pytest.mark.parametrize("grouped", [True, False])
@pytest.mark.parametrize("percent", [*nightly([30, 60]), 90])
@pytest.mark.parametrize(
    ("move_ms", "decisions"),
    [
        (200, 3),
        pytest.param(1000, 20, marks=[pytest.mark.nightly, pytest.mark.timeout(600)]),
    ],
)
def test_honest_bots_on_a_busy_machine(
    move_ms: int, decisions: int, percent: int, grouped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside 8 burners a bot that uses so much of its limit in each decision loses none by time.

    They are on its core, and in the nightly run on two cores.
    """
    working("limits")
    if not grouped:
        monkeypatch.setattr("arena.session.launch.take_group", lambda *words: None)
    clock = dataclasses.replace(CLOCK, move_ms=move_ms, margin_ms=50)
    honest = seat(f"burn={move_ms * percent // 100}", program=HUNGRY, clock=clock)
    with one_core() if move_ms < 1000 else nullcontext(), burners(8):
        whole = pebbles(honest, seat("good"), heap=2 * decisions, sandbox="limits")
        record = play_match(whole).record
    assert (record.by, record.faults, len(record.decisions)) == ("rules", (), 2 * decisions)


# the kernel's counters


def test_meter_counts_the_whole_tree() -> None:
    """A meter sees threads and children, those that live and those that have ended."""
    code = (
        "import os, sys, threading, time\n"
        "def burn(clock):\n"
        "    while clock() < 0.1: pass\n"
        "thread = threading.Thread(target=burn, args=(time.thread_time,))\n"
        "thread.start(); thread.join()\n"  # 100 ms in a thread that has ended
        "child = os.fork()\n"
        "if child == 0: burn(time.process_time); os._exit(0)\n"
        "os.waitpid(child, 0)\n"  # and in a child that has ended
        "if os.fork() == 0: burn(time.process_time); os.write(1, b'x'); time.sleep(3600)\n"
        "else: time.sleep(3600)\n"
    )
    process = Piped([sys.executable, "-S", "-c", code])
    tree = Tree(process.pid)
    meter = Meter(tree)
    try:
        process.stdout.read(1)
        now = time.monotonic_ns()
        cpu_ns, wait_ns = meter.cpu_ns(now), meter.wait_ns()
        assert 280_000_000 < cpu_ns < 800_000_000
        assert (wait_ns is not None) == schedstat_works()
        meter.walk()
        assert cpu_ns <= meter.cpu_ns(now) < cpu_ns + 50_000_000
    finally:
        for pid in tree.members()[1:]:
            os.kill(pid, signal.SIGKILL)
        process.kill()
        process.communicate()
    assert meter.cpu_ns(time.monotonic_ns()) >= cpu_ns  # of one that is gone: the last
    meter.close()


def test_unreaped_child_is_charged() -> None:
    """An unreaped child's 0.8 s of CPU count in each of five decisions that start one."""
    code = (
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "for line in sys.stdin:\n"
        "    if os.fork() == 0:\n"
        "        while time.process_time() < 0.8: pass\n"
        "        os._exit(0)\n"
        "    try: os.wait()\n"
        "    except ChildProcessError: pass\n"
        "    print(flush=True)\n"
    )
    process = Piped([sys.executable, "-S", "-c", code])
    meter = Meter(Tree(process.pid))
    counted = []
    for _ in range(5):
        before = meter.cpu_ns(time.monotonic_ns())
        process.say("")
        while not select.select([process.stdout], [], [], 0.025)[0]:
            meter.cpu_ns(time.monotonic_ns())
        process.stdout.readline()
        counted.append((meter.cpu_ns(time.monotonic_ns()) - before) / 1e9)
    process.communicate()
    meter.close()
    assert all(0.7 <= one < 1.0 for one in counted), counted


@needs_waits
def test_own_meter_sees_waiting() -> None:
    """Our own wait for a CPU grows while we compute beside burners on one core."""
    with one_core(), burners(3):
        meter = OwnMeter()
        used, waited = meter.read()
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass
        after_used, after_waited = meter.read()
        meter.close()
        assert after_used - used >= 40_000_000
        assert after_waited - waited >= 20_000_000
