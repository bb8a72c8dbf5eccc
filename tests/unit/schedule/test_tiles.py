"""Where bots are kept, matches are played in an order in which few are started again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.schedule.blocks import Blocks
from arena.schedule.round_robin import schedule
from arena.schedule.tiles import KEPT, Tiles
from arena.values.model import BotEntry, Match, Tournament


def round_of(bots: int, *, rounds: int = 1) -> tuple[Blocks, list[str]]:
    names = [f"b{number:04}" for number in range(bots)]
    entries = tuple(BotEntry(name, ref="random") for name in names)
    return schedule(
        Tournament("t", ("leaves",), entries, rounds=rounds, seed=1), tuple(names)
    ), names


class Pool:
    """The bots that a worker keeps, the least used given up first."""

    def __init__(self) -> None:
        self.starts = 0
        self._kept: dict[str, None] = {}

    def play(self, match: Match) -> None:
        for name in match.seats:
            self.starts += name not in self._kept
            self._kept.pop(name, None)
            self._kept[name] = None
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]


def starts_a_match(tiles: Tiles, workers: int, matches: int) -> float:
    """Return how many bots are started a match, by workers that play equally fast."""
    pools = [Pool() for _ in range(workers)]
    orders = [tiles.of(worker) for worker in range(workers)]
    for number in range(matches):
        pools[number % workers].play(next(orders[number % workers]))
    return sum(pool.starts for pool in pools) / matches


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("bots", "most"), [(100, 0.06), (1000, 0.12)])
def test_few_bots_are_started_again(bots: int, most: float, workers: int) -> None:
    """With kept bots, the order of matches starts far fewer bots than schedule order does.

    A pairing has two matches, so that in schedule order, with more bots than are kept, every match
    starts one on average.
    """
    matches, names = round_of(bots, rounds=10)
    tiles = Tiles(matches, range(len(matches)), names)
    assert starts_a_match(tiles, workers, 10_000) < most
    in_order = Pool()
    for number in range(2_000):
        in_order.play(matches[number])
    assert in_order.starts > 0.9 * 2_000


def test_matches_of_bot_that_failed_to_start_come_last() -> None:
    """Matches of a bot that failed to start come last, in schedule order, and none is lost."""
    matches, names = round_of(80)
    suspected: set[str] = set()

    def suspect(match: Match) -> bool:
        return not suspected.isdisjoint(match.seats)

    order: Iterator[Match] = Tiles(matches, range(1000), names, suspect).of(0)
    first = next(order)
    suspected.add(first.seats[0])
    found = [match for match in order if suspect(match)]
    rest = [match.number for match in found]
    assert rest == sorted(rest)
    of_it = [n for n in range(1000) if suspect(matches[n]) and n != first.number]
    assert rest == of_it
