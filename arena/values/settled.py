"""Which matches of a schedule are settled: a bitmap of their numbers, and its complete prefix."""

from __future__ import annotations

from collections.abc import Iterable


class Settled:
    """A set of schedule numbers, in one bit each: 125 kB for a million matches.

    Attributes:
        prefix: where ``advance`` found the first number that is missing.
    """

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        """Begin with some numbers; those of a ``range`` from 0 take no time."""
        self.prefix = 0
        self._bits = bytearray()
        self._count = 0
        if isinstance(numbers, range) and numbers[:1] == range(1):
            self._count = len(numbers) & ~7
            self._bits.extend(b"\xff" * (self._count >> 3))
            numbers = numbers[self._count :]
        for number in numbers:
            self.add(number)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, number: int) -> bool:
        place = number >> 3
        return place < len(self._bits) and bool(self._bits[place] >> (number & 7) & 1)

    def add(self, number: int) -> None:
        """Settle a match."""
        place, bit = number >> 3, 1 << (number & 7)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        if not self._bits[place] & bit:
            self._bits[place] |= bit
            self._count += 1

    def advance(self) -> int:
        """Move ``prefix`` on to the first number that is missing, and return it.

        >>> settled = Settled([0, 1, 3])
        >>> settled.advance()
        2
        """
        bits, place = self._bits, self.prefix >> 3
        while place < len(bits) and bits[place] == 0xFF:  # whole bytes, which most are
            place += 1
        self.prefix = max(self.prefix, place << 3)
        while self.prefix in self:
            self.prefix += 1
        return self.prefix
