"""Matches that were void: tried again, or waiting for what the machine lacks, or given up."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator

from arena.machine.crash import cross
from arena.store import Edition, Store
from arena.store.tournaments import now
from arena.store.waiting import patiently
from arena.values.errors import Lack
from arena.values.model import Match
from arena.workers.local import Lost
from arena.workers.patience import END_SECONDS, Patience

__all__ = ["Attempts"]

ATTEMPTS = 3  # at a match that is void, before it is listed as undecided
USED_BY_BOTS = (Lack.MEMORY, Lack.WATCHES, Lack.PIPES)  # fewer matches at a time use less

log = logging.getLogger(__name__)


class Attempts:
    """The void attempts of one run of an edition.

    Attributes:
        undecided: the matches that this run gave up, by their numbers.
        causes: what is known of why, by their ids.
        at_once: how many matches may be played at a time; 0: that is not for us to say. Where
            what bots use up is lacking, it is half of what it was.
    """

    def __init__(self, store: Store, edition: Edition) -> None:
        self.undecided: dict[int, Match] = {}
        self.causes: dict[str, str] = {}
        self.at_once = 0
        self._store = store
        self._edition = edition
        self._again: deque[Match] = deque()
        self._waiting: deque[Match] = deque()  # for what the machine lacks, after all others
        self._patience = Patience()
        self._voids: Counter[str] = Counter()  # attempts of this run that were void, and count

    def next(self, missing: Iterator[Match]) -> Match | float | None:
        """Return what to play next, of what was void and what is missing; ``None``: nothing.

        A number is the seconds for which nothing is to be started.
        """
        if pause := self._patience.seconds():
            return pause
        if self._again:
            return self._again.popleft()
        match = next(missing, None)
        return self._waiting.popleft() if match is None and self._waiting else match

    def played(self, match: str) -> None:
        """Note that a match was played to its end: nothing is lacking."""
        if self._patience.waiting:
            log.info("match %s was played: nothing waits any longer", match)
        self._patience.played()

    def lost(self, lost: Lost, match: Match, name: str) -> bool:
        """Note that a match was void; return whether it is given up, after three attempts.

        ``name`` is its id. It is given up at once where each attempt would end like this one.

        While this machine lacks what it needs, it waits, and no attempt counts. But where it had
        all there is for itself, fewer matches at a time would not help, and a bot may have seen to
        it: such an attempt counts.
        """
        what = f"void match {name}"
        matches, edition = self._store.matches, self._edition.id
        attempt = patiently(what, matches.add_void, edition, name, lost.reason, now())
        cross("void")
        alone = lost.lack in USED_BY_BOTS and self.at_once == 1
        waits = lost.lack is not None and self._waits_for(lost.lack)
        reason = lost.reason.strip().splitlines()[-1]
        log.log(logging.INFO if waits else logging.WARNING, "match %s is void: %s", name, reason)
        if waits and not alone:
            self._waiting.append(match)
            return False
        self._voids[name] += ATTEMPTS if lost.final else lost.tries
        if self._voids[name] < ATTEMPTS:
            (self._waiting if waits else self._again).append(match)
            return False
        self.causes[name] = reason
        reason = lost.reason if lost.final else f"void {attempt} times: {lost.reason}"
        patiently(what, matches.give_up, edition, name, match.number, reason)
        self.undecided[match.number] = match
        return True

    def _waits_for(self, lack: Lack) -> bool:
        """Return whether what this machine lacks is waited for; say so the first time."""
        if not self._patience.waiting:
            log.warning(
                "this machine lacks %s: matches wait until it has them, at most %.0f minutes",
                lack,
                END_SECONDS / 60,
            )
        pauses = self._patience.pauses
        waits = self._patience.lacked()
        # the others that were started together say nothing new
        if lack in USED_BY_BOTS and self.at_once > 1 and self._patience.pauses > pauses:
            self.at_once //= 2
            log.warning("from now on at most %d matches are played at a time", self.at_once)
        return waits
