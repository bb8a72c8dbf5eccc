"""Matches in which functions of the program play: in its own thread, one after the other."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from arena.packed.match import StoredMatch, pack
from arena.play.function import function_entrant, warn_of_faults
from arena.session.functions import play_functions
from arena.session.match_session import play_match
from arena.values.model import Choose, Match, MatchJob, MatchResult, Seat
from arena.workers.gather import Lost, Played, Source
from arena.workers.worker import outcome_of


class Here(Source[Match]):
    """Plays matches as worker processes do, without any.

    Among functions alone there is no process at all; bots beside them are processes of this one.

    Attributes:
        results, last_check: see ``gather.Source``.
    """

    def __init__(self, functions: Mapping[str, Choose]) -> None:
        """Begin; ``functions`` are by the names of their entrants."""
        self._functions = functions
        self._told = set[str]()  # whose first fault was logged
        self._idle = False  # is there no match that could be played now?
        self.results: list[Played | Lost] = []
        self.last_check = time.monotonic()

    def stop(self) -> None:
        """Do nothing: nothing is left of a match."""

    def begin(self, make: Callable[[Match], MatchJob]) -> None:
        """Forget results of an earlier call of ``run``; ``make`` is as there."""
        self.results, self._make = [], make

    def hand_out(self, matches: Callable[[int], Match | float | None]) -> float | None:
        """Play the next match; if there is none yet, return after how many seconds to ask again."""
        match = matches(0)
        self._idle = not isinstance(match, Match)
        if not isinstance(match, Match):
            return match
        outcome = outcome_of(match.number, lambda: self._packed(match))
        self.results.append(outcome if isinstance(outcome, Played) else Lost(match.number, outcome))
        return None

    def busy(self) -> bool:
        """Return whether there may be another match at once."""
        return not self._idle

    def has_room(self) -> bool:
        """Return whether there is none, so that results are handed on now."""
        return self._idle

    def wait(self, seconds: float) -> None:
        """Wait until there may be a match."""
        if self._idle:
            time.sleep(seconds)

    def check(self) -> None:
        """Do nothing: all matches are played in this thread, so no worker can hang."""

    def _packed(self, match: Match) -> StoredMatch:
        job = self._make(match)
        result = self._result(job)
        warn_of_faults(result.record, self._told)
        return pack(result, job.dictionary)

    def _result(self, job: MatchJob) -> MatchResult:
        found = [self._functions.get(seat.entrant) for seat in job.seats]
        functions = [function for function in found if function is not None]
        if len(functions) == len(job.seats):
            return play_functions(job, functions)
        with contextlib.ExitStack() as opened:

            def seated(seat: Seat, function: Choose | None) -> Seat:
                if function is None:
                    return seat
                relay = function_entrant(function, opened)
                bot = replace(seat.bot, start=relay.bot.start, folder=relay.bot.folder)
                return replace(seat, bot=bot, env=relay.env)

            seats = [seated(*pair) for pair in zip(job.seats, found, strict=True)]
            return play_match(replace(job, seats=tuple(seats)))
