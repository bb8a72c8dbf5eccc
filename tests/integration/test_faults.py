"""Faults that only a process can have: the verdict, in bounded time, and nothing left.

What any line comes to is in tests/unit/match.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from support.match_jobs import QUICK, job, seat

from arena.match.replay import verify
from arena.model import Clock, Record
from arena.process.bot import children
from arena.session.match_session import Pool, play_match

pytestmark = pytest.mark.usefixtures("small_games", "no_process_left")


@pytest.fixture
def no_process_left() -> object:
    """Assert that the test leaves no child of this process behind."""
    before = children()
    yield
    assert children() <= before, "a match left processes behind"


def play(*seats: object, game: str = "pebbles(players=2)", **more: object) -> Record:
    return play_match(job(game, *seats, **more)).record  # type: ignore[arg-type]


PATIENT = Clock(move_ms=10_000, first_ms=0, margin_ms=50, start_ms=3000)

FAULTS = [
    ("crash", "crash", "exited with status 3"),
    ("segv", "crash", "killed by SIGSEGV"),
    ("hang", "time", "no complete answer within 400 ms"),
    ("stop", "time", "no complete answer"),
    ("drip", "time", 'an unfinished line: "play xxx'),
    ("partial-exit", "crash", 'in mid-line: "play take:'),
    ("flood-endless", "flood", "more than"),
    ("flood-stderr", "flood", "to stderr"),
    ("close-stdout", "crash", "closed its stdout"),
    ("ignore-term", "time", "no complete answer"),
    ("daemon-crash", "crash", "exited with status 4"),
    ("child-holds-stdout", "crash", "exited with status 5"),
]


@pytest.mark.parametrize(("mode", "code", "detail"), FAULTS, ids=[f[0] for f in FAULTS])
def test_fault(mode: str, code: str, detail: str) -> None:
    """A fault at the second decision costs the match, with its code and reason, in bounded time."""
    begin = time.monotonic()
    clock = PATIENT if mode == "flood-stderr" else QUICK  # 64 MiB take a while on a busy machine
    record = play(seat(mode, "2", clock=clock), seat("good"), game="pebbles(players=2,heap=30)")
    assert record.by == code
    assert record.ranks == (2, 1)
    assert record.scores is None
    [fault] = record.faults
    assert (fault.player, fault.code, fault.decision) == (0, code, 2)
    assert detail.replace('\\"', '"') in fault.detail.replace('\\"', '"')
    assert record.actions[-1] == (0, None)
    assert len(record.decisions) == len(record.actions) == 3
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize(
    ("mode", "detail"),
    [
        ("start-exit", "exited with status 3 before it said ready"),
        ("start-mute", 'no "ready" within 500 ms'),
    ],
)
def test_startup_fault(mode: str, detail: str) -> None:
    """A bot that does not come up loses by ``startup`` before anything is asked."""
    impatient = Clock(move_ms=400, first_ms=0, start_ms=500)
    record = play(seat(mode, clock=impatient), seat("good"))
    assert (record.by, record.ranks) == ("startup", (2, 1))
    assert record.actions == ((0, None),)
    assert record.faults[0].decision == 0
    assert detail in record.faults[0].detail


def test_program_missing() -> None:
    """A program that cannot be executed is a startup fault, not an error of ours."""
    record = play(seat(program=Path("/nowhere/bot.py")), seat("good"))
    assert record.by == "startup"


def test_some_fail_at_start() -> None:
    """Those of four who do not come up share the last rank, whatever their seats."""
    dead, other = seat("start-exit"), seat("start-exit", name="other")
    good, twin = seat("good"), seat("good", name="twin")
    record = play(dead, good, other, twin, game="the_tree(players=4)")
    assert (record.ranks[0], record.ranks[2]) == (3, 3)
    assert sorted((record.ranks[1], record.ranks[3])) in ([1, 1], [1, 2])
    assert verify(record) == []
    record = play(dead, dead, other, other, game="the_tree(players=4)")
    assert (record.by, record.ranks) == ("startup", (1, 1, 1, 1))
    assert verify(record) == []


HARMLESS = [
    "good",
    "answer-and-exit",
    "much-stderr",
    "daemon",
]


@pytest.mark.parametrize("mode", HARMLESS)
def test_no_fault(mode: str) -> None:
    """What looks odd but is allowed costs nothing: the rules end the game."""
    # with a heap of 2, "take:1" twice ends the game: one decision each
    record = play(seat(mode), seat("good"), game="pebbles(players=2,heap=2)", setup="2 0,0 0")
    assert (record.by, record.faults) == ("rules", ())
    assert record.actions == ((0, "take:1"), (1, "take:1"))
    assert record.scores == (1, 5)
    assert record.ranks == (2, 1)


def test_closed_stdin() -> None:
    """A bot that closed its stdin answers what it has read, and then fails to answer."""
    record = play(seat("close-stdin"), seat("good"), setup="9 0,0 0")
    assert record.by == "time"
    assert record.actions == ((0, "take:1"), (1, "take:1"), (0, None))


FALLS = """\
import sys
for line in sys.stdin:
    if line.startswith("hello"): print("ready", flush=True)
    elif line.startswith("go"): print("play nonsense", flush=True)
    elif line.startswith("end"): open({file!r}, "w").close()
