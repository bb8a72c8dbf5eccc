"""The command line on a finished tournament of a million matches: tables, the same run again."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measuring import Measured, Sizes, side_by_side
from benchmarks.stores import filled_home, leave_cache
from benchmarks.workshop import Workshop, arena_words, environment
from benchmarks.yardsticks import exit_ms

__all__ = ["ROWS", "measure"]

ROWS = (
    "first-leaderboard", "first-leaderboard-unkept", "first-leaderboard-small",
    "leaderboard-million", "leaderboard-seconds", "resume",
)  # fmt: skip
SMALL = 1_000
LARGE, LESS = 1_000_000, 20_000


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield the first leaderboard, those that follow, and a run that has nothing left to play."""
    count = sizes.pick(LARGE, LESS)
    note = "" if count == LARGE else f"{count:,} matches"
    small, _ = filled_home(shop, SMALL)
    large, file = filled_home(shop, count, keep=count == LARGE)

    def first_ms(home: Path, kept: bool) -> float:
        leave_cache(home, kept=kept)
        return _board_ms(home)

    for name, home, kept, rounds in (
        ("first-leaderboard", large, True, sizes.pick(5, 1)),
        ("first-leaderboard-unkept", large, False, sizes.pick(2, 1)),
        ("first-leaderboard-small", small, False, sizes.pick(5, 1)),
    ):
        firsts = side_by_side(rounds, partial(first_ms, home, kept), partial(_read_ms, home))
        yield Measured(name, *firsts, note if home == large else "")
    boards = side_by_side(sizes.pick(9, 3), lambda: _board_ms(large), lambda: _board_ms(small))
    yield Measured("leaderboard-million", *boards, note)
    yield Measured("leaderboard-seconds", tuple(ms / 1e3 for ms in boards[0]), (), note)
    again = [*arena_words("run", str(file)), "--home", str(large)]

    def resume_ms() -> float:
        return exit_ms(again, dict(environment()))

    yield Measured(
        "resume", *side_by_side(sizes.pick(3, 1), resume_ms, lambda: _ids_ms(count)), note
    )


def _board_ms(home: Path) -> float:
    command = arena_words("--home", str(home), "leaderboard")
    return exit_ms(command, dict(environment()))


def _read_ms(home: Path) -> float:
    """Return the ms of reading who met and how it ended, match by match in schedule order."""
    connection = sqlite3.connect(home / "arena.db")
    begin = time.perf_counter()
    for _ in connection.execute("SELECT entrants, ranks FROM match ORDER BY tournament, number"):
        pass
    elapsed = (time.perf_counter() - begin) * 1e3
    connection.close()
    return elapsed


def _ids_ms(count: int) -> float:
    """Return the ms of as many hashes as there are matches."""
    begin = time.perf_counter()
    for number in range(count):
        hashlib.sha256(f"arena/1|match|filled|connect_four|a+b|{number}".encode()).hexdigest()
    return (time.perf_counter() - begin) * 1e3
