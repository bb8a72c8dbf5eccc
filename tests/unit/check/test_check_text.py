"""A check as text and as data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from arena.check import remedies
from arena.check.findings_text import step_text
from arena.check.steps import Step, StepResult, StepState, TranscriptLine
from arena.match.protocol import Ready
from arena.values.model import Cause, Fault, Termination


def test_step_fits_width_of_terminal() -> None:
    """On a terminal no line of a step is wider than it, and no word is cut."""
    said = (TranscriptLine(0.0, "arena", "go 1"), TranscriptLine(12.34, "bot", "play E1"))
    finding = StepResult(
        StepState.FAILED, "seen " * 30 + "it", "word " * 30 + "it", said, "Traceback\n  \x07bell"
    )
    step = Step(1, "x", "x", "x", finding)
    lines = step_text(step, 60).splitlines()
    assert max(map(len, lines)) <= 60
    assert lines[0].startswith("  1  FAILED x: seen")
    assert lines[1].startswith("            seen")
    assert " ".join(lines).split().count("word") == 30
    assert step_text(step, 200) == step_text(step)


def remedy(fault: Fault, *, stale: int = 0, stderr: str = "", **seen: Any) -> str:
    """Return the remedy for a fault, where this was seen in the match."""
    player = SimpleNamespace(stale=stale, ready=Ready(want=("legal",)))
    usual = {"bare": "", "slip": "", "late_ms": None, "isolated": False}
    match: Any = SimpleNamespace(fault=fault, player=player, stderr=lambda: stderr, **usual | seen)
    return remedies.remedy(match)


# every fault of a bot has a remedy, and the one that fits it best


@pytest.mark.parametrize(
    ("code", "cause", "words"),
    [
        ("startup", Cause.NOT_STARTED, "refuses"),
        ("startup", Cause.BYTE_ORDER_MARK, "byte order"),
        ("startup", Cause.UNFINISHED, "line feed"),
        ("startup", Cause.ENDED, "by hand"),
        ("startup", Cause.LEFT, "first-bot"),
        ("startup", Cause.UPPER_CASE, "lower case"),
        ("startup", Cause.OTHER_PROTOCOL, "ready abp=1"),
        ("startup", Cause.OUTPUT, "nothing but the protocol"),
        ("protocol", None, "standard error"),
        ("protocol", Cause.NOT_UTF8, "UTF-8"),
        ("protocol", Cause.CONTROL, "plain ASCII"),
        ("protocol", Cause.PLAY, "one space"),
        ("protocol", Cause.INFO, "key=value"),
        ("illegal", None, '"legal"'),
        ("time", None, "limit="),
        ("time", Cause.UNREAD, "whole block"),
        ("crash", None, "stderr"),
        ("crash", Cause.LEFT, "until"),
        ("crash", Cause.UNFINISHED, "line feed"),
        ("crash", Cause.ERROR, "error"),
        ("flood", Cause.OUTPUT, "64 KiB"),
        ("flood", Cause.STDERR, "standard error"),
        ("flood", Cause.PROCESSES, "processes"),
    ],
)
def test_remedy_fits_cause_of_fault(code: str, cause: Cause | None, words: str) -> None:
    """A remedy follows from the cause of a fault, whatever the detail says."""
    assert words in remedy(Fault(0, Termination(code), 1, "", cause=cause))


@pytest.mark.parametrize(
    ("stderr", "words"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: 'w.txt'", "a single file"),
        ("./wanda.sh: 7: \\r: not found", "Unix line ends"),
        ("env: 'python3\\r': No such file or directory", "Unix line ends"),
        ("SyntaxError: Non-UTF-8 code starting with '\\xff'", "as UTF-8"),
        ("SyntaxError: source code string cannot contain null bytes", "as UTF-8"),
        ("SyntaxError: invalid syntax", "syntax error"),
        ("TabError: inconsistent use of tabs and spaces", "syntax error"),
        ("Error: Could not find or load main class Bot", "package"),
        ("ValueError: 3", "last lines on stderr"),
        ("ValueError: 3", "`arena check BOT` shows how"),
    ],
)
def test_stderr_of_ended_bot_leads_to_remedy(stderr: str, words: str) -> None:
    """What a bot wrote at its end leads to a remedy, isolated or not."""
    ended = Fault(0, Termination.STARTUP, 0, "", cause=Cause.ENDED)
    for isolated in (True, False):
        assert words in remedy(ended, stderr=stderr, isolated=isolated)


@pytest.mark.parametrize(
    ("stderr", "words"),
    [
        ("ModuleNotFoundError: No module named 'nu.py'", "no module nu.py: "),
        ("ModuleNotFoundError: No module named 'numpy.linalg'", "install --target FOLDER numpy)"),
        ("Error: Cannot find module 'left-pad'", "no module left-pad: "),
        ("gaierror: [Errno -3] Temporary failure in name resolution", "no network"),
        ("Error: getaddrinfo EAI_AGAIN example.com", "no network"),
        ("OSError: [Errno 97] Address family not supported by protocol", "no network"),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/home/w.txt'", "its own folder"),
        ("Error: ENOENT: no such file or directory, open '/home/me/w.txt'", "its own folder"),
        ("OSError: [Errno 30] Read-only file system: 'out.txt'", "its own folder"),
        ("PermissionError: [Errno 13] Permission denied: '/var/log.txt'", "its own folder"),
    ],
)
def test_remedy_names_what_isolation_takes_away(stderr: str, words: str) -> None:
    """The remedy for an isolated bot names what it lacks there; others get no such words."""
    ended = Fault(0, Termination.STARTUP, 0, "", cause=Cause.ENDED)
    crashed = Fault(0, Termination.CRASH, 1, "")
    for fault in (ended, crashed):
        assert words in (found := remedy(fault, stderr=f"up\n{stderr}", isolated=True))
        assert "Start it by hand" not in found
    late = Fault(0, Termination.TIME, 1, "")
    assert words not in remedy(late, stderr=stderr, isolated=True)
    alike = "no network" not in words and "its own" not in words
    assert (words in remedy(ended, stderr=stderr)) == alike


def test_remedy_names_late_or_misnumbered_answer() -> None:
    """The remedy names an answer that came late, or with the number of another decision."""
    late = Fault(0, Termination.TIME, 1, "")
    assert "buffer" in remedy(late, late_ms=100)
    assert remedy(late, late_ms=258).startswith(
        "The bot is too slow: it answered 258 ms late. Answer w"
    )
    assert 'wrote "paly …", which is no word' in (slip := remedy(late, slip="paly", stale=1))
    assert slip.endswith('; did you mean "play"?')
    assert "that very D" in remedy(late, stale=1)
    assert remedy(late, bare="N1", stale=1) == 'Write "play N1 1", not "N1" alone.'
    illegal = Fault(0, Termination.ILLEGAL, 1, "")
    assert "that very D" not in remedy(illegal, stale=1)
