"""Which entrants are out of an edition that is being run: two rules applied to what is stored.

They are ``arena.schedule.quarantine`` and ``arena.progress.spending``. Here they are given the
stored matches in schedule order, as far as the schedule's complete prefix goes, and the store is
told who is suspended and why, for tables to leave out. No match is changed by it.
"""

from __future__ import annotations

import heapq
import logging

from arena.progress.spending import Spending
from arena.schedule.quarantine import Quarantine, failures
from arena.store import Edition, Store
from arena.store.waiting import patiently
from arena.values.model import Match, Round
from arena.values.settled import Settled
from arena.values.tables import MatchRow

log = logging.getLogger(__name__)


class Suspensions:
    """Which entrants are out of an edition, as far as its complete prefix has been counted.

    Attributes:
        why: for every suspended entrant the reason, as the store keeps it.
        spent: those of them whose answers cost what they may.
    """

    def __init__(self, store: Store, edition: Edition) -> None:
        config = edition.config
        max_faults = config["max_faults"]
        self.why: dict[str, str] = {}
        self.spent: set[str] = set()
        one = max_faults == 1
        self._kind = config.get("faults", "startup")  # which faults count
        kind = "" if self._kind == "any" else "startup "
        self._faults = f"a {kind}fault" if one else f"{max_faults} {kind}faults in a row"
        self._where = "in match" if one else "the last in match"
        self._max_faults = max_faults
        self._store = store
        self._edition = edition
        entries = store.tournaments.entries(edition.id)
        self._published = {entry.name: entry.state for entry in entries if entry.state}
        self._since = {
            entry.name: -1 for entry in entries if entry.out or entry.replaced
        }  # a number
        self._quarantine = Quarantine(max_faults, self._since)
        lines = {bot["name"]: tuple(bot.get("most", {}).items()) for bot in config["bots"]}
        most = {entry.name: lines.get(entry.line or entry.name, ()) for entry in entries}
        whole = tuple((config.get("stop") or {}).get("info", {}).items())
        self._spending = Spending(whole, most)
        self._failed = store.matches.with_faults(
            edition.id, self._kind
        )  # not counted yet: a sorted heap
        self._failing: dict[str, int] = {}  # those who failed last in a match of this number
        self._counted = 0  # the schedule numbers below were

    @property
    def stop(self) -> int | None:
        """From which match on none counts, as answers have cost what all may cost together."""
        return self._spending.stop

    @property
    def anybody(self) -> bool:
        """Whether anybody is out."""
        return bool(self._quarantine.out)

    @property
    def since(self) -> dict[str, int | None]:
        """Who is out, with the number of the match that suspended it; none if it was taken out."""
        return {name: None if number < 0 else number for name, number in self._since.items()}

    def plays(self, match: Match) -> bool:
        """Return whether no entrant of a match is out, as far as is known now."""
        return self._quarantine.out.isdisjoint(match.seats)

    def suspects(self, match: Match) -> bool:
        """Return whether an entrant of a match failed to start in one that is not counted yet."""
        return any(self._failing.get(name, -1) >= self._counted for name in match.seats)

    def decides(self, match: Match) -> bool:
        """Return whether a match that is undecided would change who is suspended, or a table.

        One from before a suspension may take the suspension back, if it can be played after all.
        """
        return all(self._since.get(name, match.number) >= match.number for name in match.seats)

    def left(self, names: tuple[str, ...]) -> list[str]:
        """Return the entrants that are not out."""
        return [name for name in names if name not in self._quarantine.out]

    def played(self, packed: MatchRow) -> None:
        """Note a match that was played and stored."""
        failed = [packed.entrants[seat] for seat in failures(packed.faults, self._kind)]
        if failed and packed.number >= self._counted:
            heapq.heappush(self._failed, packed.number)
            for name in failed:
                self._failing[name] = max(packed.number, self._failing.get(name, -1))

    def count(self, prefix: int) -> None:
        """Go on counting, to the end of the schedule's complete prefix."""
        first, self._counted = self._counted, prefix
        if not (self._quarantine.counting or self._spending.counting):  # then only faults matter
            first = self._failed[0] if self._failed else prefix
        while self._failed and self._failed[0] < prefix:
            heapq.heappop(self._failed)
        if first >= prefix or self.stop is not None:
            return
        for row in self._store.matches.read(self._edition.id, first=first, end=prefix):
            plays = self._quarantine.out.isdisjoint(row.entrants)  # else chance had it played
            failed = failures(row.faults, self._kind)
            faults = f"{self._faults}, {self._where} {row.id}"
            why = dict.fromkeys(self._quarantine.add(row.entrants, failed), faults)
            for name, costs in (self._spending.add(row) if plays else {}).items():
                self._quarantine.out.add(name)
                self.spent.add(name)
                why[name] = f"{costs}, in match {row.id}"
            self.why |= why
            self._since |= dict.fromkeys(why, row.number)
            if self.stop is not None:
                return

    def advance(self, settled: Settled, round_: Round) -> None:
        """Count on to the end of the complete prefix, past matches of entrants that are out."""
        start = round_[0].number
        while True:
            self.count(settled.advance())
            index = settled.prefix - start
            if not self.anybody or index >= len(round_) or self.plays(round_[index]):
                return
            settled.add(settled.prefix)

    def publish(self) -> bool:
        """Store which entrants are suspended, and why; return whether that is new.

        Tables leave out the matches of those who are.
        """
        if self.why == self._published:
            return False
        suspend = self._store.tournaments.suspend
        patiently("who is suspended", suspend, self._edition.id, self.why)
        for name, reason in self.why.items():
            if name not in self._published:
                log.warning("%s is suspended: %s; none of its matches count", name, reason)
        self._published = dict(self.why)
        return True
