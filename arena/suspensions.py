"""The quarantine of an edition that is being run: stored matches held against the rule.

The rule itself is ``arena.schedule.quarantine``. Here it is given what the store has, in schedule
order, as far as nothing is missing; whatever is stored further on must then be as the rule says,
or is to be replaced. Nothing is remembered from run to run but the matches themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from heapq import merge

from arena.model import Match
from arena.schedule.quarantine import Quarantine
from arena.schedule.seeds import match_id
from arena.schedule.settled import Settled
from arena.store import Edition, Store
from arena.store.matches import Outcome
from arena.store.packed import Packed
from arena.store.patience import patiently

__all__ = ["Suspensions", "played_match"]

log = logging.getLogger(__name__)


class Suspensions:
    """Who is suspended in an edition, as far as its complete prefix goes.

    Attributes:
        why: for every suspended entrant the reason, as the store keeps it.
    """

    def __init__(self, store: Store, edition: Edition, max_faults: int) -> None:
        self.why: dict[str, str] = {}
        one = max_faults == 1
        self._faults = "a startup fault" if one else f"{max_faults} startup faults in a row"
        self._where = "in match" if one else "the last in match"
        self._store = store
        self._edition = edition
        self._quarantine = Quarantine(max_faults)
        self._failed: set[int] = set()  # numbers with startup faults, from the prefix on
        entries = store.tournaments.entries(edition.id)
        self._states = {entry.name: entry.state for entry in entries}

    @property
    def detail(self) -> str:
        """What an unplayed forfeit says of the fault; the same for all of an edition."""
        return f"suspended after {self._faults}; the match was not played"

    def away(self, match: Match) -> tuple[int, ...]:
        """Return the seats that forfeit a match unplayed, as far as is known now."""
        return self._quarantine.away(match.number, match.seats)

    def take_up(self, settled: Settled) -> list[Match]:
        """Begin with what is stored; return what must be forfeited in place of what was played.

        Forfeits that the matches before them do not account for are taken out of ``settled``: one
        that was undecided may be played now, or come between with ``--extend``.
        """
        settled.advance()
        first = self._store.matches.first_failed_start(self._edition.id)
        due = [] if first is None else list(self._hold(first, settled, (), to_the_end=True))
        self._publish()
        return due

    def played(self, packed: Packed) -> None:
        """Take note of a match that was played and stored."""
        if any(code == "startup" for _, code in packed.faults):
            self._failed.add(packed.number)

    def go_on(self, first: int, settled: Settled, undecided: Iterable[Outcome]) -> list[Match]:
        """Count the matches from ``first`` up to the complete prefix's new end.

        Returns:
            What must be forfeited, as somebody was suspended: stored matches, and undecided ones.
        """
        if not self._quarantine.counting:
            # without an open count only faults matter
            first = min((n for n in self._failed if n < settled.prefix), default=settled.prefix)
        if first >= settled.prefix:
            return []
        self._failed = {number for number in self._failed if number >= settled.prefix}
        known = len(self.why)
        due = list(self._hold(first, settled, undecided, to_the_end=False))
        if len(self.why) > known:
            self._publish()
        return due

    def _hold(
        self, first: int, settled: Settled, undecided: Iterable[Outcome], *, to_the_end: bool
    ) -> Iterator[Match]:
        """Hold matches from ``first`` on against the rule, to the prefix's end at least."""
        given_up = {outcome.number: outcome for outcome in undecided if outcome.number >= first}
        outcomes: Iterator[Outcome] = self._store.matches.outcomes(self._edition.id, first)
        if given_up:
            outcomes = merge(outcomes, sorted(given_up.values()))  # both in order of number
        for outcome in outcomes:
            number = outcome.number
            if number >= settled.prefix and not to_the_end:
                return
            away = self._quarantine.away(number, outcome.entrants)
            if away:
                if not (outcome.unplayed and outcome.failed == away and number in settled):
                    yield played_match(outcome)
            elif outcome.unplayed:
                settled.discard(number)
            elif number >= settled.prefix:
                if outcome.failed:
                    self._failed.add(number)
            elif number not in given_up:
                for name in self._quarantine.add(number, outcome.entrants, outcome.failed):
                    last = match_id(self._edition.label, outcome.block, outcome.seating)
                    self.why[name] = f"{self._faults}, {self._where} {last}"
                    to_the_end = True

    def _publish(self) -> None:
        """Have the store say who is suspended, and why."""
        for name, state in self._states.items():
            why = self.why.get(name, "")
            if why == state:
                continue
            set_state = self._store.tournaments.set_state
            patiently(f"the state of {name}", set_state, self._edition.id, name, why)
            self._states[name] = why
            if why:
                log.warning(
                    "%s is suspended: %s; its later matches are not played, and are lost", name, why
                )


def played_match(found: Outcome | Packed) -> Match:
    """Return the match of the schedule that was played."""
    k = int(found.block.rpartition("|")[2])
    return Match(found.number, found.game, k, found.seating, found.entrants)
