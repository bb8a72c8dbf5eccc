"""What real bots say stands with the right decision, and no amount of it harms anybody."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.match_jobs import job, seat

from arena.match.passages import SENT, seat_wire
from arena.match.recorded import blocks_sent
from arena.packed.said import pack_words
from arena.session.match_session import Pool, play_match
from arena.values.errors import MatchVoid
from arena.values.model import Clock, MatchResult
from arena.values.said import KEPT, NOTHING_SAID, SaidWhere

pytestmark = pytest.mark.usefixtures("small_games")

GAME = "pebbles(players=2,heap=30)"
PATIENT = Clock(move_ms=20_000, first_ms=20_000, start_ms=20_000)
MUTE = """
for line in iter(input, "quit"):
    verb, _, rest = line.partition(" ")
    if verb == "hello": print("ready want=legal", flush=True)
    elif verb == "legal": actions = rest.split()
    elif verb == "go": print("play", actions[0], rest.split()[0], flush=True)
"""
# keeps in a file what it reads, and answers in the form that it is given
KEEPER = """
import sys
with open(sys.argv[2], "wb", buffering=0) as read:
    for line in sys.stdin:
        read.write(line.encode())
        verb, _, rest = line.rstrip().partition(" ")
        if verb == "hello": print("ready want=obs,legal,did name=keeper", flush=True)
        elif verb == "legal": actions = rest.split()
        elif verb == "go": print(sys.argv[1].format(actions[0], rest.split()[0]), flush=True)
