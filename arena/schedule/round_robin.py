"""Round-robin: every pairing meets ``rounds`` times, in all seatings each time.

The order is: block number, game, pairing, seating. Raising ``rounds`` therefore only appends, and
an interim table means something, since the pairings are interleaved (``pairings``). There is one
round, which holds the whole schedule and computes its matches when asked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from arena.model import Match, Record, Tournament
from arena.schedule.pairings import pairings
from arena.schedule.seats import seating
from engines import load_game

__all__ = ["FORMAT", "RoundRobin", "Schedule"]


class RoundRobin:
    """The format; the order of bots and games in the file changes nothing."""

    name = "round-robin"
    bot_order_counts = False
    grows_by = frozenset({"rounds", "bots", "games", "stop"})

    def next_round(
        self,
        tournament: Tournament,
        entrants: tuple[str, ...],
        settled: int,
        records: Iterable[Record],
    ) -> Schedule | None:
        """Return the whole schedule until all of it is settled; see ``interface.Format``."""
        schedule = Schedule(tournament, entrants)
        return schedule if settled < len(schedule) else None


class Schedule:
    """All matches of a round-robin, in schedule order; an item costs a few microseconds.

    ``stop.matches`` ends it early, after a whole block.
    """

    def __init__(self, tournament: Tournament, entrants: tuple[str, ...]) -> None:
        self._names = sorted(entrants)
        self._seed = tournament.seed
        self._games = sorted(tournament.games)
        self._players = [load_game(game).num_players for game in self._games]
        self._pairings = [pairings(len(self._names), players) for players in self._players]
        starts = [0]
        for players, meetings in zip(self._players, self._pairings, strict=True):
            starts.append(starts[-1] + players * len(meetings))
        self._starts, self._cycle = starts[:-1], starts[-1]
        self._length = self._cycle * tournament.rounds
        if tournament.stop is not None and tournament.stop.matches is not None:
            self._length = min(self._length, self._whole_blocks(tournament.stop.matches))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Match:
        if not 0 <= index < self._length:
            raise IndexError(f"there is no match {index}: there are {self._length}")
        k, within = divmod(index, self._cycle)
        which = bisect_right(self._starts, within) - 1
        game = self._games[which]
        meeting, seating_number = divmod(within - self._starts[which], self._players[which])
        names = [self._names[i] for i in self._pairings[which][meeting]]
        seats = seating(names, seating_number, self._seed, game, k)
        return Match(index, game, k, seating_number, seats)

    def __iter__(self) -> Iterator[Match]:
        return (self[index] for index in range(self._length))

    def _whole_blocks(self, matches: int) -> int:
        """Round a number of matches up to the end of the block it falls into."""
        if self._cycle == 0:
            return 0
        within = matches % self._cycle
        which = bisect_right(self._starts, within) - 1
        into_block = (within - self._starts[which]) % self._players[which]
        return matches + (-into_block) % self._players[which]


FORMAT = RoundRobin()
