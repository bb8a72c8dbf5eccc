"""What bots say by ``info`` that their answers cost: tokens, calls of a server, money; and sums.

The arena knows no currency: it adds what it is told.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

COSTS = ("prompt_tokens", "completion_tokens", "calls", "cost")  # keys of ``info``
WHOLE = 1 << 53  # up to here every whole float is that integer
DIGITS = 9  # behind the point, so that fifty times 0.1 is 5

Limits = tuple[tuple[str, float], ...]
"""Keys of ``COSTS``, each with what its sum may come to."""


class Costs(NamedTuple):
    """What some answers cost; ``ignored`` counts values that are no finite number from 0."""

    prompt_tokens: float = 0
    completion_tokens: float = 0
    calls: float = 0
    cost: float = 0
    ignored: int = 0

    @property
    def there(self) -> dict[str, float]:
        """What is not 0, by its key."""
        return {key: value for key, value in zip(self._fields, self, strict=True) if value}

    def __str__(self) -> str:
        """Return them for a person.

        >>> str(Costs(prompt_tokens=1200, calls=3, cost=0.0125))
        '1,200 prompt_tokens, 3 calls, cost 0.0125'
        """
        counts = [f"{value:,.10g} {key}" for key, value in self.there.items() if key != "cost"]
        return ", ".join([*counts, *([f"cost {self.cost:.10g}"] if self.cost else [])])


NO_COSTS = Costs()


def added(costs: Costs, said: Mapping[str, float | str]) -> Costs:
    """Return costs with what a bot said that one answer cost; keys that mean no cost are no part.

    >>> added(Costs(calls=2), {"calls": 1, "cost": 0.25, "prompt_tokens": "many"})
    Costs(prompt_tokens=0, completion_tokens=0, calls=3, cost=0.25, ignored=1)
    """
    fits = {
        key: value
        for key in COSTS
        if not isinstance(value := said.get(key, ""), str) and 0 <= value < float("inf")
    }
    wrong = len(said.keys() & {*COSTS}) - len(fits)
    return all_of((costs, Costs(**fits, ignored=wrong)))


def all_of(many: Sequence[Costs]) -> Costs:
    """Return the sum of costs, each of which is a finite number however many they are."""
    first, *others = many or (NO_COSTS,)
    for other in others:
        first = Costs._make(map(_sum, first, other))
    return first


def reached(costs: Costs, limits: Limits) -> str:
    """Return the first key whose sum has come to its limit; nothing if none has."""
    return next((key for key, most in limits if getattr(costs, key) >= most), "")


def _sum(one: float, other: float) -> float:
    found = min(round(one + other, DIGITS), sys.float_info.max)
    return int(found) if found <= WHOLE and found == int(found) else float(found)
