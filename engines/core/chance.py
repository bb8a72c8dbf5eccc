"""Draws from a ``random.Random`` that stay the same on every platform and Python.

Only ``Random.random()`` and ``Random.getrandbits()`` keep their sequences between Python versions;
``shuffle``, ``choice`` and ``sample`` do not promise to. Everything that must last draws from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.core.errors import BadSetup
from engines.core.text import natural
from engines.core.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")
    import random


def generator(seed: int) -> random.Random:
    """Return what draws all that belongs to a seed."""
    from random import Random  # 2 ms, which a bot that deals nothing need not spend

    return Random(seed)


_HEX = "0123456789abcdef"


class Stream(NamedTuple):
    """Chance during play: a secret of the setup, and how many draws there were.

    It is a part of the position and one field of its text, ``SEED:COUNT``, in which a player sees
    ``?`` for the seed. The same draws come again when a match is replayed, and nobody can know the
    next one.

    >>> stream = Stream.of(7)
    >>> stream.draw(6), stream.text(), stream.text(hidden=True)
    ((1, Stream(seed=7, drawn=1)), '7:0', '?:0')
    """

    seed: int
    drawn: int = 0

    @classmethod
    def of(cls, seed: int) -> Stream:
        """Return the stream of a deal, before any draw."""
        return cls(seed)

    @classmethod
    def read(cls, field: str) -> Stream:
        """Return the stream of a field that ``text`` has written; raises ``BadSetup``."""
        word, _, number = field.partition(":")
        count = natural(number)
        seed = int(word, 16) if word and len(word) <= 16 and not {*word} - {*_HEX} else 0
        if count is None or f"{seed:x}" != word:
            raise BadSetup("expected draws to come as SEED:COUNT, such as 7f:0")
        return cls(seed, count)

    def text(self, *, hidden: bool = False) -> str:
        """Write the stream as a field."""
        return f"{'?' if hidden else f'{self.seed:x}'}:{self.drawn}"

    def draw(self, n: int) -> tuple[int, Stream]:
        """Return a number from 0 … n-1, each as likely, and the stream after it; n >= 1."""
        from hashlib import sha256  # 1 ms

        count, most = self.drawn, (1 << 256) // n * n
        while True:
            digest = sha256(f"{self.seed:x}:{count}".encode()).digest()
            count += 1
            if (value := int.from_bytes(digest, "big")) < most:
                return value % n, Stream(self.seed, count)

    @staticmethod
    def other(rng: random.Random) -> str:
        """Return a secret to put in the place of the ``?``, for ``sample_state``."""
        return f"{rng.getrandbits(64):x}"


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
