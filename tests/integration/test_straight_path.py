"""What the usual decision costs: calls of Python functions, and system calls."""

from __future__ import annotations

import re
import select
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from support import small_games
from support.match_jobs import job, seat

import arena
from arena.process.bot import BotProcess
from arena.process.tree import Tree
from arena.session.loop import Loop
from arena.session.match_session import MatchSession, Pool, match_session, play_match
from arena.values import model
from arena.values.errors import MatchVoid

ROOT = Path(arena.__file__).parent.parent
GAMES = (str(ROOT / "engines"), small_games.__file__)  # whose calls do not count
CALLS = 9
SYSTEM_CALLS = 5
LIMITS = model.Clock(move_ms=1000, first_ms=0, margin_ms=50)
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
        pool.close()
    at = [place for place, name in enumerate(names) if name == "Referee.ask"]
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


class Standstill:
    """A poll amid which everything stands still for two seconds, once, while somebody wrote."""

    def __init__(self, poll: select.poll, written: int, clock: Any) -> None:
        self.real, self.written, self.clock = poll, written, clock

    def poll(self, timeout: float | None = None) -> list[tuple[int, int]]:
        """Do what a poll does, but for the third one."""
        self.clock.polls += 1
        if self.clock.polls == 3:
            self.clock.gap_ns = 2_000_000_000
            return [(self.written, select.POLLIN)]
        return self.real.poll(timeout)


@pytest.mark.usefixtures("small_games")
def test_nobody_is_blamed_for_a_standstill(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this machine stood still amid a usual decision, nobody knows who was in time."""

    class Clock:
        polls = gap_ns = 0

        def monotonic_ns(self) -> int:
            return time.monotonic_ns() + self.gap_ns

        def __getattr__(self, name: str) -> Any:
            return getattr(time, name)

    clock, quiet = Clock(), Loop.quiet

    def stands_still(loop: Loop) -> Any:
        poll, other = quiet(loop), loop.guards[1].bot
        return None if poll is None else Standstill(poll, other.stderr, clock)

    monkeypatch.setattr(Loop, "quiet", stands_still)
    for module in ("straight", "loop", "guard"):
        monkeypatch.setattr(f"arena.session.{module}.time", clock)
    seats = [seat(program=program, name=name, clock=LIMITS) for name in "ab"]
    with pytest.raises(MatchVoid):
        play_match(job(GAME, *seats, sandbox="none"))


@pytest.mark.usefixtures("small_games")
def test_who_has_no_process_is_no_usual_player(program: Path) -> None:
    """Players who follow a script act by it, whoever plays the decisions of the others."""
    whole = job(GAME, *[seat(program=program, name=name) for name in "ab"], sandbox="none")
    with match_session(
        whole, scripts={1: lambda state, player: state.legal_actions(player)[0]}
    ) as session:
        session.greet()
        session.begin()
        while not session.referee.over:
            session.play()
        assert session.finish().record.faults == ()


@pytest.mark.usefixtures("small_games")
def test_a_stopped_bot_goes_on_to_its_question(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was stopped is woken when its question is there, so that it runs once a decision."""
    done: list[tuple[str, int]] = []
    write, thaw, attach = BotProcess.write, Tree.thaw, MatchSession._attach

    def writes(bot: BotProcess, data: bytes) -> bool:
        done.append(("asked" if b"go " in data else "told", bot.pid))
        return write(bot, data)

    def thaws(tree: Tree) -> None:
        done.append(("woken", tree.pid))
        thaw(tree)

    def pondered(session: MatchSession, player: int, bot: BotProcess) -> None:
        attach(session, player, bot)
        session.guards[player].pondered = True

    monkeypatch.setattr(BotProcess, "write", writes)
    monkeypatch.setattr(Tree, "thaw", thaws)
    monkeypatch.setattr(MatchSession, "_attach", pondered)
    seats = [seat(program=program, name=name) for name in "ab"]
    play_match(job(GAME, *seats, sandbox="none"))
    woken = [place for place, (what, _) in enumerate(done) if what == "woken"]
    decisions = woken[:-2]  # the last two are to read how it ended
    assert len(decisions) > 4
    assert all(done[place - 1] == ("asked", done[place][1]) for place in decisions)
