"""Ladder: batch after batch, those meet of whom a result says most, as long as there is a need.

A batch is planned from the ratings that all batches before it give. Each block goes to the two (in
a game for n: the n) whose result is expected to bring the most information, among neighbours in the
table. Up to half of a batch goes first to those who waited longest, so that nobody starves. All
blocks of a batch are new deals, the same for everybody in it.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Collection, Sequence
from itertools import combinations
from math import ceil, log1p

from arena.schedule.batches import BatchHistory, History, NoBatch
from arena.schedule.plan import Meeting, Plan
from arena.schedule.seeds import round_seed
from arena.values.model import Tournament
from arena.values.tables import Rating
from engines import load_game
from engines.core.chance import shuffled

IDLE_BLOCKS = 200  # after so many in a row that brought nothing new there are no more
_BLOCKS_EACH = 2  # of a batch, for every entrant, where the file does not say how long it is
_NEIGHBOURS = 20
_MOST = 2  # nobody is in more blocks of a batch than so many times the average


class Ladder:
    """The format, for games for two and more, which are all for equally many players.

    Newer versions of its bots are taken up between batches.
    """

    name = "ladder"
    bot_order_counts = False
    grows_by = frozenset({"rounds", "bots", "stop", "batch"})
    keys = frozenset({"rounds", "stop", "batch"})

    def plan_batch(
        self,
        tournament: Tournament,
        names: Sequence[str],
        out: Collection[str],
        history: History,
        known: BatchHistory,
    ) -> Plan | NoBatch:
        """Return the plan of the next batch, or the reason why there is no next batch.

        Args:
            tournament: the rules of it.
            names: those who play: nobody who is out, or rests as a newer version plays.
            out: those who are taken out or suspended now; blocks with them do not count.
            history: all batches so far.
            known: what their results say.
        """
        players = load_game(tournament.games[0]).num_players
        if len(names) < players:
            return NoBatch.ALONE
        size = tournament.batch or _BLOCKS_EACH * len(names)
        if tournament.stop.matches is not None:
            matches = players * len(tournament.games)  # of a block
            size = min(size, ceil(tournament.stop.matches / matches) - history.blocks)
            if size <= 0:
                return NoBatch.MATCHES
        batch = _Batch(tournament, names, out, size, history, known)
        if not batch.anybody_lacks():
            return NoBatch.SIGMA if batch.all_are_certain() else NoBatch.ROUNDS
        if history.idle(known.weight) >= IDLE_BLOCKS and history.last.keys() >= set(names):
            return NoBatch.REPEATS
        batch.serve_those_who_waited()
        batch.fill()
        return batch.to_plan()

    def most_matches(self, tournament: Tournament, entrants: int) -> int:
        """Return how many matches there are at most, unless newer versions come."""
        matches = load_game(tournament.games[0]).num_players * len(tournament.games)
        most = tournament.rounds * entrants * matches
        if tournament.stop.matches is None:
            return most
        return min(most, ceil(tournament.stop.matches / matches) * matches)


class _Batch:
    """A batch while it is planned; entrants are numbers, the best first.

    What is planned is taken to have been played: it leaves smaller variances, so that what follows
    goes elsewhere.
    """

    def __init__(
        self,
        tournament: Tournament,
        names: Sequence[str],
        out: Collection[str],
        size: int,
        history: History,
        known: BatchHistory,
    ) -> None:
        assert tournament.seed is not None, "a tournament that has started has a seed"
        self._round = history.batches + 1
        rng = random.Random(round_seed(tournament.seed, FORMAT.name, self._round))
        drawn = shuffled(rng, sorted(names))
        beliefs = {name: known.ratings.get(name, Rating()) for name in drawn}
        self._names = sorted(drawn, key=lambda name: -beliefs[name].mu)
        self._mu = [beliefs[name].mu for name in self._names]
        self._variance = [beliefs[name].sigma ** 2 for name in self._names]
        place = {name: number for number, name in enumerate(drawn)}
        self._waiting = sorted(  # the longest first
            range(len(names)),
            key=lambda i: (history.last.get(self._names[i], 0), place[self._names[i]]),
        )
        before = history.blocks_of(out)
        self._lacking = [tournament.rounds - before[name] for name in self._names]
        sigma = tournament.stop.sigma
        self._certain = None if sigma is None else sigma**2
        self._players = load_game(tournament.games[0]).num_players
        self._matches = self._players * len(tournament.games)  # of a block
        self._size, self._count = size, 0
        self._most = ceil(_MOST * self._players * size / len(names))
        self._blocks = [0] * len(names)  # of this batch, with each
        self._met: dict[tuple[int, int], int] = {}  # the same of each two
        self._groups: dict[tuple[int, ...], int] = {}  # the same of those who meet
        self._worth: dict[tuple[int, ...], float] = {}  # when they were taken first
        self._gains: dict[tuple[int, int], tuple[int, float]] = {}  # as of so many blocks of both
        self._history, self._information, self._weight = history, known.information, known.weight

    def anybody_lacks(self) -> bool:
        """Return whether there is any need for a block."""
        return any(map(self._lacks, range(len(self._names))))

    def all_are_certain(self) -> bool:
        """Return whether all ratings are as certain as was asked for, if that was asked."""
        return self._certain is not None and max(self._variance) <= self._certain

    def serve_those_who_waited(self) -> None:
        """Plan a block for each entrant that lacks one, the longest wait first: at most half."""
        for i in self._waiting:
            if self._count >= ceil(self._size / 2):
                return
            if self._lacks(i) and not self._blocks[i]:
                self._take(self._with_best((i,)))

    def fill(self) -> None:
        """Plan the blocks that are worth most, one after the other."""
        pairs = {(min(i, j), max(i, j)) for i in range(len(self._mu)) for j in self._near(i)}
        heap = [(-self._gain(*pair), pair) for pair in sorted(pairs)]
        heapq.heapify(heap)
        while heap and self._count < self._size:
            _, pair = heapq.heappop(heap)
            if not self._may_meet(pair):
                continue  # nor later in this batch
            worth = self._gain(*pair)  # less than it was, if one of the two was in a block since
            if heap and worth < -heap[0][0]:
                heapq.heappush(heap, (-worth, pair))
                continue
            self._take(self._with_best(pair))
            heapq.heappush(heap, (-self._gain(*pair), pair))

    def to_plan(self) -> Plan:
        """Return the batch, with what is worth most first."""
        first = self._history.next_block
        meetings = [
            Meeting(tuple(sorted([self._names[i] for i in group])), times=self._groups[group])
            for group in sorted(self._groups, key=lambda group: -self._worth[group])
        ]
        blocks = tuple(range(first, first + max(self._groups.values())))
        return Plan(self._round, blocks, tuple(meetings), weight=self._weight)

    def _lacks(self, i: int) -> bool:
        """Return whether an entrant needs one more block."""
        certain = self._certain is not None and self._variance[i] <= self._certain
        return self._lacking[i] > self._blocks[i] and not certain

    def _may_meet(self, pair: tuple[int, int]) -> bool:
        return any(map(self._lacks, pair)) and all(self._blocks[i] < self._most for i in pair)

    def _near(self, i: int) -> list[int]:
        """Return an entrant's neighbours in the table: half of them above, where there are such."""
        last = len(self._mu)
        first = max(0, min(i - _NEIGHBOURS // 2, last - _NEIGHBOURS - 1))
        return [j for j in range(first, min(last, first + _NEIGHBOURS + 1)) if j != i]

    def _gain(self, i: int, j: int) -> float:
        """Return how much a block is expected to say of the difference of two, in nats.

        Their variances may be large because nobody knows how both compare with the others. What
        they showed against one another is therefore counted by itself.
        """
        now = self._blocks[i] + self._blocks[j]
        then, gain = self._gains.get((i, j), (-1, 0.0))
        if then != now:
            variance = self._variance[i] + self._variance[j]
            said = self._matches * self._information(self._mu[i] - self._mu[j], variance)
            one, other = sorted((self._names[i], self._names[j]))
            met = self._history.met[one, other] + self._met.get((i, j), 0)
            gain = 0.5 * log1p(said / max(1.0 / variance, met * said))
            self._gains[i, j] = now, gain
        return gain

    def _with_best(self, group: tuple[int, ...]) -> tuple[int, ...]:
        """Return a group with those who are worth most in it, until it fills a match."""
        while len(group) < self._players:
            near = sorted({j for i in group for j in self._near(i)}.difference(group))
            free = [j for j in near if self._blocks[j] < self._most] or near
            worth = {j: sum(self._gain(*sorted((i, j))) for i in group) for j in free}
            group = (*group, max(free, key=worth.__getitem__))
        return tuple(sorted(group))

    def _take(self, group: tuple[int, ...]) -> None:
        """Plan one more block of a group, and take it to have been played."""
        worth = sum(self._gain(*pair) for pair in combinations(group, 2))
        self._worth.setdefault(group, worth)
        self._groups[group] = self._groups.get(group, 0) + 1
        self._count += 1
        mu, variance = self._mu, self._variance
        precision = {i: 1.0 / variance[i] for i in group}
        for i, j in combinations(group, 2):
            self._met[i, j] = self._met.get((i, j), 0) + 1
            said = self._matches * self._information(mu[i] - mu[j], variance[i] + variance[j])
            precision[i] += said / (1.0 + said * variance[j])
            precision[j] += said / (1.0 + said * variance[i])
        for i in group:
            self._blocks[i] += 1
            variance[i] = 1.0 / precision[i]


FORMAT = Ladder()
