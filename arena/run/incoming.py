"""What reaches a run that goes on: its file again, from another process, or bots that are new."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from arena.bots.pins import expand
from arena.run.runnable import check_run
from arena.store import Store, runner_lock
from arena.store.run_requests import GONE, RunRequest
from arena.tournament.parse import read_tournament
from arena.values.errors import ArenaError, RunnerBusy, UsageError
from arena.values.model import Tournament

LOOK_SECONDS = 0.5  # between two looks at what is asked
FOLLOW_SECONDS = 10.0  # between two looks at what was submitted
TAKEN, NOTHING, WRONG = "taken", "nothing", "wrong "

log = logging.getLogger(__name__)


def hand_over(store: Store, home: Path, name: str, request: RunRequest, busy: RunnerBusy) -> bool:
    """Have the run of a tournament that goes on read its file again; return whether it has.

    It has not if that run ended before it answered, so that another can begin, or has begun.

    Raises:
        RunnerBusy: nothing is new in the file.
        UsageError: what the run answered is wrong.
    """
    number = store.requests.ask(name, request)
    try:
        while (answer := store.requests.answered(number)) is None:
            time.sleep(LOOK_SECONDS)
            with suppress(RunnerBusy), runner_lock(home, name):
                return False
    finally:
        store.requests.forget(number)
    if answer == GONE:
        return False
    if answer == NOTHING:
        raise busy
    if answer != TAKEN:
        raise UsageError(answer.removeprefix(WRONG))
    return True


class Incoming:
    """What is asked of one run, and what is new for it if it follows its patterns.

    Attributes:
        tournament: what the run plays; read again where that is asked for.
        pending: what was asked for last, and is not answered: its number, and the request.
        newcomers: whether bots that are new fit its patterns.
        newer: whether bots were submitted, retired or restored since the run was prepared.
        refused: the names of bots that were new, and cannot play.
        follow: whether it looks for what is new until it is stopped.
        clock: seconds of a clock that never goes back.
    """

    def __init__(
        self,
        store: Store,
        tournament: Tournament,
        *,
        follow: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tournament = self._before = tournament
        self.pending: tuple[int, RunRequest] | None = None
        self.newcomers = self.newer = False
        self.refused: set[str] = set()
        self._store, self.follow, self.clock = store, follow, clock
        self._next_look = self._next_follow = 0.0
        self.begin()

    def due(self, *, resting: bool = False) -> bool:
        """Return whether the run is to be prepared again, as soon as its matches are over.

        While it is ``resting`` newer versions are a reason, too; a run takes them up by itself.
        """
        now = self.clock()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            self._read_request()
        if self.follow and now >= self._next_follow:
            self._next_follow = now + FOLLOW_SECONDS
            self.newcomers = bool(self.names())
            self.newer = self._submitted() != self._bots
        return self.pending is not None or self.newcomers or (resting and self.newer)

    def begin(self) -> None:
        """Note which bots there are, before a run is prepared with them."""
        self._bots, self.newer = self._submitted(), False

    def wait(self) -> None:
        """Wait until the run is to be prepared again."""
        while not self.due(resting=True):
            time.sleep(LOOK_SECONDS)
            self._store.look()

    def names(self) -> list[str]:
        """Return the names of those that fit a pattern, and are not entered."""
        latest = self._store.tournaments.latest(self.tournament.name)
        if latest is None:
            return []
        pins = {entry.name: entry for entry in self._store.tournaments.entries(latest.id)}
        some = self._store.bots.some("", self.refused)
        lines, _ = expand(self.tournament.bots, some, pins, extend=True)
        return sorted({entry.name for entry in lines} - pins.keys())

    def settle(self, wrong: str = "") -> None:
        """Answer what was asked; if it is wrong, the tournament is what it was before."""
        assert self.pending is not None
        if wrong:
            self.tournament = self._before
        self._store.requests.answer(self.pending[0], f"{WRONG}{wrong}" if wrong else TAKEN)
        self.pending = None

    def _read_request(self) -> None:
        asked = self._store.requests.next(self.tournament.name)
        if asked is None or self.pending is not None:
            return
        number, request = asked
        try:
            now, found = self.tournament, check_run(read_tournament(request.file))
            found = replace(
                found, workers=now.workers, sandbox=now.sandbox, durability=now.durability
            )
            if found.name != now.name:
                raise UsageError(f'its name was "{now.name}", and is "{found.name}"')
        except ArenaError as error:
            self._store.requests.answer(number, f"{WRONG}{error}")
            return
        if found == now and request == RunRequest(request.file):
            self._store.requests.answer(number, NOTHING)
            return
        self._before, self.tournament, self.pending = now, found, asked

    def _submitted(self) -> list[tuple[str, int, bool]]:
        return [(row.name, row.version, row.retired) for row in self._store.bots.all()]
