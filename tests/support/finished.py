"""Finished matches for tests of records, stores and tables; child processes to try things in."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.packed.match import pack
from arena.record.record import parse_record
from arena.store import Store, open_store
from arena.store.tournaments import Renumber
from arena.values.model import (
    Bot,
    Clock,
    Decision,
    Entrant,
    Fault,
    MatchJob,
    MatchResult,
    Player,
    Record,
)
from arena.values.model import Termination as By


def entrants(names: Iterable[str]) -> list[Entrant]:
    """Return entrants whose bots have their names, version 1 and a hash of their own."""
    return [
        Entrant(name, Bot(name, 1, "sha256:" + name.encode().hex().zfill(64), ("run",), f"/{name}"))
        for name in names
    ]


def add(store: Store, tournament: int, *results: MatchResult) -> int:
    """Store matches as a runner does; return how many were new."""
    dictionary = store.matches.dictionary(tournament)
    return store.matches.add(tournament, *[pack(result, dictionary) for result in results])


def renumbered(schedule: Iterable[tuple[int, str]]) -> Renumber:
    """Return what gives matches the numbers of a new schedule: a list of numbers and ids."""
    return {match: number for number, match in schedule}.get


def record(
    number: int,
    bots: Sequence[str],
    ranks: Sequence[int],
    *,
    faults: Sequence[tuple[int, By]] = (),
    ms: Sequence[Sequence[float]] = (),
    game: str = "leaves",
    **more: Any,
) -> Record:
    """Return the record of a match; its id comes from ``number``, whatever that becomes later.

    Args:
        number: in the schedule.
        bots: seat by seat.
        ranks: seat by seat.
        faults: seat and code.
        ms: seat by seat, the time charged for each answer.
        game: what was played.
        more: other fields of the record.
    """
    answers = [(seat, time) for seat, times in enumerate(ms) for time in times]
    found = Record(
        id=f"{number * 0x9E3779B97F4A7C15 % (1 << 64):016x}",
        tournament="open",
        block=f"{game}|{'+'.join(sorted(bots))}|{number}",
        seating=0,
        game=game,
        rules_version=1,
        setup="-",
        opening=(),
        seed=number,
        clock=Clock(),
        players=tuple(
            Player(bot, 1, f"sha256:{bot}", (), seat, "sha256:0") for seat, bot in enumerate(bots)
        ),
        actions=tuple((seat, f"A{index}") for index, (seat, _) in enumerate(answers)),
        decisions=tuple(Decision(time, None, time) for _, time in answers),
        scores=None,
        ranks=tuple(ranks),
        by=faults[0][1] if faults else By.RULES,
        faults=tuple(Fault(seat, code, 1, "wrong") for seat, code in faults),
        arena_version="0.1.0",
        sandbox="none",
        started="2026-01-01T00:00:00Z",
        elapsed_ms=5,
    )
    return replace(found, **more)


def match(number: int, bots: Sequence[str], ranks: Sequence[int], **more: Any) -> MatchResult:
    """Return a worker's answer; see ``record``."""
    return MatchResult(number, record(number, bots, ranks, **more))


def of_job(job: MatchJob, failed: Sequence[int] = ()) -> MatchResult:
    """Return what a worker may answer to a job: the ranks are in order of seats.

    Args:
        job: the match.
        failed: the seats that do not start.
    """
    ranks = tuple(range(1, len(job.seats) + 1))
    played = record(
        job.number,
        [seat.entrant.name for seat in job.seats],
        ranks,
        game=job.game,
        id=job.id,
        tournament=job.tournament,
        block=job.block,
        seating=job.seating,
        seed=job.seed,
    )
    if failed:
        played = replace(
            played,
            actions=tuple((seat, None) for seat in failed),
            decisions=tuple(Decision() for _ in failed),
            by=By.STARTUP,
            faults=tuple(Fault(seat, By.STARTUP, 0, "did not start") for seat in failed),
        )
    return MatchResult(job.number, played)


def records_of(home: Path) -> list[Record]:
    """Return the records of all matches in a home."""
    with open_store(home, create=False) as store:
        return [parse_record(text) for text in store.matches.texts()]


def in_child(work: Callable[[], object]) -> str:
    """Do something in a child process and return ``str()`` of what came out, or its traceback."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            answer = str(work())
        except BaseException:
            answer = traceback.format_exc()
        with os.fdopen(writing, "w") as out:
            out.write(answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as inward:
        answer = inward.read()
    os.waitpid(pid, 0)
    return answer


def as_nobody(work: Callable[[], object]) -> str:
    """Do something in a child process that has no more rights than anybody."""

    def without_rights() -> object:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        return work()

    return in_child(without_rights)
