"""What a schedule of a million matches costs before its first match, in each, and in memory."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import Measured, Sizes
from benchmarks.workshop import Played, Workshop

__all__ = ["ROWS", "measure"]

ROWS = ("planning", "scheduled", "memory-scheduled")
SMALL, LARGE = 500, 500_000  # rounds of two matches


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield the time to the first match, µs a match, and MiB, with two workers."""
    small: list[Played] = []
    large: list[Played] = []
    for _ in range(sizes.pick(5, 1)):
        for rounds, found in ((LARGE, large), (SMALL, small)):
            file = shop.tournament(rounds=rounds)
            found.append(shop.play(file, workers=2, stop=sizes.pick(1000, 200)))
    for name, number in (
        ("planning", lambda played: played.first_seconds * 1e3),
        ("scheduled", lambda played: played.seconds / played.matches * 1e6),
    ):
        yield Measured(name, tuple(map(number, large)), tuple(map(number, small)))
    pairs = zip(large, small, strict=True)
    yield Measured("memory-scheduled", tuple((a.pss_kb - b.pss_kb) / 1024 for a, b in pairs))
