"""A check that is stopped, or kept from its work by the machine, says nothing against the bot."""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
from pathlib import Path

import pytest
from support.arena_command import ARENA, ROOT, environment
from support.bot_programs import program
from support.burners import burners, one_core
from support.waiting import until

from arena.check import Step, check_bot
from arena.process.meter import schedstat_works
from arena.session import match_session
from arena.values.errors import Lack, MatchVoid
from arena.values.model import BotEntry, Clock

BOTS = Path(__file__).parents[1] / "programs"

# answers its first question after 0.3 s, and says when it is asked
ASKED = "open({asked!r}, 'a').write('x')\ntime.sleep(0.3)"


def check_of(folder: Path) -> subprocess.Popen[str]:
    """Start ``arena check`` of the bot above; return it when the bot has been asked."""
    bot = folder / "asked.py"
    bot.write_text(program(asked=ASKED.format(asked=str(folder / "asked"))))
    process = subprocess.Popen(
        [*ARENA, "check", str(bot), "leaves", "--sandbox", "none", "--clock", "move=1s,first=0ms"],
        cwd=ROOT,
        env=environment(folder / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until((folder / "asked").exists)
    return process


@pytest.mark.slow
def test_ctrl_z(tmp_path: Path) -> None:
    """A bot that answered in time while the check was stopped is not late: exit 3, a sentence."""
    process = check_of(tmp_path)
    os.kill(process.pid, signal.SIGSTOP)
    select.select([], [], [], 1.5)  # the gap itself, not a wait for somebody
    os.kill(process.pid, signal.SIGCONT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, out
    assert "the arena itself was stopped for 1." in err
    assert "FAILED" not in out
    assert "Traceback" not in err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted(number: signal.Signals, code: int, tmp_path: Path) -> None:
    """Whoever stops a check has its exit code, and no step fails by it."""
    process = check_of(tmp_path)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "FAILED" not in out
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
@pytest.mark.skipif(not schedstat_works(), reason="this kernel does not say how long bots wait")
def test_a_busy_machine(tmp_path: Path) -> None:
    """A bot that others' work keeps from answering is not out of time."""
    bot = BotEntry("it", run=str(BOTS / "hungry.py"), args=("burn=50",))
    clock = Clock(move_ms=100, first_ms=0, start_ms=10_000)
    with one_core(), burners(4):
        report = check_bot(bot, tmp_path, game="pebbles(players=2)", clock=clock, sandbox="none")
    assert report.passed, [step.finding.detail for step in report.steps]


@pytest.mark.usefixtures("small_games")
def test_a_lack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that cannot be started for want of processes has not failed; the lack is named."""

    def launch(*words: object) -> None:
        raise OSError(errno.EAGAIN, "fork")

    monkeypatch.setattr(match_session, "launch", launch)
    bot = BotEntry("it", run=str(BOTS / "unmannerly.py"))
    seen: list[Step] = []
    with pytest.raises(MatchVoid) as void:
        check_bot(bot, tmp_path, game="pebbles(players=2)", sandbox="none", watch=seen.append)
    assert void.value.lack is Lack.PROCESSES
    assert [step.name for step in seen] == ["build"]
