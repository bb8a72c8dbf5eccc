"""No thinking on the opponent's time: who does is seen, stopped while not asked, and marked."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from support.burners import one_core
from support.match_jobs import job, seat
from support.needs import working
from support.waiting import process_state, until

from arena.match.record import format_record, parse_record, without_times
from arena.process.bot import BotProcess, become_subreaper, children, kill_strays
from arena.sandbox import LEVELS
from arena.session.guard import Guard
from arena.session.launch import launch
from arena.session.match_session import Pool, play_match
from arena.values.model import Clock, Record, Seat

pytestmark = pytest.mark.usefixtures("small_games")

HUNGRY = Path(__file__).parent / "bots" / "hungry.py"
CLOCK = Clock(move_ms=5000, first_ms=0, start_ms=10_000)


def hungry(mode: str, last_words: Path | None = None) -> Seat:
    env = [] if last_words is None else [("LAST_WORDS", str(last_words))]
    return in_its_folder(seat(mode, program=HUNGRY, clock=CLOCK, env=env))


def in_its_folder(found: Seat) -> Seat:
    """Start a program by its name in its folder, which is in another place at some levels."""
    name = Path(found.bot.start[-1]).name
    return replace(found, bot=replace(found.bot, start=(sys.executable, "-u", f"./{name}")))


def play(first: Seat, *, heap: int = 6, pool: Pool | None = None, **more: object) -> Record:
    """Play a bot in seat 0 against one that sleeps for 200 ms at each decision."""
    sleeper = in_its_folder(seat("sleep=0.2", "0", clock=CLOCK))
    whole = job("pebbles(players=2)", first, sleeper, setup=f"{heap} 0,0 0", **more)
    return play_match(whole, pool).record


# each level once, and each way at one that isolates and at one that does not
QUICK = {("none", "ponder-thread"), ("limits", "ponder-child")}
QUICK |= {("landlock", "ponder-thread"), ("bwrap", "ponder-child")}


@pytest.mark.parametrize(
    ("level", "mode"),
    [
        pytest.param(level, mode, marks=() if (level, mode) in QUICK else pytest.mark.slow)
        for level in LEVELS
        for mode in ("ponder-thread", "ponder-child")
    ],
)
def test_seen_and_marked(level: str, mode: str) -> None:
    """A thread or child that computes while the opponent decides marks its bot, and it alone."""
    working(level)
    record = play(hungry(mode), sandbox=level)
    assert [player.pondered for player in record.players] == [True, False]
    assert (record.by, record.faults) == ("rules", ())  # it is marked, and plays on


def test_goes_on_to_read_the_end(tmp_path: Path) -> None:
    """A bot that is stopped when the game ends goes on, and reads how it ended."""
    last_words = tmp_path / "words"
    record = play(hungry("ponder-child", last_words), heap=5)
    assert record.actions[-1][0] == 0  # it answers, and is stopped again
    assert record.players[0].pondered
    assert last_words.read_text().startswith("end ")


@pytest.mark.slow
def test_stopped_while_not_asked() -> None:
    """Once it was seen it has no CPU while others decide: it shares the core with nobody.

    Its opponent sleeps for six times 200 ms, of which it computes for some 100.
    """
    with one_core():
        before = _cpu_of_children()
        record = play(hungry("ponder-child"), heap=12)
        used = _cpu_of_children() - before
    asked = sum(
        decision.ms
        for (player, _), decision in zip(record.actions, record.decisions, strict=True)
        if player == 0
    )
    assert used < 0.6 + asked / 1000  # two interpreters start, too


def _cpu_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


@pytest.mark.parametrize("mode", ["tidy", "burn=60"])
def test_nothing_to_see(mode: str) -> None:
    """To compute when asked, and to clean up for a moment after it, is no thinking unasked."""
    record = play(hungry(mode))
    assert [player.pondered for player in record.players] == [False, False]


def test_allowed() -> None:
    """With ``ponder: true`` nobody looks, and nobody is stopped."""
    record = play(hungry("ponder-thread"), ponder=True)
    assert [player.pondered for player in record.players] == [False, False]


def test_kept_processes() -> None:
    """A process that is kept goes on after its match, and each match is looked at by itself."""
    pool = Pool()
    with contextlib.ExitStack() as stack:
        stack.callback(pool.close)
        first = play(hungry("ponder-thread"), processes="reuse", pool=pool)
        pids = pool.pids()
        second = play(hungry("ponder-thread"), processes="reuse", pool=pool)
        assert pool.pids() == pids
    assert first.players[0].pondered
    assert second.players[0].pondered
    assert (first.actions, first.by) == (second.actions, second.by)


@pytest.mark.slow
@pytest.mark.parametrize("ponder", [False, True])
def test_thinking_between_matches(ponder: bool) -> None:
    """A process that is kept is stopped if it computes while others play, and marked when back."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(one_core())
        pool = Pool()
        stack.callback(pool.close)
        first = play(hungry("ponder-end"), processes="reuse", pool=pool, ponder=ponder)
        kept = pool.pids()
        while True:  # the bots of these matches are others, which are not kept
            play(hungry("good"), heap=2, pool=pool)
            states = {process_state(pid) for pid in kept}
            if ponder or "T" in states:
                break
        again = play(hungry("ponder-end"), processes="reuse", pool=pool, ponder=ponder)
    assert not first.players[0].pondered
    assert [player.pondered for player in again.players] == [not ponder, False]
    assert ("T" in states) == (not ponder)
    assert len(kept) == 2
    assert (again.by, again.faults) == ("rules", ())


