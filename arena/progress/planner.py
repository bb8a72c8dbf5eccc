"""What is to be played: a format's schedule, or the rounds of an adaptive one as they are planned.

A round of an adaptive format is planned when every match before it is settled, from what is
committed alone, and is in the store before its first match is played. From then on its pairings
stay, whatever becomes of matches and entrants, and so do the points of the rounds before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from arena.schedule.batches import BatchHistory, History, NoBatch
from arena.schedule.blocks import Blocks
from arena.schedule.formats import AdaptiveFormat, PlannedFormat, find_format
from arena.schedule.growing import with_versions
from arena.schedule.ladder import Ladder
from arena.schedule.plan import Past, Plan, Planned, Points, TablePlace, score
from arena.store import Edition, Store
from arena.store.entrants import Entry
from arena.store.waiting import patiently
from arena.values.errors import UsageError
from arena.values.model import Entrant, Record, Round, Stop, Tournament
from arena.values.tables import Leaderboard, LeaderboardRow
from engines import EngineError

if TYPE_CHECKING:
    from arena.ratings.block_counts import BlockCounts as Counted

# what comes of reading a store that is damaged, or somebody else's
_DAMAGE = (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)

Newer = tuple[str, Entrant]  # the name of an entrant of the file, and a newer version of it
# from the entrants that play now, by the names of those of the file, to newer versions of them
FindNewer = Callable[[Mapping[str, str]], Sequence[Newer]]


class Planner:
    """What is to be played of an edition, as one run asks for it again and again.

    Attributes:
        taken_up: the newer versions that this run entered, by their names.
        end: why a ladder has no further batch; it may have one when it is run again, unless this
            is a stop.
    """

    def __init__(
        self,
        store: Store,
        edition: Edition,
        tournament: Tournament,
        names: tuple[str, ...],
        newer: FindNewer = lambda newest: (),
    ) -> None:
        """Take up an edition where it is.

        Args:
            store: where rounds are kept.
            edition: it.
            tournament: the rules of it.
            names: those whom its file enters; the best seed first, where that matters.
            newer: how newer versions are found, for a ladder.
        """
        self.taken_up: dict[str, Entrant] = {}
        self.end: NoBatch | None = None
        self._store, self._edition, self._tournament = store, edition, tournament
        self._names, self._newer = names, newer
        self._format = find_format(tournament.format)
        entries = store.tournaments.entries(edition.id)
        if not isinstance(self._format, PlannedFormat):
            self._tournament, self._names = with_versions(tournament, names, entries)
        stored = store.rounds.all(edition.id)
        plans = [Plan.from_text(each.plan) for each in stored]
        self._schedule = Planned(tournament, plans)
        self._last = plans[-1] if plans else None
        self._points = stored[-1].points if stored else ""  # of the last one, as they are stored
        # what a ladder looks at: who plays for each name, all batches, and what they brought
        self._newest = newest_versions(entries)
        self._history = History()
        self._blocks: Counted | None = None
        self._key = ""  # on which blocks were counted
        self._past: list[Past] = []  # what other formats look at
        if isinstance(self._format, Ladder):
            for plan in plans:
                self._history.add(plan)
        else:
            self._past = [Past.from_texts(*each) for each in stored[:-1]]

    @property
    def playing(self) -> tuple[str, ...]:
        """The entrants that have not been replaced by a newer version."""
        if not isinstance(self._format, Ladder):
            return self._names
        return tuple([self._newest[name] for name in self._names])

    def next(
        self, *, settled: int, records: Iterable[Record], since: Mapping[str, int | None]
    ) -> Round | None:
        """Return the schedule as far as it is known, or ``None`` when all of it is settled.

        Args:
            settled: how many matches from the start on are settled without a gap.
            records: those of these matches, for formats that need them.
            since: who is out, and from which match on; see ``score``.
        """
        if not isinstance(self._format, PlannedFormat):
            return self._format.next_round(self._tournament, self._names, settled, records)
        while settled >= len(self._schedule):
            if not self._plan(since):
                return None
        return self._schedule

    def _plan(self, since: Mapping[str, int | None]) -> bool:
        """Store the next round; return whether there is one."""
        past, points = self._past, ""
        if self._last is not None:
            brought = Past(self._last, self._brought(self._last, since))
            past, points = [*past, brought], brought.points_text()
        newer: Sequence[Newer] = ()
        if isinstance(self._format, Ladder):
            plan, newer = self._plan_batch(self._format, since)
        else:
            assert isinstance(self._format, AdaptiveFormat)
            plan = self._format.plan(self._tournament, self._names, past, since)
        # the last round again, as a match that was undecided may have been played since
        if plan is not None or (self._last is not None and self._points != points):
            text = None if plan is None else plan.to_text()
            go_on = self._store.rounds.go_on
            patiently("the next round", go_on, self._edition.id, points, text, newer)
            self._points = points
        if plan is None:
            return False
        self._last, self._points = plan, ""
        self._schedule.add(plan)
        if isinstance(self._format, Ladder):
            self._history.add(plan)
        else:
            self._past = past
        self._newest.update({line: entrant.name for line, entrant in newer})
        self.taken_up.update({entrant.name: entrant for _, entrant in newer})
        return True

    def _plan_batch(
        self, format_: Ladder, out: Collection[str]
    ) -> tuple[Plan | None, Sequence[Newer]]:
        """Return the next batch of a ladder, with the versions it takes up; store its stop."""
        if self._edition.stop is not None:
            return None, ()
        newer = self._newer(self._newest)
        newest = {**self._newest, **{line: entrant.name for line, entrant in newer}}
        playing = [newest[name] for name in self._names if newest[name] not in out]
        known = self._known()
        found = format_.plan_batch(self._tournament, playing, out, self._history, known)
        if isinstance(found, Plan):
            return found, newer
        self.end = found
        if found.is_stop:
            stop = self._store.tournaments.stop
            patiently("the stop", stop, self._edition.id, len(self._schedule))
            self._edition = self._edition._replace(stop=len(self._schedule))
        return None, ()

    def _brought(self, plan: Plan, since: Mapping[str, int | None]) -> Points:
        """Return the points of the last round, whose matches are settled."""
        last = len(self._schedule.starts) - 2
        first = self._schedule.starts[last]
        edition = self._edition.id
        rows = self._store.matches.read(edition, after=(edition, first - 1), ids=False)
        results = {row.number: (row.entrants, row.ranks) for row in rows}
        return score(plan, list(self._schedule.of_round(last)), results, since)

    def _known(self) -> BatchHistory:
        """Return what all matches say, each of which is read once; all are of earlier batches."""
        # what follows costs 20 ms to import, and other formats do without
        from arena.ratings.block_counts import BlockCounts as Counted
        from arena.ratings.block_counts import fold_blocks
        from arena.ratings.closed_form import MARGIN
        from arena.ratings.information import information
        from arena.ratings.likelihoods import match_counts
        from arena.ratings.order_free import OrderFree

        cache, edition = self._store.cache, self._edition.id
        key = cache.key(edition)
        if self._blocks is None or key != self._key:  # others are out than before
            self._blocks, self._key = Counted(), key
        new = cache.results(edition, after=self._blocks.last)
        self._blocks = fold_blocks(new, self._blocks)
        counts = self._blocks.counts
        fitted = OrderFree(match_counts(counts))
        margin = fitted.margin if fitted.names else MARGIN
        return BatchHistory(
            fitted.ratings(),
            sum(counts.values()),
            lambda gap, variance: information(gap, variance, margin),
        )


def read_rounds(store: Store, edition: int) -> tuple[list[Past], Plan | None]:
    """Return the rounds that are over, and the one that is under way, if there is one."""
    stored = store.rounds.all(edition)
    past = [Past.from_texts(*each) for each in stored if each.points]
    under_way = [Plan.from_text(each.plan) for each in stored if not each.points]
    return past, under_way[0] if under_way else None


def known_schedule(store: Store, edition: Edition) -> Blocks | Planned | None:
    """Return the matches as far as they are known, from what the store alone says.

    ``None``: the format or a game is not here any more, or no tournament is run from that.
    """
    try:
        config = edition.config
        format_ = find_format(config["format"])
        tournament = Tournament(
            name=edition.name,
            games=tuple(config["games"]),
            bots=(),
            format=config["format"],
            rounds=config.get("rounds", 1),
            seed=edition.seed,
            stop=Stop(matches=(config.get("stop") or {}).get("matches")),
            challengers=config.get("challengers", 1),
            apart=tuple(map(tuple, config.get("apart") or ())),
        )
        if isinstance(format_, PlannedFormat):
            plans = [Plan.from_text(each.plan) for each in store.rounds.all(edition.id)]
            return Planned(tournament, plans)
        names = tuple([bot["name"] for bot in config["bots"]])
        entries = store.tournaments.entries(edition.id)
        return format_.schedule(*with_versions(tournament, names, entries))
    except (EngineError, UsageError, *_DAMAGE):
        return None


def placed(store: Store, edition: Edition, board: Leaderboard) -> Leaderboard:
    """Return a leaderboard as an adaptive format has it; those it holds equal stand as before.

    That of a ladder says whose newer version plays.
    """
    format_ = find_format(edition.config["format"])
    if isinstance(format_, Ladder):
        entries = store.tournaments.entries(edition.id)
        newest = newest_versions(entries)
        instead = {entry.name: newest[entry.line or entry.name] for entry in entries}
        older = {name: other for name, other in instead.items() if name != other}
        rows = [row._replace(replaced_by=older.get(row.bot, "")) for row in board.rows]
        return board._replace(rows=tuple(rows))
    if not isinstance(format_, AdaptiveFormat):
        return board
    places = format_.places(*read_rounds(store, edition.id))
    ranked = [(places.get(row.bot, TablePlace(Fraction(-1))), row) for row in board.rows]
    ranked.sort(key=lambda item: -item[0].key)
    found: list[LeaderboardRow] = []
    before: tuple[Fraction, int] | None = None
    for number, (place, row) in enumerate(ranked, start=1):
        standing = (place.key, row.rank)
        rank = found[-1].rank if standing == before else number
        points = None if place.points is None else float(place.points)
        found.append(row._replace(rank=rank, points=points, reached=place.reached))
        before = standing
    return board._replace(rows=tuple(found))


def newest_versions(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the entrant that plays for each of the file: itself, or another version of it.

    Args:
        entries: of one edition, as the store has them.
    """
    return {entry.line or entry.name: entry.name for entry in entries if not entry.replaced}
