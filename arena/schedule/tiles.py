"""The order in which matches are played where bots are kept: those of the same bots together.

A worker keeps some tens of bots, and a schedule goes round all pairings: with more bots than that
nearly every match would start its own. So a part of the schedule is cut into *tiles*, all matches
among few enough bots, and a *row*, the tiles that differ in one group of bots only, is played by
one worker. Numbers, ids and tables are those of the schedule; only what is played when differs, by
at most some tens of matches of each bot.

With 1000 bots one match in twenty starts a bot, where in schedule order each would start two.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from arena.values.model import Match, Round

KEPT = 64  # bots that any worker can keep
DEPTH = 64  # matches of each bot that are looked at together, on average
MOST = 100_000  # of all bots
_BITS = 40  # for a number in a key


class Tiles:
    """The missing matches of a round, tile by tile."""

    def __init__(
        self,
        round_: Round,
        missing: Iterable[int],
        names: Iterable[str],
        suspect: Callable[[Match], bool] = lambda match: False,
    ) -> None:
        """Lay out the matches of a round.

        Args:
            round_: the matches.
            missing: the indices of those to be played, ascending.
            names: of the entrants.
            suspect: may it be found soon that nobody needs to play this match? Then it waits until
                all others before it have been given.
        """
        self._round, self._missing, self._suspect = round_, iter(missing), suspect
        self._places = {name: place for place, name in enumerate(sorted(names))}
        self._most = min(MOST, DEPTH * len(self._places))
        self._rows: deque[list[int]] = deque()  # keys of matches; nobody has begun these
        self._begun: dict[int, deque[int]] = {}  # by the worker
        self._late: list[int] = []  # indices

    def of(self, worker: int) -> Iterator[Match]:
        """Yield what one of several workers is to play next, until nothing is left for anybody."""
        while True:
            mine = self._begun.get(worker) or self._more(worker)
            if mine:
                index = mine.popleft() & ((1 << _BITS) - 1)
                match = self._round[index]
                if self._suspect(match):
                    heapq.heappush(self._late, index)
                    continue
                yield match
            elif self._late:
                yield self._round[heapq.heappop(self._late)]
            elif not self._turn():
                return

    def _more(self, worker: int) -> deque[int]:
        """Return another row, or the second half of what another worker has most of."""
        row: deque[int] = deque()
        if self._rows:
            row.extend(sorted(self._rows.popleft()))
        elif self._begun:
            most = max(self._begun.values(), key=len)
            row.extendleft([most.pop() for _ in range((len(most) + 1) // 2)])
        self._begun[worker] = row
        return row

    def _turn(self) -> bool:
        """Look at the matches that follow; return whether there are any."""
        rows: dict[tuple[int, ...], list[int]] = {}
        for index in islice(self._missing, self._most):
            seats = self._round[index].seats
            places = sorted([self._places.setdefault(name, len(self._places)) for name in seats])
            side = max(1, KEPT // len(places))
            tiles = [place // side for place in places]
            key = 0
            for part in (*tiles, *places, index):
                key = key << _BITS | part
            rows.setdefault((len(tiles), *tiles[:-1]), []).append(key)
        self._rows.extend(rows.values())
        return bool(self._rows)
