"""What the usual decision costs: calls of Python functions, and system calls."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest
from support import small_games
from support.match_jobs import job, seat

import arena
from arena.session.match_session import Pool, play_match

ROOT = Path(arena.__file__).parent.parent
GAMES = (str(ROOT / "engines"), small_games.__file__)  # whose calls do not count
CALLS = 15
SYSTEM_CALLS = 5
GAME = "pebbles(players=2,heap=30)"
PLAYS = """
import sys
from pathlib import Path
from support.match_jobs import job, seat
from arena.session.match_session import play_match
seats = [seat(program=Path(sys.argv[2]), name=name) for name in "ab"]
play_match(job(sys.argv[1], *seats, sandbox="none"))
"""
BOT = """
for line in iter(input, "quit"):
    verb, _, rest = line.partition(" ")
    if verb == "hello": print("ready want=legal", flush=True)
    elif verb == "legal": actions = rest.split()
    elif verb == "go": print("play", actions[0], rest.split()[0], flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A bot that answers at once."""
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    return file


def in_a_game(frame: FrameType | None) -> bool:
    """Whether a function is a game's, or called by one."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(GAMES):
            return True
        frame = frame.f_back
    return False


@pytest.mark.usefixtures("small_games")
def test_calls_of_a_usual_decision(program: Path) -> None:
    """From one decision to the next there are few calls of functions of the arena."""
    seats = [seat(program=program, name=name) for name in "ab"]
    names: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and not in_a_game(frame):
            names.append(frame.f_code.co_qualname)

    pool = Pool()
    sys.setprofile(note)
    try:
        play_match(job(GAME, *seats, sandbox="none"), pool)
    finally:
        sys.setprofile(None)
        pool.dismiss()
    at = [place for place, name in enumerate(names) if name == "Referee.open_node"]
    decisions = [names[one:two] for one, two in pairwise(at)]
    usual = [calls for calls in decisions if "Referee.answer" in calls]
    quickest = min(usual, key=len)
    assert len(quickest) <= CALLS, " ".join(quickest)


@pytest.mark.usefixtures("small_games")
@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace here")
def test_system_calls_of_a_usual_decision(tmp_path: Path, program: Path) -> None:
    """From one question to the next there are few system calls."""
    trace = tmp_path / "trace"
    plays = [sys.executable, "-c", PLAYS, GAME, str(program)]
    command = ["strace", "-s", "9999", "-o", str(trace), *plays]
    done = subprocess.run(
        command, cwd=ROOT / "tests", capture_output=True, text=True, timeout=60, check=False
    )
    if "ptrace" in done.stderr:
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    lines = [line for line in trace.read_text().splitlines() if not line.startswith(("-", "+"))]
    asked = re.compile(r"write\(\d+, \".*go \d")
    at = [place for place, line in enumerate(lines) if asked.match(line)]
    decisions = [lines[one:two] for one, two in pairwise(at)]
    quickest = min(decisions, key=len)
    assert len(quickest) <= SYSTEM_CALLS, "\n".join(quickest)
