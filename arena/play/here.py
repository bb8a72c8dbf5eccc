"""Matches in which functions of the program play: in its own thread, one after the other."""

from __future__ import annotations

import contextlib
import logging
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from arena.packed.match import pack
from arena.play.function import function_entrant
from arena.session.functions import play_functions
from arena.session.match_session import play_match
from arena.values.errors import MatchVoid, Void, system_error
from arena.values.model import Choose, Match, MatchJob, MatchResult, Seat
from arena.workers.gather import GATHER_SECONDS, MOST, Lost, Played

__all__ = ["Here"]

log = logging.getLogger(__name__)


class Here:
    """Plays matches as worker processes do, without any.

    Among functions alone there is no process at all; bots beside them are processes of this one.
    """

    def __init__(self, functions: Mapping[str, Choose]) -> None:
        """Begin; ``functions`` are by the names of their entrants."""
        self._functions = functions

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Do nothing: nothing is left of a match."""

    def run(
        self,
        matches: Callable[[int], Match | float | None],
        make: Callable[[Match], MatchJob],
        look: Callable[[], None] = lambda: None,
    ) -> Iterator[list[Played | Lost]]:
        """Play what ``matches`` gives until it gives ``None``; see ``Workers.run``."""
        results: list[Played | Lost] = []
        given = time.monotonic()
        try:
            while True:
                match = matches(0)
                if isinstance(match, float):
                    time.sleep(match)
                elif match is not None:
                    results.append(self._play(match, make))
                due = len(results) >= MOST or time.monotonic() - given >= GATHER_SECONDS
                if results and (due or not isinstance(match, Match)):
                    look()
                    gathered, results = results, []
                    yield gathered
                    given = time.monotonic()
                elif match is None:
                    return
        except KeyboardInterrupt:
            if results:
                yield results
            raise

    def _play(self, match: Match, make: Callable[[Match], MatchJob]) -> Played | Lost:
        """Play a match; after a failure of ours it is void."""
        try:
            job = make(match)
            return Played(pack(self._result(job), job.dictionary))
        except MatchVoid as error:
            return Lost(match.number, error.void)
        except OSError as error:  # of this machine, and no fault of a program
            return Lost(match.number, Void(f"this machine failed: {system_error(error)}"))
        except Exception:
            reason = traceback.format_exc()
            log.error("match number %s failed:\n%s", match.number, reason)
            return Lost(match.number, Void(reason))

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
