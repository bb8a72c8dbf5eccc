"""The same with bots that the arena stops between their decisions, as it saw them think."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.game import engine_decision_us
from benchmarks.measuring import Measured, Sizes, side_by_side
from benchmarks.workshop import Workshop
from benchmarks.yardsticks import round_trip

__all__ = ["ROWS", "measure"]

ROWS = ("decision-stopped",)


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield the wall time of a decision."""
    program = shop.program("instant")
    rounds = sizes.pick(12, 4)

    def decision_us() -> float:
        played = shop.play(shop.tournament(rounds=rounds, args=["--ponder"]))
        return played.steady_us - engine_decision_us()  # without the answers they ponder after

    def trip_us() -> float:
        return round_trip(program, sizes.pick(200, 30)).mean

    values, trips = side_by_side(sizes.pick(3, 1), decision_us, trip_us)
    yield Measured(*ROWS, values, trips)
