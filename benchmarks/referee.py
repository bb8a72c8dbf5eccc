"""What the referee costs a decision, against the pipe itself: instant bots, all on one core."""

from __future__ import annotations

import atexit
import os
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from arena.model import Bot, Clock, MatchJob, Seat
from arena.session.match_session import Bench, play_match
from arena.store.packed import pack
from engines import load_game

MATCHES = 300
ROUNDS = 7


def measure() -> Iterator[tuple[str, float, str, str, float]]:
    """Yield the wall time of a decision in Leaves, the engine's part, and what is the runner's."""
    start = instant_bot()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        trip = statistics.median(_round_trip(start) for _ in range(ROUNDS))
        job = _job(start)
        bench = Bench()
        play_match(job, bench)
        decisions = len(play_match(job, bench).record.actions)
        whole = statistics.median(_matches(job, bench) for _ in range(ROUNDS)) / decisions
        result = play_match(job, bench)
        bench.dismiss()
        engine = statistics.median(_engine(job) for _ in range(ROUNDS)) / decisions
        begin = time.perf_counter()
        for _ in range(MATCHES):
            pack(result)
        packed = (time.perf_counter() - begin) / MATCHES / decisions * 1e6
    finally:
        os.sched_setaffinity(0, cores)
    yield "leaves, a decision, wall", whole, "µs", "a round trip by poll and read", trip
    yield "leaves, the engine's part of it", engine, "µs", "a round trip", trip
    yield "leaves, the runner's part of it", whole - engine, "µs", "a round trip", trip
    yield "leaves, writing the record, a decision", packed, "µs", "a round trip", trip


def instant_bot() -> tuple[str, ...]:
    """Return how to start the quickest bot: in C where there is a compiler, else in Python."""
    source = Path(__file__).with_name("instant.c")
    compiler = shutil.which("cc")
    if compiler is not None:
        folder = tempfile.mkdtemp(prefix="arena-bench-")
        atexit.register(shutil.rmtree, folder)
        program = Path(folder) / "instant"
        subprocess.run([compiler, "-O2", "-o", str(program), str(source)], check=True)
        return (str(program),)
    kit = Path(__file__).parent.parent / "bots" / "kit" / "python" / "bot.py"
    return (sys.executable, "-u", str(kit))


def _round_trip(start: tuple[str, ...]) -> float:
    """Return the µs of one question and answer over a pipe, with nothing around it."""
    process = subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    assert process.stdout is not None
    to, back = process.stdin.fileno(), process.stdout.fileno()
    poll = select.poll()
    poll.register(back, select.POLLIN)
    os.write(to, b"hello abp 1\nlegal a b\n")
    poll.poll(5000)
    os.read(back, 4096)
    begin = time.perf_counter()
    for _ in range(2000):
        os.write(to, b"go 1 limit=1000\n")
        poll.poll(1000)
        os.read(back, 4096)
    elapsed = time.perf_counter() - begin
    process.stdin.close()
    process.stdout.close()
    process.wait()
    return elapsed / 2000 * 1e6


def _job(start: tuple[str, ...]) -> MatchJob:
    bot = Bot("instant", 0, "sha256:" + "0" * 64, start, tempfile.gettempdir())
    seats = tuple(Seat(name, bot, (), (), Clock(), 1 << 30, 5) for name in ("a", "b"))
    return MatchJob("0" * 16, None, 0, "leaves|a+b|0", 0, "leaves", 1, seats, processes="reuse")


def _matches(job: MatchJob, bench: Bench) -> float:
    begin = time.perf_counter()
    for _ in range(MATCHES):
        play_match(job, bench)
    return (time.perf_counter() - begin) / MATCHES * 1e6


def _engine(job: MatchJob) -> float:
    """Return the µs that the same match takes in the engine alone: ask, list, carry out."""
    game = load_game(job.game)
    begin = time.perf_counter()
    for _ in range(MATCHES):
        state = game.new_initial_state()
        while players := state.players_to_act():
            state.count_legal(players[0])
            state = state.apply_action(players[0], state.legal_actions(players[0])[0])
    return (time.perf_counter() - begin) / MATCHES * 1e6
