"""A schedule that is known from the start: every meeting, in all seatings, ``rounds`` times.

The order is: block number, game, meeting, seating. More rounds therefore only append.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.schedule.pairings import Pairings, some
from arena.schedule.seats import seating
from arena.values.model import Match, Record, Tournament
from engines import load_game


@dataclass(frozen=True, slots=True)
class BlocksFormat:
    """A format with such a schedule.

    Attributes:
        name: the word for it in a tournament file, such as ``round-robin``.
        schedule: returns the whole schedule of a tournament, given the names of those who play,
            each once, in the file's order.
        keys: those of ``FORMAT_KEYS`` (``arena.tournament``) that it reads.
        grows_by: what may be added to a tournament under way without taking back a match: any of
            ``rounds``, ``bots``, ``games``, ``batch`` and ``stop`` (played further than before).
        bot_order_counts: whether the order of the bots in the file changes who meets whom.
    """

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
        """Return the whole schedule, or ``None`` when the tournament is over.

        Args:
            tournament: the rules of it; ``games`` are canonical names.
            entrants: the names of those who play, each once, in the file's order.
            settled: how many matches, counted from the start of the schedule without a gap, are
                settled: recorded, or given up as undecided.
            records: the records of these, in schedule order.
        """
        schedule = self.schedule(tournament, entrants)
        return schedule if settled < len(schedule) else None


class Blocks:
    """All matches, in schedule order; an item is computed when asked, in a few microseconds.

    ``stop.matches`` ends it early, after a whole block.
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
        self._players = [load_game(game).num_players for game in self._games]
        self._pairings = [_apart(meet(players), names, tournament) for players in self._players]
        starts = [0]
        for players, pairings in zip(self._players, self._pairings, strict=True):
            starts.append(starts[-1] + players * pairings.total)
        self._starts, self._cycle = starts[:-1], starts[-1]
        self._length = self._cycle * tournament.rounds
        if tournament.stop.matches is not None:
            self._length = min(self._length, self._whole_blocks(tournament.stop.matches))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Match:
        if not 0 <= index < self._length:
            raise IndexError(f"there is no match {index}: there are {self._length}")
        k, which, first = self._deal(index)
        meeting, number = divmod(index - first, self._players[which])
        game = self._games[which]
        names = [self._names[i] for i in self._pairings[which].at(meeting)]
        return Match(index, game, k, number, seating(names, number, self._seed, game, k))

    def __iter__(self) -> Iterator[Match]:
        return (self[index] for index in range(self._length))

    def first_of_deal(self, index: int) -> int:
        """Return the index of the first match on the same deal; the others follow it."""
        return self._deal(index)[2]

    def _deal(self, index: int) -> tuple[int, int, int]:
        """Return a match's block number, its game by index, and the first match on its deal."""
        k, within = divmod(index, self._cycle)
        which = bisect_right(self._starts, within) - 1
        return k, which, k * self._cycle + self._starts[which]

    def _whole_blocks(self, matches: int) -> int:
        """Round a number of matches up to the end of the block it falls into."""
        if self._cycle == 0:
            return 0
        _, which, first = self._deal(matches)
        return matches + (first - matches) % self._players[which]


def _apart(pairings: Pairings, names: Sequence[str], tournament: Tournament) -> Pairings:
    """Return pairings without those of entrants that are kept apart."""
    if not tournament.apart or isinstance(tournament.apart, str):  # which are not known yet
        return pairings
    places = {name: place for place, name in enumerate(names)}
    groups = [[places[name] for name in group if name in places] for group in tournament.apart]
    return some(pairings, groups)