"""
TALKER = MUTE.replace(
    'elif verb == "go": ',
    'elif verb == "go":\n        '
    'print("decision", rest.split()[0], file=sys.stderr)\n        '
    'print("log decision", rest.split()[0])\n        ',
).replace("\nfor", '\nimport sys\nprint("decision 0", file=sys.stderr)\nfor', 1)
# two that speak by pipes: one is asked only when the other's answer was read; then that one says
# what it answered, and only then the first one answers
_PIPES = "\nimport os, sys\nasked, said = (os.open(path, os.O_RDWR) for path in sys.argv[1:])\nfor"
LATE = MUTE.replace("\nfor", _PIPES, 1) + (
    '        os.read(asked, 1); print("after", rest.split()[0], file=sys.stderr)\n'
    '        os.write(said, b".")\n'
)
LATE = LATE.replace('"go": ', '"go":\n        ')
WAITER = MUTE.replace("\nfor", _PIPES, 1).replace(
    '"go": ', '"go": os.write(asked, b"."); os.read(said, 1); '
)
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


def program(folder: Path, text: str, name: str = "bot.py") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def play(one: Path, other: Path, *args: str, pool: Pool | None = None) -> MatchResult:
    """Play a match of a program in seat 0, with arguments, and another; they are kept in a pool."""
    seats = [seat(*args, program=one, name="one", clock=PATIENT)]
    seats.append(seat(program=other, name="other", clock=PATIENT))
    more = {} if pool is None else {"processes": "reuse"}
    try:
        return play_match(job(GAME, *seats, sandbox="none", max_decisions=40, **more), pool)
    except MatchVoid as void:
        pytest.skip(f"this machine is too busy: {void}")


def test_words_stand_with_their_decision(tmp_path: Path) -> None:
    """What a bot says before it answers is of that decision, wherever the time is short."""
    for _ in range(5):
        talker = program(tmp_path, TALKER)
        result = play(talker, program(tmp_path, MUTE, "mute.py"))
        asked = sum(player == 0 for player, _ in result.record.actions)
        found: dict[SaidWhere, list[tuple[int, bytes]]] = {SaidWhere.STDERR: [], SaidWhere.LOG: []}
        for piece in result.said[0]:
            found[piece.source] += [(piece.decision, line) for line in piece.data.splitlines()]
        count = range(1, asked + 1)
        assert found[SaidWhere.STDERR] == [(n, f"decision {n}".encode()) for n in (0, *count)]
        assert found[SaidWhere.LOG] == [(n, f"decision {n}".encode()) for n in count]
        assert result.said[1] == NOTHING_SAID


def test_words_after_an_answer_stand_with_it(tmp_path: Path) -> None:
    """As long as the next question has not been sent, they are of the answered one."""
    pipes = [str(tmp_path / name) for name in ("asked", "said")]
    for pipe in pipes:
        os.mkfifo(pipe)
    late, waiter = program(tmp_path, LATE), program(tmp_path, WAITER, "waiter.py")
    seats = [seat(*pipes, program=late, name="late", clock=PATIENT)]
    seats.append(seat(*pipes, program=waiter, name="waiter", clock=PATIENT))
    try:
        result = play_match(job(GAME, *seats, sandbox="none", max_decisions=12), None)
    except MatchVoid as void:
        pytest.skip(f"this machine is too busy: {void}")
    assert [(piece.decision, piece.data) for piece in result.said[0][:5]] == [
        (n, f"after {n}\n".encode()) for n in range(1, 6)
    ]


@contextmanager
def kept_file() -> Iterator[str]:
    """Yield the path of a file in memory that bots can write to."""
    descriptor = os.memfd_create("read")
    try:
        yield f"/proc/{os.getpid()}/fd/{descriptor}"
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("form", ["play {} {}", "play {}", "play {} ", "play {} {}\r"])
def test_the_wire_is_what_went_through_the_pipe(tmp_path: Path, form: str) -> None:
    """Every byte that a real bot read is made again; of answers nothing was kept."""
    keeper = program(tmp_path, KEEPER)
    mute = program(tmp_path, MUTE, "mute.py")
    with kept_file() as path:
        pool, sent = Pool(), b"hello abp 1\n"
        try:
            for number in range(3):
                result = play(keeper, mute, form, path, pool=pool)
                passages = seat_wire(
                    result.record,
                    0,
                    result.said[0],
                    result.wrote[0],
                    blocks_sent(result.record, 0),
                )
                lines = [line for passage in passages for line in passage.lines]
                told = [data + b"\n" for source, data in lines if source == SENT]
                assert (told[0], told[-1]) == (b"hello abp 1\n", b"quit\n")
                sent += b"".join(told[1:-1])  # the process is kept for the next match
                wrote = [data for source, data in lines if source != SENT]
                own = [action for player, action in result.record.actions if player == 0]
                answers = [f"play {action} {n}".encode() for n, action in enumerate(own, start=1)]
                greeting = [b"ready want=obs,legal,did name=keeper"] * (number == 0)
                assert wrote == [*greeting, *answers]
                if number:
                    assert result.wrote == (NOTHING_SAID, NOTHING_SAID)
                    assert pack_words(result.wrote) == b""
        finally:
            pool.close()
        read = Path(path).read_bytes()
    assert read == sent + b"quit\n"  # after the last match


def peak_kib() -> int:
    """Return the most memory that this process has held."""
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmHWM:") + 1])


@pytest.mark.slow
@pytest.mark.parametrize("how", LOUD)
def test_a_loud_bot_costs_no_memory(tmp_path: Path, how: str) -> None:
    """Whatever it says, little is kept of it, and its verdict is the one that it deserves."""
    does, code = LOUD[how]
    loud = f"import os\ndef loudly():\n    {does}\n" + MUTE.replace(
        'elif verb == "go": ',
        'elif verb == "go":\n        if rest.startswith("1 "): loudly()\n        ',
    )
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
    before = peak_kib()
    result = play(program(tmp_path, loud), program(tmp_path, MUTE, "mute.py"))
    assert [fault.code for fault in result.record.faults] == ([] if code is None else [code])
    for pieces in (*result.said, *result.wrote):
        assert sum(len(piece.data) for piece in pieces) <= 2 * KEPT + 100
        assert len(pieces) < 2100
    assert len(pack_words(result.said)) + len(pack_words(result.wrote)) < 2 * KEPT
    assert peak_kib() - before < 32 * 1024
    if code is None:
        assert {piece.decision for piece in result.said[0]} <= {1}


@pytest.mark.slow
def test_many_short_matches_leave_nothing_open(tmp_path: Path) -> None:
    """After many matches of kept bots there are no more descriptors, threads or files."""
    talker, mute = program(tmp_path, TALKER), program(tmp_path, MUTE, "mute.py")
    play(talker, mute)  # what is opened once for all matches is open
    pool, files, before = Pool(), sorted(tmp_path.rglob("*")), len(os.listdir("/proc/self/fd"))
    try:
        counts = []
        for number in range(150):
            play(talker, mute, pool=pool)
            if number % 50 == 25:
                counts.append((len(os.listdir("/proc/self/fd")), threading.active_count()))
    finally:
        pool.close()
    (some, threads), *_, (most, more_threads) = counts
    assert some <= most <= some + 2  # a bot's account is opened when it is first needed
    assert threads == more_threads
    assert len(os.listdir("/proc/self/fd")) <= before
    assert sorted(tmp_path.rglob("*")) == files
