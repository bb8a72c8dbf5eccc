"""``arena check`` finds out whether a bot tried to reach the network, where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.bot_programs import program
from support.needs import working

from arena.check import StepState, check_bot
from arena.check.steps import Step
from arena.values.model import BotEntry, Clock

CLOCK = Clock(move_ms=1000, first_ms=2000)
# it plays on, whatever became of a call
CALLS = """\
import urllib.request
def call(now):
    if now == "{when}":
        try:
            urllib.request.urlopen("http://127.0.0.1:9/", timeout=1)
        except OSError:
            pass
call("start")
"""


def look(folder: Path, when: str, level: str, *args: str) -> tuple[Step, list[str]]:
    """Check a bot that calls at some time; return the step, and those that failed."""
    bot = folder / "bot.py"
    bot.write_text(program(first=CALLS.format(when=when), asked="call(decision)"))
    entry = BotEntry("caller", run=str(bot), args=args)
    report = check_bot(entry, folder / "home", game="connect_four", clock=CLOCK, sandbox=level)
    failed = [step.name for step in report.steps if step.finding.verdict is StepState.FAILED]
    (step,) = [step for step in report.steps if step.name == "network"]
    return step, failed


@pytest.mark.slow
@pytest.mark.parametrize("level", ["bwrap", "landlock"])
@pytest.mark.parametrize(("when", "where"), [("start", "before"), ("2", "decision 2")])
def test_bot_trying_network_gets_note(level: str, when: str, where: str, tmp_path: Path) -> None:
    """A bot that tries to reach the network passes with a note that it plays by its fallback."""
    step, failed = look(tmp_path, when, working(level))
    assert failed == []
    assert step.finding.verdict is StepState.NOTE
    assert where in step.finding.detail
    assert "fallback" in step.finding.detail
    assert "ask" in step.finding.remedy


@pytest.mark.slow
@pytest.mark.parametrize("level", ["bwrap", "landlock"])
def test_bot_without_network_call_gets_no_note(level: str, tmp_path: Path) -> None:
    """A bot that loads network modules and does not call gets no note."""
    step, failed = look(tmp_path, "never", working(level))
    assert (step.finding.verdict, failed) == (StepState.OK, [])


@pytest.mark.slow
def test_network_use_is_unknown_without_isolation(tmp_path: Path) -> None:
    """At level ``none`` the check says that it cannot know of network calls."""
    step, _ = look(tmp_path, "1", "none")
    assert step.finding.verdict is StepState.OK
    assert "none" in step.finding.detail


def test_bot_that_cannot_be_started_fails_check(tmp_path: Path) -> None:
    """Where no process came to be, none has tried to reach the network."""
    step, failed = look(tmp_path, "1", working("bwrap"), "a\0b")
    assert (step.finding.verdict, failed) == (StepState.OK, ["hello"])