"""
WAITS = """\
import os, sys, time
for line in sys.stdin:
    if line.startswith("hello"): print("ready want=legal", flush=True)
    elif line.startswith("legal"): action = line.split()[1]
    elif line.startswith("go"):
        while not os.path.exists({file!r}): time.sleep(0.005)
        print("play", action, flush=True)
"""


def test_who_is_dropped_is_told_at_once(tmp_path: Path) -> None:
    """A dropped bot reads ``end`` while another one of its node is still asked."""
    seats = []
    for name, text in (("falls", FALLS), ("waits", WAITS)):
        program = tmp_path / f"{name}.py"
        program.write_text(text.format(file=str(tmp_path / "told")))
        seats.append(seat(program=program, clock=PATIENT))
    record = play(*seats, game="auction")
    assert [(fault.player, fault.code) for fault in record.faults] == [(0, "illegal")]


def test_late_answer_is_marked() -> None:
    """An answer between the limit and the margin counts and is marked; the third one loses."""
    clock = Clock(move_ms=100, first_ms=0, margin_ms=2000, start_ms=3000)
    record = play(seat("sleep=0.2", "0", clock=clock), seat("good"), setup="30 0,0 0")
    assert [d.late for d in record.decisions] == [True, False, True, False, False]
    assert (record.by, record.faults[0].detail.split(" over")[0]) == (
        "time",
        "the third answer of the match",
    )


def test_stderr_is_kept_with_the_fault() -> None:
    """The last stderr lines of a faulty bot stand in the record, a good one's do not."""
    record = play(seat("crash"), seat("good"))
    assert record.faults[0].stderr == "about to crash"


def test_info_and_log() -> None:
    """``info`` lines merge, the last wins; ``log`` goes to the bot's log and changes nothing."""
    result = play_match(job("pebbles(players=2)", seat("info"), seat("log", "1"), setup="2 0,0 0"))
    assert result.record.decisions[0].info == (("score", 0.5), ("depth", 4), ("pv", "E3"))
    assert "thinking … ümlaut" in result.logs[1]


def test_lingering_bot_is_killed() -> None:
    """A bot that does not leave at ``quit`` is killed after a second and has lost nothing."""
    begin = time.monotonic()
    record = play(seat("linger"), seat("good"), setup="2 0,0 0")
    assert record.by == "rules"
    assert 0.9 < time.monotonic() - begin < 4


def test_wire_of_a_whole_game(tmp_path: Path) -> None:
    """What a bot reads in a game of three players is the protocol's text, line for line."""
    transcript = tmp_path / "transcript"
    play(
        seat("good", env=[("TRANSCRIPT", str(transcript))], clock=QUICK),
        seat("good", name="b"),
        seat("good", name="c"),
        game="pebbles",
        setup="4 0,0,0 1",
        opening_actions=((1, "take:1"),),
    )
    assert transcript.read_text() == (
        "hello abp 1\n"
        "game 852a606e70651445 pebbles\n"
        "seat 0 3\n"
        "clock move=400\n"
        "seed 7\n"
        "setup 4 0,0,0 1\n"
        "did 1 take:1\n"
        "did 2 take:1\n"
        "event left 3\n"
        "event left 2\n"
        "obs 2 0,1,1 0\n"
        "legal take:1 take:2\n"
        "go 1 limit=400\n"
        "did 0 take:1\n"
        "did 1 take:1\n"
        "event left 1\n"
        "event left 0\n"
        "end 852a606e70651445 rank=2/3 score=1,6,1 by=rules\n"
        "quit\n"
    )


def test_reuse_plays_the_same_match(tmp_path: Path) -> None:
    """One process plays many matches under ``reuse``; the records are those of fresh ones."""
    pool = Pool()
    seats = (seat("good"), seat("good", name="other"))
    with contextlib.closing(_Dismissed(pool)):
        first, second = (
            play_match(job("auction", *seats, processes="reuse"), pool).record for _ in range(2)
        )
        pids = pool.pids()
        third = play_match(job("auction", *seats, processes="reuse"), pool).record
        assert pool.pids() == pids
        assert len(pids) == 2
    fresh = play_match(job("auction", *seats)).record
    assert first.actions == second.actions == third.actions == fresh.actions
    assert [p.sent for p in third.players] == [p.sent for p in fresh.players]


class _Dismissed:
    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def close(self) -> None:
        self.pool.dismiss()


def test_question_larger_than_the_pipe() -> None:
    """A question that does not fit into a pipe at once is written on as the bot reads it."""
    board = "...a/..ab/..ba/abb#/ab##/.bb#/.#aa/.ab./.a.."  # 6,550 legal actions, 65,735 bytes
    record = play(
        seat("good"),
        seat("good", name="other"),
        game="leaves(push=any,turns=free)",
        setup=f"{board} 1 1,2 2 *",
    )
    assert (record.by, len(record.actions)) == ("rules", 2)
