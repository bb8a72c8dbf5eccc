"""Matches in which functions of the program play: in its own thread, one after the other."""

from __future__ import annotations

import contextlib
import gc
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from arena.packed.match import row_of
from arena.packed.record_text import pack_text
from arena.play.function import answered_by, warn_of_faults
from arena.record.record import format_record
from arena.session.functions import play_functions
from arena.session.match_session import play_match
from arena.values.errors import Void
from arena.values.model import Choose, Match, MatchJob, MatchResult, Seat
from arena.values.tables import MatchRow
from arena.workers.gather import Lost, Source
from arena.workers.worker import outcome_of

TOGETHER, MOMENT_SECONDS = 64, 0.02  # at most so many matches, or so much time, at once
OBJECTS = 100_000  # new ones between two looks for garbage; with the usual 700 these take 5 %


class Here(Source[Match]):
    """Plays matches as worker processes do, without any.

    Among functions alone there is no process at all; bots beside them are processes of this one.
    """

    def __init__(self, functions: Mapping[str, Choose]) -> None:
        """Begin; ``functions`` are by the names of their entrants."""
        super().__init__()
        self._functions = functions
        self._told = set[str]()  # whose first fault was logged
        self._jobs = deque[MatchJob]()  # of matches that were given, and not begun
        self._idle = False  # is there no match that could be played now?

    def begin(self, make: Callable[[Match], MatchJob]) -> None:
        """Forget results of an earlier call of ``run``; ``make`` is as there."""
        self.results, self._make = [], make
        self._jobs.clear()

    def hand_out(self, matches: Callable[[int], Match | float | None]) -> float | None:
        """Play for a moment; if no match can be played, return after how many seconds to ask again.

        Short matches are made and played together, and then their results: each step for all of
        them, since what is done again at once is quicker, by a seventh of the whole.
        """
        match: Match | float | None = None
        while len(self._jobs) < TOGETHER and isinstance(match := matches(0), Match):
            self._jobs.append(self._make(match))
        played: list[tuple[MatchJob, Any]] = []
        until, usual = time.monotonic() + MOMENT_SECONDS, gc.get_threshold()
        try:
            gc.set_threshold(usual[0] and OBJECTS, *usual[1:])  # at 0 it never looks
            while self._jobs and (not played or time.monotonic() < until):
                job = self._jobs.popleft()
                played.append((job, outcome_of(job.number, partial(self._played, job))))
        finally:  # also of what was played before a Ctrl-C
            gc.set_threshold(*usual)
            self.results += self._results(played)
        self._idle = not (self._jobs or isinstance(match, Match))
        return match if isinstance(match, float) else None

    def busy(self) -> bool:
        """Return whether there may be another match at once."""
        return not self._idle

    def wait(self, seconds: float) -> None:
        """Wait until there may be a match."""
        if self._idle:  # nothing else is waited for: all is played in this thread
            time.sleep(seconds)

    def _results(self, played: list[tuple[MatchJob, Any]]) -> list[MatchRow | Lost]:
        """Return what is handed on of matches: of each a result, or why it is void."""
        for step in (self._recorded, _written, _row):
            played = [
                (job, done)
                if isinstance(done, Void)
                else (job, outcome_of(job.number, partial(step, job, done)))
                for job, done in played
            ]
        return [Lost(job.number, done) if isinstance(done, Void) else done for job, done in played]

    def _played(self, job: MatchJob) -> Callable[[], MatchResult]:
        found = [self._functions.get(seat.entrant.name) for seat in job.seats]
        functions = [function for function in found if function is not None]
        if len(functions) == len(job.seats):
            return play_functions(job, functions)
        with contextlib.ExitStack() as opened:

            def seated(seat: Seat, function: Choose | None) -> Seat:
                if function is None:
                    return seat
                return replace(seat, entrant=answered_by(function, seat.entrant, opened))

            seats = [seated(*pair) for pair in zip(job.seats, found, strict=True)]
            result = play_match(replace(job, seats=tuple(seats)))
            return lambda: result

    def _recorded(self, job: MatchJob, result: Callable[[], MatchResult]) -> MatchResult:
        done = result()
        warn_of_faults(done.record, self._told)
        return done


def _written(job: MatchJob, result: MatchResult) -> tuple[MatchResult, str]:
    return result, format_record(result.record)


def _row(job: MatchJob, written: tuple[MatchResult, str]) -> MatchRow:
    result, text = written
    return row_of(result, pack_text(text, job.dictionary))