@pytest.mark.slow
def test_memory_between_matches() -> None:
    """A process that is kept and takes more than its memory is ended, and comes again: no fault."""
    glutton = dataclasses.replace(hungry("memory-end=300"), memory_bytes=128 << 20)
    pool = Pool()
    with contextlib.ExitStack() as stack:
        stack.callback(pool.close)
        # it takes its memory unasked, and would be stopped for that
        play(glutton, processes="reuse", pool=pool, ponder=True)
        assert len(pool.pids()) == 2
        while len(pool.pids()) == 2:
            play(hungry("good"), heap=2, pool=pool)
        again = play(glutton, processes="reuse", pool=pool, ponder=True)
    assert (again.by, again.faults) == ("rules", ())


def test_stopped_bot_can_be_killed() -> None:
    """A bot that is stopped with all its processes is killed like any other."""
    become_subreaper()  # as whoever plays a match
    others = children()
    bot = BotProcess(launch(hungry("ponder-child"), "none"))
    try:
        guard = Guard(bot, None, ponder=False)
        guard.ask(b"hello abp 1\nlegal a\ngo 1 limit=5000\n")
        until(lambda: b"play" in _read(bot))
        guard.spent(1, time.monotonic_ns())
        guard.pondered = True
        guard.answered(time.monotonic_ns())
        members = bot.tree.members()
        assert len(members) == 2
        # it stops when it next gets a CPU
        until(lambda: {process_state(pid) for pid in members} == {"T"})
        child = os.pidfd_open(members[1])
        bot.kill()
        assert not os.path.exists(f"/proc/{bot.pid}")
        assert select.select([child], [], [], 60)[0]  # it dies when it next gets a CPU
        os.close(child)
    finally:
        bot.kill()
        kill_strays(others)


@pytest.mark.parametrize("mode", ["good", "ponder-thread", "ponder-child"])
def test_stopping_takes_a_signal(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot of one thread is stopped and woken without a look at the table of processes."""
    looks: list[str] = []
    listdir = os.listdir

    def look(path: str) -> list[str]:
        looks.append(path)
        return listdir(path)

    monkeypatch.setattr("arena.machine.procfs.os.listdir", look)
    become_subreaper()
    others = children()
    bot = BotProcess(launch(hungry(mode), "none"))
    try:
        bot.write(b"hello abp 1\nlegal a\ngo 1 limit=5000\n")
        until(lambda: b"play" in _read(bot))
        if mode != "good":
            bot.write(b"legal a\ngo 2 limit=5000\n")
        bot.tree.is_alone()
        bot.tree.freeze()
        until(lambda: {process_state(pid) for pid in bot.tree.members()} == {"T"})
        looks.clear()
        bot.tree.freeze()
        bot.tree.thaw()
        assert bool(looks) == (mode != "good")
        until(lambda: "T" not in {process_state(pid) for pid in bot.tree.members()})
    finally:
        bot.kill()
        kill_strays(others)


def test_late_words_are_nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a kept bot says of the end of a match, late or at length, costs the next one nothing."""
    monkeypatch.setattr("arena.session.pool.SETTLE_MS", 20_000)  # a busy machine lets it wait
    talker = tmp_path / "talker.py"
    talker.write_text(TALKER)
    tmp_path.chmod(0o755)
    pool = Pool()
    with contextlib.ExitStack() as stack:
        stack.callback(pool.close)
        bots = [seat(program=talker, name=name, clock=CLOCK) for name in "ab"]
        whole = job("pebbles(players=2)", *bots, setup="4 0,0 0", processes="reuse")
        records = [play_match(whole, pool).record for _ in range(4)]
        assert len(pool.pids()) == 2
    assert [(record.by, record.faults) for record in records] == [("rules", ())] * 4
    assert len({record.players[0].sent for record in records}) == 1


TALKER = """\
import sys, time
legal = ""
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready want=legal", flush=True)
    elif word == "legal":
        legal = rest[0]
    elif word == "go":
        print("play", legal, rest[0], flush=True)
    elif word == "end":
        while time.process_time() % 0.05 < 0.03:
            pass
        print("play nonsense 1", "x" * 3000, "half a line", sep="\\n", end="", flush=True)
        print("y" * 3000, file=sys.stderr, flush=True)
"""


def _read(bot: BotProcess) -> bytes:
    bot.read()
    found = b""
    while (line := bot.lines.take()) is not None:
        found += line
    return found


def test_mark_in_the_record() -> None:
    """The mark stands in the record where it is true, comes back, and is no part of comparisons."""
    record = play(hungry("ponder-thread"), heap=4)
    text = format_record(record)
    players = json.loads(text)["players"]
    assert players[0]["pondered"] is True
    assert "pondered" not in players[1]
    assert parse_record(text).players[0].pondered
    assert "pondered" not in without_times(text)
