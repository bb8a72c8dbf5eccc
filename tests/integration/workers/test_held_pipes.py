"""A bot that holds the lock of its own pipe: what it is charged, and when it loses."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.match_jobs import pebbles, played_by, record_of, seat
from support.waiting import is_gone

from arena.process import stop_all
from arena.session.match_session import play_match
from arena.values.model import Clock, MatchJob, Record
from arena.workers.local import Workers

pytestmark = [pytest.mark.usefixtures("small_games"), pytest.mark.slow]

HOLDER = Path(__file__).parents[1] / "programs" / "holder.py"
CLOCK = Clock(move_ms=10_000, first_ms=0, margin_ms=50, start_ms=10_000)  # no bot exceeds it


def holding(which: str = "stdin", seconds: float = 0) -> MatchJob:
    """Return a match with a bot that holds one of its pipes so long after its second answer."""
    first = seat(which, str(seconds), "2", program=HOLDER, clock=CLOCK)
    return pebbles(first, seat("good", clock=CLOCK), heap=20)


def holds(which: str, seconds: float) -> Record:
    with Workers(1) as workers:
        return record_of(*played_by(workers, [holding(which, seconds)]))


def test_bot_that_holds_its_pipe_is_charged() -> None:
    """A bot that holds the pipe of its question for 1.2 s is charged all but the first 0.1 s.

    Watched every 0.1 s, it is charged for less where a busy machine looks late: of three matches
    the one with the highest charge counts.
    """
    tries = [holds("stdin", 1.2) for _ in range(3)]
    record = max(tries, key=lambda one: one.decisions[4].charged_ms)
    assert (record.by, record.faults) == ("rules", ())
    charged = [one.charged_ms for one in record.decisions]
    assert 700 < charged[4] < 1300
    assert max(charged[5:]) < 100


@pytest.mark.parametrize("which", ["stdin", "stderr"])
@pytest.mark.parametrize("seconds", [0, 2.4])
def test_bot_that_holds_its_pipe_too_long_loses(which: str, seconds: float) -> None:
    """A bot that holds a pipe for more than 2 s, or forever, loses by ``flood``.

    Where a busy machine looks late it counts less: one of three such bots must lose.
    """
    record = next(one for _ in range(3) if (one := holds(which, seconds)).faults)
    [fault] = record.faults
    assert (fault.player, str(fault.code)) == (0, "flood")
    assert "held its own pipe" in fault.detail
    assert record.elapsed_ms < 12_000


def test_bot_that_holds_its_pipe_loses_in_play() -> None:
    """In ``arena play``, too, a bot that holds its pipe loses by ``flood``."""
    [fault] = play_match(holding()).record.faults
    assert (fault.player, str(fault.code)) == (0, "flood")


def test_bot_that_cannot_be_ended_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose pipe stays held after its end loses; its worker is replaced."""
    ended = list[int]()

    def end_tree(pid: int, known_ns: int) -> None:
        ended.append(pid)
        if pid in workers.pids():  # as if a bot had got away from its tree
            stop_all.end_tree(pid, known_ns)

    monkeypatch.setattr("arena.workers.local.end_tree", end_tree)
    with Workers(1) as workers:
        [worker] = workers.pids()
        [outcome] = played_by(workers, [holding()])
        assert is_gone(worker)
        assert ended[0] != worker
    [fault] = record_of(outcome).faults
    assert (fault.player, str(fault.code)) == (0, "flood")
    assert "its own pipe" in fault.detail
