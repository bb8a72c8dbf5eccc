"""Matches end to end with two instant C bots that are kept from match to match."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from benchmarks.cpu import CpuMeter, cpu_meter
from benchmarks.game import engine_decision_us
from benchmarks.measuring import Measured, Missing, Sizes
from benchmarks.peers import NO_PEER, Rate, cutechess, fastchess, has
from benchmarks.workshop import SIXTY, Played, Workshop
from benchmarks.yardsticks import Trip, round_trip

__all__ = ["ROWS", "measure"]

ROWS = (
    "decision", "workers", "kept-cutechess", "sixty-fastchess",
    "sixty-cpu-fastchess", "coordinator", "memory",
)  # fmt: skip


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield decisions, games and CPU time, with one worker and with two, and the peers'."""
    program = shop.program("instant")
    trips: list[Trip] = []
    ones: list[Played] = []
    twos: list[Played] = []
    long: list[Played] = []  # as long as a game of chess is here
    cute: list[Rate] = []
    fast: list[Rate] = []
    note = ""
    cpu: CpuMeter | None = None
    with ExitStack() as stack:
        try:
            cpu = stack.enter_context(cpu_meter(shop.folder))
        except Missing as error:
            note = str(error)
        for _ in range(sizes.pick(5, 1)):
            trips.append(round_trip(program, sizes.pick(200, 30)))
            for workers, played in ((1, ones), (2, twos)):
                file = shop.tournament(rounds=sizes.pick(800, 150))
                played.append(shop.play(file, workers=workers, cpu=cpu))
            if has("CUTECHESS"):
                cute.append(cutechess(shop, sizes.pick(1000, 100)))
            file = shop.tournament(rounds=sizes.pick(300, 60), game=SIXTY)
            long.append(shop.play(file, workers=2, cpu=cpu))
            if has("FASTCHESS"):
                fast.append(fastchess(shop, sizes.pick(600, 60), cpu=cpu))
    engine_us = engine_decision_us()
    yield Measured(
        "decision",
        tuple(one.seconds / one.matches / one.decisions * 1e6 - engine_us for one in ones),
        tuple(trip.mean for trip in trips),
        f"the engine's {engine_us:.1f} µs are taken off",
    )
    games = tuple(two.per_second for two in twos)
    yield Measured("workers", games, tuple(one.per_second for one in ones))
    no_cute, no_fast = (
        "" if has(name) else NO_PEER.format(name) for name in ("CUTECHESS", "FASTCHESS")
    )
    yield Measured("kept-cutechess", games, tuple(rate.games for rate in cute), no_cute)
    moves = tuple(one.per_second * one.decisions for one in long)
    yield Measured("sixty-fastchess", moves, tuple(rate.moves for rate in fast), no_fast)
    if cpu is None:
        yield Measured("sixty-cpu-fastchess", (), (), note)
    else:
        runner = tuple(map(_runner_us, long))
        yield Measured("sixty-cpu-fastchess", runner, tuple(rate.cpu_us for rate in fast), no_fast)
    own = tuple(two.own_ns / two.matches / 1e3 for two in twos)
    yield Measured("coordinator", own, tuple(trip.quickest for trip in trips))
    yield Measured("memory", tuple(two.pss_kb / 1024 for two in twos))


def _runner_us(played: Played) -> float:
    """Return the CPU time of a decision without what the bots say that they used."""
    return (played.tree_ns / played.matches / played.decisions - played.bot_ns) / 1e3
