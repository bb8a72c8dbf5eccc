"""A schedule that is known from the start: every meeting, in all seatings, ``rounds`` times.

The order is: block number, game, meeting, seating. More rounds therefore only append.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from arena.schedule.pairings import Pairings, Some
from arena.schedule.seats import seating
from arena.values.model import Match, Record, Tournament
from engines import load_game


@dataclass(frozen=True, slots=True)
class BlocksFormat:
    """A format with such a schedule, which is one round; see ``interface.Format``."""

    name: str
    schedule: Callable[[Tournament, tuple[str, ...]], Blocks]
    keys: frozenset[str]
    grows_by: frozenset[str]
    bot_order_counts: bool = False

    def next_round(
        self,
        tournament: Tournament,
        entrants: tuple[str, ...],
        settled: int,
        records: Iterable[Record],
    ) -> Blocks | None:
        """Return the whole schedule until all of it is settled."""
        schedule = self.schedule(tournament, entrants)
        return schedule if settled < len(schedule) else None


class MatchIndex(NamedTuple):
    """Where a match is: the block's number in its pairing, game and meeting by index, seating."""

    k: int
    game: int
    meeting: int
    seating: int


class Blocks:
    """All matches, in schedule order; an item is computed when asked, in a few microseconds.

    ``stop.matches`` ends it early, after a whole block.

    Attributes:
        players: how many sit in each game, the games in schedule order.
        meetings: how many meetings each has in a round.
    """

    def __init__(
        self, tournament: Tournament, names: Sequence[str], meet: Callable[[int], Pairings]
    ) -> None:
        """Lay out a schedule.

        Args:
            tournament: the rules of it.
            names: the entrants; what meets is indices into them.
            meet: who meets in a game for so many players.
        """
        self._names = names
        self._seed = tournament.seed
        self._games = sorted(tournament.games)
        self.players = [load_game(game).num_players for game in self._games]
        self._pairings = [_apart(meet(players), names, tournament) for players in self.players]
        self.meetings = list(map(len, self._pairings))
        starts = [0]
        for players, meetings in zip(self.players, self.meetings, strict=True):
            starts.append(starts[-1] + players * meetings)
        self._starts, self._cycle = starts[:-1], starts[-1]
        self._length = self._cycle * tournament.rounds
        if tournament.stop.matches is not None:
            self._length = min(self._length, self._whole_blocks(tournament.stop.matches))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Match:
        if not 0 <= index < self._length:
            raise IndexError(f"there is no match {index}: there are {self._length}")
        k, which, meeting, seating_number = self.place(index)
        game = self._games[which]
        names = [self._names[i] for i in self._pairings[which][meeting]]
        seats = seating(names, seating_number, self._seed, game, k)
        return Match(index, game, k, seating_number, seats)

    def __iter__(self) -> Iterator[Match]:
        return (self[index] for index in range(self._length))

    def place(self, index: int) -> MatchIndex:
        """Return where the match of an index is."""
        k, within = divmod(index, self._cycle)
        which = bisect_right(self._starts, within) - 1
        return MatchIndex(k, which, *divmod(within - self._starts[which], self.players[which]))

    def first_of_deal(self, index: int) -> int:
        """Return the index of the first match on the same deal; the others follow it."""
        k, game, _, _ = self.place(index)
        return k * self._cycle + self._starts[game]

    def number(self, match: Match) -> int:
        """Return the number here of a match of a schedule that this one has grown from."""
        which = self._games.index(match.game)
        group = tuple(sorted([self._places[name] for name in match.seats]))
        meeting = self._pairings[which].index(group)
        within = self._starts[which] + meeting * self.players[which] + match.seating
        return match.k * self._cycle + within

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self._names)}

    def rounds(self, game: int) -> tuple[int, int]:
        """Return how many whole rounds of a game there are, and how many meetings after them."""
        whole, within = divmod(self._length, self._cycle) if self._cycle else (0, 0)
        some = max(0, within - self._starts[game]) // self.players[game]
        return whole, min(some, self.meetings[game])

    def _whole_blocks(self, matches: int) -> int:
        """Round a number of matches up to the end of the block it falls into."""
        if self._cycle == 0:
            return 0
        within = matches % self._cycle
        which = bisect_right(self._starts, within) - 1
        into_block = (within - self._starts[which]) % self.players[which]
        return matches + (-into_block) % self.players[which]


def _apart(pairings: Pairings, names: Sequence[str], tournament: Tournament) -> Pairings:
    """Return pairings without those of entrants that are kept apart."""
    if not tournament.apart or isinstance(tournament.apart, str):  # which are not known yet
        return pairings
    places = {name: place for place, name in enumerate(names)}
    groups = [[places[name] for name in group if name in places] for group in tournament.apart]
    return Some(pairings, groups)
