"""A verified bundle put into a store, step by step in schedule order, and how far that comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from arena.bundle.contents import Bundle, Carried, Head
from arena.bundle.round_check import seeded_names
from arena.packed.match import StoredMatch, pack
from arena.progress.closing import close, reopened
from arena.progress.planner import Planner, planned_rounds
from arena.progress.stop_rule import TestProgress, question_of
from arena.progress.suspensions import Suspensions
from arena.schedule.formats import find_format
from arena.schedule.interface import PlannedFormat
from arena.schedule.plan import Plan, Planned
from arena.store import Edition, Store
from arena.store.carried import ImportBatch
from arena.store.rounds import StoredRound
from arena.store.tournaments import now
from arena.store.waiting import patiently, patiently_done
from arena.values.model import MatchResult
from arena.values.tables import Origin

STEP = 256  # matches of one transaction: others wait for a tenth of a second


class CarriedBundle(NamedTuple):
    """What putting a bundle into a store came to.

    Attributes:
        added: how many matches were stored.
        finished: whether a run would find nothing to play; what the manifest says does not count.
    """

    added: int
    finished: bool


def begin(store: Store, bundle: Bundle) -> Edition:
    """Enter the edition of a bundle that was verified; one that is there stays as it is."""
    manifest = bundle.head.manifest
    planned = isinstance(find_format(bundle.head.tournament.format), PlannedFormat)
    entries = [entry for entry in manifest.entries if not (planned and entry.line)]
    which, enter = f'"{manifest.edition.label}"', store.carried.begin
    origin = _origin(bundle)
    open_ = manifest.edition._replace(config=reopened(manifest.edition.config))
    return patiently_done(which, enter, open_, entries, manifest.undecided, origin)


class Carrying:
    """Puts into an edition what it lacks of a bundle, whose edition it is."""

    def __init__(self, store: Store, edition: Edition, bundle: Bundle) -> None:
        self._store, self._edition, self._head = store, edition, bundle.head
        self._origin = _origin(bundle)
        self._steps = _ImportBatches(store, edition, bundle.head)
        self._waiting: list[Carried] = []
        self._added = 0

    def add(self, carried: Carried) -> None:
        """Take the next match of the bundle, in schedule order."""
        self._waiting.append(carried)
        if len(self._waiting) == STEP:
            self._store_step(self._steps.of(self._waiting))

    def end(self) -> CarriedBundle:
        """Store what is left, and how far the tournament is."""
        self._store_step(self._steps.last(self._waiting))
        finished = _end(self._store, self._store.tournaments.get(self._edition.id), self._head)
        return CarriedBundle(self._added, finished)

    def _store_step(self, step: ImportBatch) -> None:
        which, edition = f'"{self._edition.label}"', self._edition.id
        store = self._store.carried.store
        self._added += patiently_done(which, store, edition, step, self._origin)
        self._waiting = []


def _origin(bundle: Bundle) -> Origin:
    return Origin(bundle.sha256, bundle.name, now())


class _ImportBatches:
    """Makes of matches what is stored together with them."""

    def __init__(self, store: Store, edition: Edition, head: Head) -> None:
        self._store, self._edition = store, edition
        self._rounds = head.rounds
        plans = [Plan.from_text(each.plan) for each in head.rounds]
        self._starts = Planned(head.tournament, plans).starts
        self._done = 0  # of the rounds
        self._newer = [entry for entry in head.manifest.entries if entry.line]
        self._taken_up = [
            {name for meeting in plan.meetings for name in meeting.entrants} for plan in plans
        ]

    def of(self, matches: list[Carried]) -> ImportBatch:
        """Return the step of some matches, with the rounds up to the last one."""
        last = matches[-1].match.number
        end = self._done
        while end < len(self._rounds) and self._starts[end] <= last:
            end += 1
        return self._step(matches, end)

    def last(self, matches: list[Carried]) -> ImportBatch:
        """Return the last step, with all rounds that are left."""
        return self._step(matches, len(self._rounds), over=True)

    def _step(self, matches: list[Carried], end: int, *, over: bool = False) -> ImportBatch:
        # the points of the last round are known when the one after it is planned
        rounds = []
        for number in range(max(0, self._done - 1), end):
            each = self._rounds[number]
            whole = over or number + 1 < end
            rounds.append((number, each if whole else StoredRound(each.plan, "")))
        names = set().union(*self._taken_up[self._done : end])
        newer = [entry for entry in self._newer if entry.name in names]
        self._done = end
        return ImportBatch(self._packed(matches), rounds, newer)

    def _packed(self, matches: list[Carried]) -> list[StoredMatch]:
        dictionary = self._store.matches.dictionary(self._edition.id)
        return [
            pack(MatchResult(each.match.number, each.record), dictionary, each.text)
            for each in matches
        ]


def _end(store: Store, edition: Edition, head: Head) -> bool:
    """Store which entrants are suspended, where the tournament stops, and whether it is over."""
    tournaments, tournament = store.tournaments, head.tournament
    planned = isinstance(find_format(tournament.format), PlannedFormat)
    schedule = planned_rounds(store, edition.id, tournament) if planned else head.schedule
    settled = store.matches.settled(edition.id)
    suspensions = Suspensions(store, edition)
    stopped, whole = False, not schedule
    if schedule:
        suspensions.advance(settled, schedule)
        suspensions.publish()
        stopped = suspensions.stop is not None
        if stopped:
            patiently(f'"{edition.label}"', tournaments.stop, edition.id, suspensions.stop)
        question = question_of(store, edition)
        if question is not None:
            test = TestProgress(store, edition, question, decides=True)
            stopped = test.count(settled.prefix)
        whole = settled.prefix >= len(schedule)
    if planned and whole:
        since = suspensions.since
        with store.trial():  # which a further round is not stored in
            whole = _is_over(store, edition, head, settled.prefix, since)
        if whole:  # and where it stops, and the points of its last round
            _is_over(store, edition, head, settled.prefix, since)
    theirs = head.manifest.edition
    if theirs.is_closed and edition.ended is None and store.carried.origin(edition.id):
        edition = close(store, edition, theirs.ended)
    elif (stopped or whole) and edition.ended is None:
        patiently(f'"{edition.label}"', tournaments.end, edition.id, theirs.ended)
    return stopped or whole or edition.ended is not None


def _is_over(
    store: Store, edition: Edition, head: Head, settled: int, since: Mapping[str, int | None]
) -> bool:
    """Return whether a run would plan no further round, and not only because a ladder rests."""
    planner = Planner(store, edition, head.tournament, tuple(seeded_names(head)))
    over = planner.next(settled=settled, records=(), since=since) is None
    return over and (planner.end is None or planner.end.is_stop)
