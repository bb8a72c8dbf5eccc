"""A worker that shows no sign of life: what it is in decides who loses, and nobody else does."""

from __future__ import annotations

import dataclasses
import json
import threading
from pathlib import Path

import pytest
from support.bot_programs import program
from support.match_jobs import job, pebbles, played_by, record_of, seat
from support.running import Running
from support.waiting import stopped_for, written

from arena.check import check_bot
from arena.machine.procfs import descendants
from arena.session.match_session import play_match
from arena.values.errors import MatchVoid
from arena.values.model import Clock
from arena.values.tables import MatchRow
from arena.workers.local import Lost, Workers
from engines.core.registry import look_again

pytestmark = [pytest.mark.usefixtures("small_games"), pytest.mark.slow]

CLOCK = Clock(move_ms=1500, first_ms=0, margin_ms=50, start_ms=10_000)


def sleeper(folder: Path) -> Path:
    """Write a bot that takes 0.3 s for its first decision, and notes its process id before."""
    asked = f"""\
if decision == "1":
    open({str(folder / "asked")!r}, "a").write(f"{{os.getpid()}}\\n")
    time.sleep(0.3)"""
    (folder / "bot.py").write_text(program(asked=asked))
    return folder / "bot.py"


# stopped


@pytest.mark.parametrize("whom", ["worker", "both"])
def test_a_stopped_worker_is_waited_for(tmp_path: Path, whom: str) -> None:
    """SIGSTOP of a worker, and of its bot, for 20 s in mid-decision changes no end."""
    clock = dataclasses.replace(CLOCK, move_ms=1000)
    first = seat(program=sleeper(tmp_path), clock=clock)
    results: list[MatchRow | Lost] = []
    with Workers(1) as workers:
        one = pebbles(first, seat("good"), heap=4)
        playing = threading.Thread(target=lambda: results.extend(played_by(workers, [one])))
        playing.start()
        [pid] = written(tmp_path / "asked")
        stopped_for(20, *workers.pids(), *([int(pid)] if whom == "both" else []))
        playing.join(60)
    [outcome] = results
    record = record_of(outcome)
    assert (record.by, record.faults) == ("rules", ())
    assert record.decisions[0].ms < 1000


@pytest.mark.parametrize("whom", ["arena", "both"])
def test_a_stopped_command_costs_nobody_time(tmp_path: Path, whom: str) -> None:
    """Stopping ``arena play`` for 3 s while a bot with a limit of 1 s is asked changes no end."""
    bot = sleeper(tmp_path)
    words = ("play", "leaves", bot, "random", "--sandbox", "none", "--clock", "move=1s,first=0s")
    running = Running(tmp_path / "home", *words, "--record", tmp_path / "record")
    [pid] = written(tmp_path / "asked")
    stopped_for(3, running.process.pid, *([int(pid)] if whom == "both" else []))
    assert running.end() == 0, running.said
    record = json.loads((tmp_path / "record").read_text())
    assert (record["by"], record["faults"]) == ("rules", [])
    assert record["decisions"][0]["ms"] < 1000


# in the engine


ENDLESS = """
from small_games import Pebbles, PebblesState

class EndlessState(PebblesState):
    __slots__ = ()
    def apply_action(self, player, action):
        after = super().apply_action(player, action)
        while after.position.stones == 1:
            pass
        return EndlessState(after.game, after.position, after.drops)

class Endless(Pebbles):
    name = "endless"
    def new_initial_state(self, setup=None):
        state = super().new_initial_state(setup)
        return EndlessState(self, state.position, state.drops)
"""


@pytest.fixture
def endless(small_games: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a game that hangs where one stone is left, and have an engine take 1 s at most."""
    (small_games / "endless_games.py").write_text(ENDLESS)
    entries = small_games / "small_games-1.0.dist-info" / "entry_points.txt"
    entries.write_text(entries.read_text() + "endless = endless_games:Endless\n")
    look_again()
    monkeypatch.setattr("arena.process.silence.ENGINE_SECONDS", 1.0)
    return "endless(players=2)"


def test_engine_that_hangs_voids_match_for_good(endless: str) -> None:
    """A match whose engine hangs is void, blames nobody, and is not tried again."""
    with Workers(1) as workers:
        [outcome] = played_by(workers, [job(endless, seat("good"), seat("good"), setup="3 0,0 0")])
        assert not [*descendants(workers.pids()[0])]
    assert isinstance(outcome, Lost)
    assert outcome.void.final
    for word in (endless, "setup 3 0,0 0", "after decision 1", "for one position"):
        assert word in outcome.void.reason


def test_engine_that_hangs_ends_play(endless: str) -> None:
    """``arena play`` with an engine that hangs ends with exit code 3 and the position."""
    with pytest.raises(MatchVoid) as void:
        play_match(job(endless, seat("good"), seat("good"), setup="3 0,0 0"))
    for word in (endless, "setup 3 0,0 0", "after decision 1", "for one position"):
        assert word in str(void.value)
    assert void.value.exit_code == 3


def test_engine_that_hangs_ends_check(endless: str, tmp_path: Path) -> None:
    """``arena check`` with an engine that hangs ends with the same sentence."""
    (tmp_path / "bot.py").write_text(program())
    with pytest.raises(MatchVoid, match="for one position"):
        check_bot(str(tmp_path / "bot.py"), tmp_path / "home", game=endless, sandbox="none")
