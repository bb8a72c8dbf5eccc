"""Output of real bots: kept with the right decision, in bounded memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.bot_programs import program
from support.match_jobs import job, seat

from arena.packed.said import pack_words
from arena.session.match_session import play_match
from arena.values.errors import MatchVoid
from arena.values.model import Clock, MatchResult, Seat
from arena.values.said import KEPT

pytestmark = pytest.mark.usefixtures("small_games")

GAME = "pebbles(players=2,heap=30)"
PATIENT = Clock(move_ms=20_000, first_ms=20_000, start_ms=20_000)
# two that speak by pipes: one is asked only when the other's answer was read; then that one says
# what it answered, and only then the first one answers
PIPES = "asked, said = (os.open(path, os.O_RDWR) for path in sys.argv[1:])"
LATE = """\
print("play", actions[0], decision, flush=True)
os.read(asked, 1)
print("after", decision, file=sys.stderr)
os.write(said, b".")
"""
WAITER = """\
os.write(asked, b".")
os.read(said, 1)
"""
# what a bot does before its first answer, and what it costs it
LOUD = {
    "bytes": ('for _ in range(1000): os.write(2, b"x" * 100_000)', "flood"),
    "tiny": ('for _ in range(1_000_000): os.write(2, b"x")', None),
    "lines": ('for _ in range(300_000): os.write(2, b"\\n")', None),
    "escapes": (
        "os.write(2, b'\\x1b[2J\\x9b1m\\x00\\xff\\xe2\\x80\\xae\\xed\\xa0\\x80\\r' * 9000)",
        None,
    ),
    "logs": ('for n in range(900): os.write(1, b"log x\\n"), os.write(2, b"y\\n")', None),
    "infos": ('for n in range(900): print(f"info a{n}=" + "z" * 190)', None),
}


def playing(folder: Path, name: str, *args: str, **acts: str) -> Seat:
    """Write a program, as ``program`` does; return a seat for it."""
    file = folder / f"{name}.py"
    file.write_text(program(**acts))
    return seat(*args, program=file, name=name, clock=PATIENT)


def play(*seats: Seat, decisions: int) -> MatchResult:
    try:
        return play_match(job(GAME, *seats, sandbox="none", max_decisions=decisions))
    except MatchVoid as void:
        pytest.skip(f"this machine is too busy: {void}")


def peak_kib() -> int:
    """Return the most memory that this process has held."""
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmHWM:") + 1])


@pytest.mark.slow
@pytest.mark.parametrize("how", LOUD)
def test_output_of_loud_bot_is_bounded(tmp_path: Path, how: str) -> None:
    """A bot that writes without end costs little memory and gets the verdict it deserves."""
    does, code = LOUD[how]
    first, asked = f"def loudly():\n    {does}\n", 'if decision == "1": loudly()'
    seats = (playing(tmp_path, "loud", first=first, asked=asked), playing(tmp_path, "mute"))
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
    before = peak_kib()
    result = play(*seats, decisions=40)
    assert [fault.code for fault in result.record.faults] == ([] if code is None else [code])
    for pieces in (*result.said, *result.wrote):
        assert sum(len(piece.data) for piece in pieces) <= 2 * KEPT + 100
        assert len(pieces) < 2100
    assert len(pack_words(result.said)) + len(pack_words(result.wrote)) < 2 * KEPT
    assert peak_kib() - before < 32 * 1024
    if code is None:
        assert {piece.decision for piece in result.said[0]} <= {1}


def test_output_after_answer_belongs_to_that_decision(tmp_path: Path) -> None:
    """What a bot writes before its next question belongs to the decision it answered."""
    pipes = [str(tmp_path / name) for name in ("asked", "said")]
    for pipe in pipes:
        os.mkfifo(pipe)
    late = playing(tmp_path, "late", *pipes, first=PIPES, answer=LATE)
    waiter = playing(tmp_path, "waiter", *pipes, first=PIPES, asked=WAITER)
    result = play(late, waiter, decisions=12)
    assert [(piece.decision, piece.data) for piece in result.said[0][:5]] == [
        (n, f"after {n}\n".encode()) for n in range(1, 6)
    ]
