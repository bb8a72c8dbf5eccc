"""Draws from a ``random.Random`` that stay the same on every platform and Python.

Only ``Random.random()`` and ``Random.getrandbits()`` keep their sequences between Python versions;
``shuffle``, ``choice`` and ``sample`` do not promise to. Everything that must last draws from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")
    import random


def generator(seed: int) -> random.Random:
    """Return what draws all that belongs to a seed."""
    from random import Random  # 2 ms, which a bot that deals nothing need not spend

    return Random(seed)


def below(rng: random.Random, n: int) -> int:
    """Draw an integer uniformly from 0 … n-1, exactly (by rejection); n >= 1."""
    bits = n.bit_length()
    value = rng.getrandbits(bits)
    while value >= n:
        value = rng.getrandbits(bits)
    return value


def pick(rng: random.Random, items: Sequence[T]) -> T:
    """Draw one of a non-empty sequence uniformly."""
    return items[below(rng, len(items))]


def shuffled(rng: random.Random, items: Iterable[T]) -> list[T]:
    """Return the items in uniformly random order (Fisher and Yates)."""
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        other = below(rng, last + 1)
        result[last], result[other] = result[other], result[last]
    return result
