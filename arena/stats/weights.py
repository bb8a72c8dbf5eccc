"""Which matches have weight: copies of a deal have none while no bot shows any chance.

Programs without chance play a deal in one way every time: a hundred copies of a match say no more
than one. Programs with chance play it in several ways, and then every match says something, the
usual way as well as the rare ones: to drop only what repeats would measure them by their rare
matches. So copies have no weight as long as the entrants who meet have never played one deal from
the same seats in two ways, and all of them have from the first time on, the earlier ones too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Generic, TypeVar

_WAY_BITS = 24  # of a play, for the way a deal was played; the other 40 are for the deal
_WAYS = (1 << _WAY_BITS) - 1
MANY = 10_000  # plays of different deals, after which none is expected to come again

K = TypeVar("K", bound=Hashable)


def moves_hash(deal: str, way: str) -> int:
    """Return a signed 64-bit number for what was played: a hash of the deal, and one of the way.

    Args:
        deal: the game, the setup and the opening.
        way: what was done from there on.
    """
    number = _hash(deal, 8 - _WAY_BITS // 8) << _WAY_BITS
    return number | (_hash(way, _WAY_BITS // 8) & _WAYS)


def deal_of(play: int) -> int:
    """Return the part of a ``moves_hash`` that is equal for all plays of one deal."""
    return play >> _WAY_BITS


@lru_cache(maxsize=1 << 16)
def seated(seats: tuple[str, ...]) -> int:
    """Return what a play is xored with to make the deal one of these seats: who sits in each."""
    return _hash("\n".join(seats), 8 - _WAY_BITS // 8) << _WAY_BITS


@dataclass(slots=True)
class Weights(Generic[K]):
    """The blocks of some entrants in one game, by kind: those with weight, and copies.

    Attributes:
        counts: how many blocks of each kind have weight.
        copies: how many have none, as all their matches are copies.
        known: by every deal and seats, what was played; ``None`` once a deal was played in two
            ways. Where ``MANY`` are known and no block was a copy, no more are remembered.
        deal: the first deal, whatever the seats; ``None`` once there was another.
    """

    counts: dict[K, int] = field(default_factory=dict)
    copies: dict[K, int] = field(default_factory=dict)
    known: dict[int, int] | None = field(default_factory=dict)
    deal: int | None = 0

    @property
    def same_deal(self) -> int:
        """How many blocks with weight there are of one and the same deal."""
        return sum(self.counts.values()) if self.known is None and self.deal is not None else 0

    def add(self, kind: K, matches: Iterable[tuple[Any, int, int]]) -> bool:
        """Take in the next complete block, and return whether it has weight.

        A block with a match that is no copy counts whole: a block is the unit of fairness.

        Args:
            kind: of the block.
            matches: of each match anything, what was played, and ``seated`` of who sat where.
        """
        known, new = self.known, self.known is None
        if self.deal is not None or known is not None:
            for _, play, seats in matches:
                if self.deal != play >> _WAY_BITS:
                    self.deal = None if self.counts else play >> _WAY_BITS
                if known is None:
                    continue
                salted = play ^ seats
                before = known.get(salted >> _WAY_BITS)
                if before is None:
                    new = True
                    if len(known) < MANY or self.copies:
                        known[salted >> _WAY_BITS] = salted
                elif before != salted:
                    self._vary()
                    known, new = None, True
        counts = self.counts if new else self.copies
        counts[kind] = counts.get(kind, 0) + 1
        return new

    def _vary(self) -> None:
        """Let every block count, from the first on."""
        self.known = None
        for kind, count in self.copies.items():
            self.counts[kind] = self.counts.get(kind, 0) + count
        self.copies = {}


def _hash(text: str, size: int) -> int:
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=size).digest()
    return int.from_bytes(digest, "big", signed=True)
