"""Worker processes: all results come back, a killed one costs its match only, nothing is left."""

from __future__ import annotations

import dataclasses
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from match_jobs import SCRIPTED, job, seat

import arena.workers as workers_module
from arena.logs import log_to
from arena.model import Clock, MatchJob
from arena.workers import Lost, Played, Workers

pytestmark = pytest.mark.usefixtures("small_games")


def giver(jobs: Iterable[MatchJob]) -> Callable[[], MatchJob | None]:
    """Return a function that gives one job after another, then ``None``."""
    rest = iter(jobs)
    return lambda: next(rest, None)


def short_match(number: int) -> MatchJob:
    return job(
        "pebbles(players=2)",
        seat("good"),
        seat("good", name="other"),
        setup="3 0,0 0",
        number=number,
    )


def hanging_match(number: int, pid_file: Path) -> MatchJob:
    """A match in which a bot writes down its process id and hangs for an hour."""
    program = pid_file.parent / "hang.py"
    program.write_text(
        "import os, sys, time\n"
        "open(sys.argv[1], 'a').write(f'{os.getpid()} {os.getppid()}\\n')\n"
        "time.sleep(3600)\n"
    )
    return job(
        "pebbles(players=2)",
        seat(str(pid_file), program=program),
        seat("good", name="other"),
        number=number,
    )


def is_gone(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"Z"
    except FileNotFoundError:
        return True


def test_all_results_come_back() -> None:
    """Every match given to two workers comes back once, with its number."""
    with Workers(2) as workers:
        results = list(workers.run(giver(short_match(n) for n in range(7))))
    assert sorted(r.packed.number for r in results if isinstance(r, Played)) == list(range(7))
    assert {r.packed.ranks for r in results if isinstance(r, Played)} == {(1, 2)}


def test_killed_worker_costs_its_match(tmp_path: Path) -> None:
    """A killed worker's match is lost, its bot is dead, the others are played by a new worker."""
    pids = tmp_path / "pids"
    pids.touch()
    matches = [hanging_match(0, pids), short_match(1), short_match(2)]

    with Workers(1) as workers:
        [old] = workers.pids()

        def kill_once_the_bot_runs() -> None:
            while pids.stat().st_size == 0:
                os.sched_yield()
            os.kill(old, signal.SIGKILL)

        killer = threading.Thread(target=kill_once_the_bot_runs)
        killer.start()
        outcomes = list(workers.run(giver(matches)))
        killer.join()
        assert workers.pids() != [old]
    assert [type(outcome) for outcome in outcomes] == [Lost, Played, Played]
    assert isinstance(outcomes[0], Lost)
    assert outcomes[0].job.number == 0
    assert "exit code -9" in outcomes[0].reason
    bot = int(pids.read_text().split()[0])
    assert is_gone(bot)


def test_failing_match_is_lost_not_fatal() -> None:
    """An error of ours in a match comes back as its reason, and the worker goes on."""
    broken = job("pebbles(players=2)", seat("good"), seat("good"), setup="no setup", number=5)
    with Workers(1) as workers:
        outcomes = list(workers.run(giver([broken, short_match(6)])))
    assert isinstance(outcomes[0], Lost)
    assert "BadSetup" in outcomes[0].reason
    assert isinstance(outcomes[1], Played)


def test_logs_come_escaped(tmp_path: Path) -> None:
    """What a bot wrote to stderr is made harmless in the worker, which has the time."""
    program = tmp_path / "painter.py"
    program.write_text(
        "import sys\n"
        "print('\\x1b[2J\\tpainted', file=sys.stderr, flush=True)\n" + SCRIPTED.read_text()
    )
    match = job("pebbles(players=2)", seat("good", program=program), seat("good", name="other"))
    with Workers(1) as workers:
        [played] = workers.run(giver([match]))
    assert isinstance(played, Played)
    assert "\\x1b[2J" in played.logs[0]
    assert "\x1b" not in played.logs[0]
    assert "\t" not in played.logs[0]


def test_somebody_looks_while_a_match_goes_on(tmp_path: Path) -> None:
    """What was given to look at is looked at while no result comes, and may end it all."""
    pids = tmp_path / "pids"
    pids.touch()

    class Enough(Exception):
        pass

    def look() -> None:
        if pids.stat().st_size:
            raise Enough

    with Workers(1) as workers, pytest.raises(Enough):
        list(workers.run(giver([hanging_match(0, pids)]), look))
    assert is_gone(int(pids.read_text().split()[0]))


def test_stop_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    """Leaving the block while a bot hangs kills the bot and the worker at once."""
    pids = tmp_path / "pids"
    pids.touch()

    def jobs() -> MatchJob | None:
        if asked:
            raise KeyboardInterrupt  # as Ctrl-C would, while the first match is being played
        asked.append(1)
        return hanging_match(0, pids)

    asked: list[int] = []
    with Workers(1) as workers:
        [worker] = workers.pids()
        with pytest.raises(KeyboardInterrupt):
            list(workers.run(jobs))
        while pids.stat().st_size == 0:
            os.sched_yield()
    assert is_gone(worker)
    assert is_gone(int(pids.read_text().split()[0]))


def test_workers_log_to_the_parent(caplog: pytest.LogCaptureFixture) -> None:
    """What a worker logs reaches the parent's handlers."""
    records: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record.getMessage())

    broken = job("pebbles(players=2)", seat("good"), seat("good"), setup="no setup")
    with log_to([Keep()]) as path, Workers(1, path) as workers:
        list(workers.run(giver([broken])))
    assert any("BadSetup" in line for line in records)


def test_hanging_worker_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A worker that shows no sign of life is killed, and its match is lost, not the run."""
    monkeypatch.setattr(workers_module, "SLACK_SECONDS", 0.0)
    monkeypatch.setattr(workers_module, "LOOK_SECONDS", 0.05)
    pids = tmp_path / "pids"
    pids.touch()
    clock = Clock(move_ms=100, first_ms=0, margin_ms=0, start_ms=100)
    slow = hanging_match(0, pids)
    slow = dataclasses.replace(
        slow, seats=tuple(dataclasses.replace(s, clock=clock) for s in slow.seats)
    )
    with Workers(1) as workers:
        [old] = workers.pids()
        os.kill(old, signal.SIGSTOP)
        outcomes = list(workers.run(giver([slow])))
    assert isinstance(outcomes[0], Lost)
    assert is_gone(old)
