"""A verified bundle put into a store, step by step in schedule order, and how far that comes."""

from __future__ import annotations

from bisect import bisect_right

from arena.bundle.contents import Bundle, Carried
from arena.bundle.round_check import seeded_names
from arena.packed.match import row_of
from arena.packed.record_text import pack_text
from arena.progress.closing import close, reopened
from arena.progress.planner import Planner, known_schedule
from arena.progress.stop_rule import comparison_of
from arena.progress.suspensions import Suspensions
from arena.schedule.plan import Planned
from arena.store import Edition, Store
from arena.store.rounds import StoredRound
from arena.store.tournaments import now
from arena.store.waiting import patiently
from arena.values.model import MatchResult
from arena.values.tables import Origin

STEP = 256  # matches of one transaction: others wait for a tenth of a second


class Carrying:
    """Puts into a store what it lacks of a bundle that was verified.

    Attributes:
        edition: what the bundle is of; one that is there stays as it is.
        added: how many matches were stored.
    """

    def __init__(self, store: Store, bundle: Bundle) -> None:
        """Enter the edition."""
        manifest = bundle.manifest
        self._store, self._bundle = store, bundle
        self._origin = Origin(bundle.sha256, bundle.name, now())
        schedule = bundle.schedule
        self._starts = schedule.starts if isinstance(schedule, Planned) else [0]
        self._done = 0  # of the rounds
        self._waiting: list[Carried] = []
        self.added = 0
        planned = isinstance(schedule, Planned)
        entries = [entry for entry in manifest.entries if not (planned and entry.line)]
        open_ = manifest.edition._replace(config=reopened(manifest.edition.config))
        self._which, enter = f'"{open_.label}"', store.carried.begin
        self.edition: Edition = patiently(
            self._which, enter, open_, entries, manifest.undecided, self._origin
        )

    def add(self, carried: Carried) -> None:
        """Take the next match of the bundle, in schedule order."""
        self._waiting.append(carried)
        if len(self._waiting) == STEP:
            self._store_step(bisect_right(self._starts[:-1], carried.match.number))

    def end(self) -> bool:
        """Store what is left, and how far the tournament is; return whether a run finds no more.

        What the manifest says of that does not count.
        """
        self._store_step(len(self._bundle.rounds), over=True)
        store, bundle = self._store, self._bundle
        edition = store.tournaments.get(self.edition.id)
        schedule, settled = known_schedule(store, edition), store.matches.settled(edition.id)
        assert schedule is not None, "its format and its games are here"
        suspensions = Suspensions(store, edition)
        suspensions.advance(settled, schedule)
        stopped = suspensions.stop is not None
        test = comparison_of(store, edition, decides=True)
        if test is not None and not stopped:
            stopped = test.count(settled.prefix)
        whole = settled.prefix >= len(schedule)

        def is_over() -> bool:
            """Return whether a run would plan no further round, unless a ladder only rests."""
            planner = Planner(store, edition, bundle.tournament, tuple(seeded_names(bundle)))
            over = planner.next(settled=settled.prefix, records=(), since=suspensions.since) is None
            return over and (planner.end is None or planner.end.is_stop)

        if isinstance(schedule, Planned) and whole:
            with store.trial():  # which a further round is not stored in
                whole = is_over()
            if whole:  # and where it stops, and the points of its last round
                is_over()
        theirs = bundle.manifest.edition
        if theirs.is_closed and edition.ended is None and edition.id in store.carried.origins():
            edition = close(store, edition, theirs.ended)
        elif (stopped or whole) and edition.ended is None:
            patiently(f'"{edition.label}"', store.tournaments.end, edition.id, theirs.ended)
        return stopped or whole or edition.ended is not None

    def _store_step(self, end: int, *, over: bool = False) -> None:
        """Store the matches that wait, with the rounds before ``end``."""
        # the points of the last round are known when the one after it is planned
        rounds = []
        for number in range(max(0, self._done - 1), end):
            each = self._bundle.rounds[number]
            points = each.points_text() if each.points and (over or number + 1 < end) else ""
            rounds.append((number, StoredRound(each.plan.to_text(), points)))
        meetings = [m for each in self._bundle.rounds[self._done : end] for m in each.plan.meetings]
        names = {name for meeting in meetings for name in meeting.entrants}
        entries = self._bundle.manifest.entries
        newer = [entry for entry in entries if entry.line and entry.name in names]
        dictionary = self._store.matches.dictionary(self.edition.id)
        matches = [
            row_of(MatchResult(each.match.number, each.record), pack_text(each.text, dictionary))
            for each in self._waiting
        ]
        store, step = self._store.carried.store, (matches, rounds, newer)
        self.added += patiently(self._which, store, self.edition.id, *step, self._origin)
        self._done, self._waiting = end, []
