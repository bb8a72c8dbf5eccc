"""Signals, a stopped or sleeping machine, workers that are killed: what they cost, and no more."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest
from support.arena_command import output, tournament
from support.bot_programs import program
from support.crash_runs import SCENARIOS, acknowledged, at_end, left_over, stored
from support.running import Running
from support.waiting import stopped_for, until, written

from arena.machine.procfs import descendants
from arena.workers.endings import how_it_ended

SLEEP_SECONDS = 1.2  # longer than any machine is busy, see arena.session.loop

THINKS = """\
with open(sys.argv[1] + "/asked", "a") as file:
    file.write(f"{os.getppid()}\\n")
while not os.path.exists(sys.argv[1] + "/answer"):
    time.sleep(0.005)
"""
KEYS = {"name": "think", "rounds": 1, "seed": 3, "workers": 1, "sandbox": "none"}
KEYS |= {"clock": "{move: 100s}", "ponder": "true"}


class Thinking(Running):
    """A run in which a bot thinks until it is told to answer."""

    def __init__(self, folder: Path, code: str = "") -> None:
        self.folder = folder
        self.home = folder / "home"
        (folder / "thinker.py").write_text(program(asked=THINKS))
        thinker = f"{{name: thinker, run: thinker.py, args: ['{folder}']}}"
        file = tournament(folder, f"[random, {thinker}]", **KEYS)
        super().__init__(self.home, "run", file, "--verbose", code=code)

    def asked(self, times: int) -> int:
        """Wait until the bot was asked for so many times; return its worker's process id."""
        return int(written(self.folder / "asked", times)[times - 1])

    def below(self, count: int) -> None:
        """Wait until so many processes are below the runner."""
        until(lambda: len(list(descendants(self.process.pid))) >= count)

    def answer(self) -> None:
        """Have the bot answer from now on."""
        (self.folder / "answer").touch()


# signals


@pytest.mark.slow
def test_second_signal_ends_run_at_once(tmp_path: Path) -> None:
    """A second SIGINT ends a run that would wait an hour for its worker."""
    patient = "import arena.workers.local as w; w.Workers.stop.__defaults__ = (3600.0,)"
    run = Thinking(tmp_path, patient)
    worker = run.asked(1)
    os.kill(worker, signal.SIGSTOP)  # it does not end by itself

    def over() -> bool:
        run.process.send_signal(signal.SIGINT)  # again and again
        return run.process.poll() is not None

    until(over)
    assert run.end() == 130
    assert left_over(run.home) == []


@pytest.mark.slow
@pytest.mark.parametrize("children", [1, 2, 3])
def test_ctrl_c_at_start_shows_no_traceback(tmp_path: Path, children: int) -> None:
    """SIGINT to all processes of a run that starts gives exit code 130 and no traceback."""
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        run = Thinking(folder)
        run.below(children)
        os.killpg(run.process.pid, signal.SIGINT)
        assert run.end() == 130, run.said
        assert left_over(run.home) == []


@pytest.mark.slow
def test_one_signal_stops_thinking_bots(tmp_path: Path) -> None:
    """One SIGTERM to the whole group stops a run while a bot thinks; the next run ends it."""
    run = Thinking(tmp_path)
    run.asked(1)
    os.killpg(run.process.pid, signal.SIGTERM)
    assert run.wait() == 143
    assert "Go on with" in run.said
    assert left_over(run.home) == []
    run.answer()
    assert Running(run.home, "run", tmp_path / "think.yaml").wait() == 0
    assert len(stored(run.home)) == 2


# stopped, and asleep


@pytest.mark.slow
def test_runner_stopped_by_ctrl_z_loses_no_match(tmp_path: Path) -> None:
    """While the runner is stopped its workers play on; all of it counts after SIGCONT."""
    run = Thinking(tmp_path)
    run.asked(1)
    os.kill(run.process.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, run.process.pid, os.WSTOPPED | os.WNOWAIT)
    run.answer()
    run.asked(3)  # so they play on
    run.process.send_signal(signal.SIGCONT)
    assert run.wait() == 0, run.said
    assert "void" not in run.said
    assert len(acknowledged(run.said)) == 2


@pytest.mark.slow
@pytest.mark.parametrize("who", ["a worker", "all"])
def test_machine_that_sleeps_voids_no_match(tmp_path: Path, who: str) -> None:
    """A worker or a whole run that is stopped for a while plays its match to the end."""
    run = Thinking(tmp_path)
    worker = run.asked(1)
    everybody = [run.process.pid, *descendants(run.process.pid)]
    for _ in range(5 if who == "a worker" else 1):
        stopped_for(SLEEP_SECONDS, *([worker] if who == "a worker" else everybody))
    run.answer()
    assert run.wait() == 0, run.said
    assert "void" not in run.said
    records = [json.loads(line) for line in output(run.home, "export").splitlines()]
    assert [record["by"] for record in records] == ["rules", "rules"]
    assert not any(record["faults"] for record in records)


# matches that kill their workers


@pytest.mark.slow
def test_match_that_kills_three_workers_is_undecided(tmp_path: Path) -> None:
    """A match that killed three workers is undecided and reported; the others are played."""
    words = SCENARIOS["poisoned"].prepare(tmp_path, tmp_path / "home")
    run = Running(tmp_path / "home", *words)
    assert run.end() == 3
    found = at_end(tmp_path / "home")
    assert len(found.undecided) == 4  # two pairings of the killer, in both seatings
    for match in found.undecided:
        assert run.said.count(f"match {match} is void: ") == 3
    assert len(found.exported) == 2
    report = run.said[run.said.index("4 matches undecided, by no fault of a bot") :]
    assert re.search(r"4 of them: .*exit code -9 \(SIGKILL", report)


@pytest.mark.parametrize(
    ("code", "oom_kills", "words"),
    [
        (3, 0, "exit code 3"),
        (-signal.SIGKILL, 0, "SIGKILL: somebody"),
        (-signal.SIGKILL, 2, "SIGKILL: the kernel .* memory"),
        (-signal.SIGSEGV, 2, "SIGSEGV: a fault of the interpreter"),
        (-signal.SIGRTMAX, 0, "exit code -64"),
        (None, 0, "exit code None"),
    ],
)
def test_end_of_worker_names_its_signal(code: int | None, oom_kills: int, words: str) -> None:
    """The end of a worker is told by its signal, and by what may have sent it."""
    assert re.search(words, how_it_ended(code, oom_kills))
