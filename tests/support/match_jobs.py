"""Jobs for tests of matches: a game, and one bot program a seat."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from arena.packed.record_text import unpack_text
from arena.record.record import parse_record
from arena.values.model import Bot, Clock, Entrant, MatchJob, Record, Seat
from arena.values.tables import MatchRow
from arena.workers.local import Lost, Workers

PROGRAMS = Path(__file__).parent.parent / "integration" / "programs"
SCRIPTED, HUNGRY = PROGRAMS / "scripted.py", PROGRAMS / "hungry.py"
QUICK = Clock(move_ms=400, first_ms=0, margin_ms=50, start_ms=3000)


def seat(
    *args: str,
    program: Path = SCRIPTED,
    name: str = "",
    clock: Clock = QUICK,
    env: Sequence[tuple[str, str]] = (),
    seed: int = 7,
    memory_bytes: int = 1 << 30,
) -> Seat:
    """Return a seat for a Python program with arguments."""
    bot = Bot(
        name=program.stem,
        version=0,
        hash="sha256:" + "0" * 64,
        start=(sys.executable, "-u", f"./{program.name}"),
        folder=str(program.parent),
    )
    name = name or "-".join((program.stem, *args))
    return Entrant(name, bot, args, tuple(env), clock, memory_bytes).seat(clock, seed)


def job(game: str, *seats: Seat, **more: Any) -> MatchJob:
    """Return a job for a match of these seats."""
    names = "+".join(sorted(s.entrant.name for s in seats))
    fields: dict[str, Any] = {
        "id": "0123456789abcdef",
        "tournament": None,
        "number": 0,
        "block": f"{game}|{names}|0",
        "seating": 0,
        "game": game,
        "seed": 1,
        "seats": seats,
    }
    return MatchJob(**{**fields, **more})


def pebbles(*seats: Seat, heap: int, **more: Any) -> MatchJob:
    """Return a job for a match of two, each of whom takes one of so many pebbles a turn."""
    return job("pebbles(players=2)", *seats, setup=f"{heap} 0,0 0", **more)


def whole(job: MatchJob) -> MatchJob:
    """Make the job of a match, for workers that are given whole jobs."""
    return job


def with_ballast(ballast: bytes, job: MatchJob) -> MatchJob:
    """Make the job of a match; workers that are sent this are sent the ballast with it."""
    return job


def played_by(
    workers: Workers,
    jobs: Iterable[MatchJob] | Callable[[], MatchJob | None],
    look: Callable[[], None] = lambda: None,
) -> list[MatchRow | Lost]:
    """Have workers play jobs; return all results in the order in which they came."""
    rest = None if callable(jobs) else iter(jobs)

    def next_job(place: int) -> MatchJob | None:
        return next(rest, None) if rest is not None else jobs()  # type: ignore[operator]  # then

    return [one for results in workers.run(next_job, whole, look) for one in results]


def record_of(outcome: MatchRow | Lost) -> Record:
    """Return the record of a match that was played."""
    assert isinstance(outcome, MatchRow), outcome
    return parse_record(unpack_text(0, outcome.data, b""))
