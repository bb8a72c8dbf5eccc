"""Matches that were not played to their end: tried again, or waiting, or given up."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator

from arena.machine.crash import cross
from arena.progress.places import Places
from arena.progress.rests import Rests
from arena.store import Edition, Store
from arena.store.tournaments import now
from arena.store.waiting import patiently
from arena.values.errors import Lack, Void
from arena.values.model import Match
from arena.values.tables import MatchRow
from arena.workers.patience import END_SECONDS, Patience

ATTEMPTS = 3  # at a match that is void, before it is listed as undecided
USED_BY_BOTS = (Lack.MEMORY, Lack.WATCHES, Lack.PIPES)  # fewer matches at a time use less

log = logging.getLogger(__name__)


class Attempts:
    """The void attempts of one run of an edition, and those that somebody was unable to play.

    Attributes:
        rests: the entrants that are unable, and the matches that wait for them.
        places: how many matches of an entrant are played, and those that wait for a place.
        undecided: the matches that this run gave up, by their numbers, each with its id and what is
            known of why.
        at_once: how many matches may be played at a time; 0: that is not for us to say. Where
            what bots use up is lacking, it is half of what it was.
    """

    def __init__(self, store: Store, edition: Edition, rests: Rests, places: Places) -> None:
        self.rests, self.places = rests, places
        self.undecided: dict[int, tuple[Match, str, str]] = {}
        self.at_once = 0
        self._store = store
        self._edition = edition
        self._again: deque[Match] = deque()
        self._waiting: deque[Match] = deque()  # for what the machine lacks, after all others
        self._patience = Patience(rests.clock)
        self._voids: Counter[str] = Counter()  # attempts of this run that were void, and count

    def next(self, missing: Iterator[Match]) -> Match | float | None:
        """Return what to play next, of what was void and what is missing; ``None``: nothing.

        A number is the seconds for which nothing is to be started.
        """
        if pause := self._patience.seconds():
            return pause
        for match in self._candidates(missing):
            if not (self.rests.has_to_wait(match) or self.places.has_to_wait(match)):
                return match
        return self.rests.pause()

    def takes_back(self, match: Match) -> bool:
        """Return whether a match that was given, and not begun, cannot be begun now."""
        if not self.rests.has_to_wait(match):
            return False
        self.places.give_back(match.seats)
        return True

    def _candidates(self, missing: Iterator[Match]) -> Iterator[Match]:
        while self._again:
            yield self._again.popleft()
        while (match := self.places.next()) is not None:
            yield match
        while not self.places.is_full and (match := self.rests.next()) is not None:
            yield match
        while not (self.rests.is_far or self.places.is_full):
            if (match := next(missing, None)) is None:
                break
            yield match
        while self._waiting:
            yield self._waiting.popleft()

    def played(self, packed: MatchRow) -> None:
        """Note that a match was played to its end: nothing is lacking."""
        if self._patience.waiting:
            log.info("match %s was played: nothing waits any longer", packed.id)
        self._patience.played()
        self.rests.played(packed.entrants)
        self.places.give_back(packed.entrants)

    def lost(self, void: Void, match: Match, name: str) -> bool:
        """Note that a match was void; return whether it is given up, after three attempts.

        ``name`` is its id. It is given up at once where each attempt would end like this one.
        One that somebody was unable to play is as if it had not begun.

        While this machine lacks what it needs, it waits, and no attempt counts. But where it had
        all there is for itself, fewer matches at a time would not help, and a bot may have seen to
        it: such an attempt counts.
        """
        what = f"void match {name}"
        matches, edition = self._store.matches, self._edition.id
        self.places.give_back(match.seats)
        if void.unable is not None:
            log.info("match %s waits: %s", name, void.reason)
            add, (entrant, _, answered) = matches.add_unable, void.unable
            patiently(what, add, edition, name, match.game, entrant, answered)
            cross("void", match=match.number)
            self.rests.unable(void.unable)
            self._again.append(match)
            return False
        attempt = patiently(what, matches.add_void, edition, name, void.reason, now())
        cross("void", match=match.number)
        alone = void.lack in USED_BY_BOTS and self.at_once == 1
        waits = void.lack is not None and self._waits_for(void.lack)
        reason = void.reason.strip().splitlines()[-1]
        log.log(logging.INFO if waits else logging.WARNING, "match %s is void: %s", name, reason)
        if waits and not alone:
            self._waiting.append(match)
            return False
        self._voids[name] += ATTEMPTS if void.final else void.tries
        if self._voids[name] < ATTEMPTS:
            (self._waiting if waits else self._again).append(match)
            return False
        self.undecided[match.number] = match, name, reason
        reason = void.reason if void.final else f"void {attempt} times: {void.reason}"
        patiently(what, matches.give_up, edition, name, match.number, reason)
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
