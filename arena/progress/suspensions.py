"""Which entrants are out of an edition: taken out by a person, or suspended.

A bot that never starts would cost its tournament a start limit in every match. After
``max_faults`` ``startup`` faults (or faults of any kind, as the file says) in a row, in schedule
order, its entrant is suspended, and is then out like one that was taken out: none of its matches
count. So is one whose answers cost more than they may (``arena.progress.spending``).

Everything follows from the stored matches of the schedule's complete prefix, so that neither the
number of workers nor the order in which matches end changes who is out. The store keeps who is
suspended and why, for tables to leave out. No match is changed by it.
"""

from __future__ import annotations

import heapq
import logging
from collections.abc import Iterable

from arena.progress.spending import Spending
from arena.store import Edition, Store
from arena.store.waiting import patiently
from arena.values.model import Match, Round
from arena.values.settled import Settled
from arena.values.tables import MatchRow

log = logging.getLogger(__name__)


def failures(faults: Iterable[tuple[int, str]], kind: str) -> set[int]:
    """Return the seats whose faults count, of some with their codes: ``startup`` or ``any``.

    >>> faults = [(0, "crash"), (1, "startup")]
    >>> failures(faults, "startup"), failures(faults, "any")
    ({1}, {0, 1})
    """
    return {seat for seat, code in faults if kind in ("any", code)}


class Suspensions:
    """Which entrants are out of an edition, as far as its complete prefix has been counted.

    Attributes:
        since: everybody who is out, with the number of the match that suspended it; ``None`` if it
            was taken out.
        why: for every suspended entrant the reason, as the store keeps it.
        spent: those of them whose answers cost what they may.
    """

    def __init__(self, store: Store, edition: Edition) -> None:
        config, entries = edition.config, store.tournaments.entries(edition.id)
        self.since: dict[str, int | None] = {
            entry.name: None for entry in entries if entry.out or entry.replaced
        }
        self.why: dict[str, str] = {}
        self.spent: set[str] = set()
        self._max_faults = most = config["max_faults"]
        self._kind = config.get("faults", "startup")  # which faults count
        faults = "fault" if self._kind == "any" else "startup fault"
        several = f"{most} {faults}s in a row, the last in match"
        self._faults = several if most > 1 else f"a {faults}, in match"
        self._in_a_row: dict[str, int] = {}  # faults; of those who had one in their last match
        self._store = store
        self._edition = edition
        self._published = {entry.name: entry.state for entry in entries if entry.state}
        lines = {bot["name"]: tuple(bot.get("most", {}).items()) for bot in config["bots"]}
        limits = {entry.name: lines.get(entry.line or entry.name, ()) for entry in entries}
        whole = tuple((config.get("stop") or {}).get("info", {}).items())
        self._spending = Spending(whole, limits)
        # a sorted heap: the numbers of matches with such faults that are not counted yet
        self._failed = store.matches.with_faults(edition.id, self._kind)
        self._failing: dict[str, int] = {}  # those who failed last in a match of this number
        self._counted = 0  # the schedule numbers below were

    @property
    def stop(self) -> int | None:
        """From which match on none counts, as answers have cost what all may cost together."""
        return self._spending.stop

    def plays(self, match: Match) -> bool:
        """Return whether no entrant of a match is out, as far as is known now."""
        return self.since.keys().isdisjoint(match.seats)

    def suspects(self, match: Match) -> bool:
        """Return whether an entrant of a match failed to start in one that is not counted yet."""
        return any(self._failing.get(name, -1) >= self._counted for name in match.seats)

    def decides(self, match: Match) -> bool:
        """Return whether a match that is undecided would change who is suspended, or a table.

        One from before a suspension may take the suspension back, if it can be played after all.
        """
        last = [self.since[name] for name in match.seats if name in self.since]
        return all(number is not None and number >= match.number for number in last)

    def played(self, packed: MatchRow) -> None:
        """Note a match that was played and stored."""
        failed = [packed.entrants[seat] for seat in failures(packed.faults, self._kind)]
        if failed and packed.number >= self._counted:
            heapq.heappush(self._failed, packed.number)
            for name in failed:
                self._failing[name] = max(packed.number, self._failing.get(name, -1))

    def advance(self, settled: Settled, round_: Round) -> None:
        """Count on to the end of the complete prefix, past matches of entrants that are out.

        Then store who is suspended and why, and from where on none counts, if that is new.
        """
        while True:
            self._count(settled.advance())
            number = settled.prefix
            if not self.since or number >= len(round_) or self.plays(round_[number]):
                break
            settled.add(number)
        tournaments, edition = self._store.tournaments, self._edition
        if self.why != self._published:
            patiently("who is suspended", tournaments.suspend, edition.id, self.why)
            for name, reason in self.why.items():
                if name not in self._published:
                    log.warning("%s is suspended: %s; none of its matches count", name, reason)
            self._published = dict(self.why)
        if self.stop is not None and edition.stop is None:
            patiently(f'"{edition.label}"', tournaments.stop, edition.id, self.stop)
            self._edition = edition._replace(stop=self.stop)

    def _count(self, prefix: int) -> None:
        """Go on counting, to the end of the schedule's complete prefix."""
        first, self._counted = self._counted, prefix
        if not (self._in_a_row or self._spending.counting):  # then only faults matter
            first = self._failed[0] if self._failed else prefix
        while self._failed and self._failed[0] < prefix:
            heapq.heappop(self._failed)
        if first >= prefix or self.stop is not None:
            return
        edition = self._edition.id
        after, before = (edition, first - 1), (edition, prefix)
        for row in self._store.matches.read(edition, after=after, before=before):
            if not self.since.keys().isdisjoint(row.entrants):
                continue  # whether it was played depends on chance
            why = self._suspended(row)
            for name, costs in self._spending.add(row).items():
                self.spent.add(name)
                why[name] = f"{costs}, in match {row.id}"
            self.why |= why
            self.since |= dict.fromkeys(why, row.number)
            if self.stop is not None:
                return

    def _suspended(self, row: MatchRow) -> dict[str, str]:
        """Return whom the faults of the next match suspend, each with the reason."""
        found = {}
        failed = failures(row.faults, self._kind)
        for seat, name in enumerate(row.entrants):
            if seat not in failed:
                self._in_a_row.pop(name, None)
                continue
            self._in_a_row[name] = self._in_a_row.get(name, 0) + 1
            if self._in_a_row[name] == self._max_faults:
                del self._in_a_row[name]
                found[name] = f"{self._faults} {row.id}"
        return found
