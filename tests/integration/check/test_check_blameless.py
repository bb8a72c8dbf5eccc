"""A check that is stopped, or kept from its work by the machine, says nothing against the bot."""

from __future__ import annotations

import errno
import signal
import subprocess
from pathlib import Path

import pytest
from support.arena_command import ARENA, ROOT, environment
from support.bot_programs import program
from support.waiting import until

from arena.check import Step, check_bot
from arena.session import match_session
from arena.values.errors import Lack, MatchVoid
from arena.values.model import BotEntry

BOTS = Path(__file__).parents[1] / "programs"

# answers its first question after 0.3 s, and says when it is asked
ASKED = "open({asked!r}, 'a').write('x')\ntime.sleep(0.3)"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_check_fails_no_step(number: signal.Signals, code: int, tmp_path: Path) -> None:
    """A check that is stopped by a signal has its exit code, and no step fails."""
    bot = tmp_path / "asked.py"
    bot.write_text(program(asked=ASKED.format(asked=str(tmp_path / "asked"))))
    process = subprocess.Popen(
        [*ARENA, "check", str(bot), "leaves", "--sandbox", "none"],
        cwd=ROOT,
        env=environment(tmp_path / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until((tmp_path / "asked").exists)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "FAILED" not in out
    assert "Traceback" not in err


@pytest.mark.usefixtures("small_games")
def test_check_without_processes_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check whose bot cannot start for want of processes is void, and names the lack."""

    def launch(*words: object) -> None:
        raise OSError(errno.EAGAIN, "fork")

    monkeypatch.setattr(match_session, "launch", launch)
    bot = BotEntry("it", run=str(BOTS / "unmannerly.py"))
    seen: list[Step] = []
    with pytest.raises(MatchVoid) as void:
        check_bot(bot, tmp_path, game="pebbles(players=2)", sandbox="none", watch=seen.append)
    assert void.value.lack is Lack.PROCESSES
    assert [step.name for step in seen] == ["build"]
