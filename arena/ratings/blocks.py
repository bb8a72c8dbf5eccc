"""Matches in schedule order → how often each kind of block was played.

A block is one deal in all its seatings, and counts once all its matches are there. A block all of
whose matches repeat matches of blocks that count, action by action, adds nothing: of two programs
that always play the same, a hundred copies of a game say no more than one. A block with a match
that is new counts whole, as a block is the unit of fairness.

A fold can be kept as text and gone on with later. What was played, by which repeats are found, is
kept apart (8 bytes a match) and read only when a new match comes.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import NamedTuple

from arena.ratings.intervals import Block
from arena.ratings.order_free import Outcome
from arena.tables import Played, Position

__all__ = ["Blocks", "fold_blocks", "outcome_of"]

_Part = tuple[Outcome, int]  # of a block: the outcome of a match, and what was played


class Blocks(NamedTuple):
    """A fold: the position of the last match in it, and the counts.

    Attributes:
        last: the position.
        counts: how often each kind of block counts.
        unfinished: per tournament and block, what is there of a block that lacks a match.
        weightless: how many matches belong to blocks that add nothing.
        plays: what was played in blocks that count.
    """

    last: Position | None = None
    counts: Mapping[Block, int] = MappingProxyType({})
    unfinished: Mapping[tuple[int, str], tuple[_Part, ...]] = MappingProxyType({})
    weightless: int = 0
    plays: frozenset[int] = frozenset()

    def to_text(self) -> str:
        """Write the fold without what was played; ``from_text`` gives it back."""
        names: dict[str, int] = {}
        outcomes: dict[Outcome, int] = {}

        def number(outcome: Outcome) -> int:
            for name in outcome[0]:
                names.setdefault(name, len(names))
            return outcomes.setdefault(outcome, len(outcomes))

        counts = [[count, *map(number, block)] for block, count in sorted(self.counts.items())]
        unfinished = [
            [*key, [[number(outcome), play] for outcome, play in parts]]
            for key, parts in sorted(self.unfinished.items())
        ]
        saved = {
            "last": self.last,
            "names": list(names),
            "outcomes": [[[names[name] for name in who], ranks] for who, ranks in outcomes],
            "counts": counts,
            "unfinished": unfinished,
            "weightless": self.weightless,
        }
        return json.dumps(saved, separators=(",", ":"))

    def to_bytes(self) -> bytes:
        """Write what was played; ``load`` gives it back."""
        return array("q", sorted(self.plays)).tobytes()

    def load(self, plays: bytes) -> Blocks:
        """Return the fold with what was played, as it must be to go on."""
        return self._replace(plays=frozenset(array("q", plays)))

    @staticmethod
    def from_text(text: str) -> Blocks:
        """Read a fold without what was played."""
        saved = json.loads(text)
        names, last = saved["names"], saved["last"]
        outcomes: list[Outcome] = [
            (tuple([names[name] for name in who]), tuple(ranks)) for who, ranks in saved["outcomes"]
        ]
        return Blocks(
            None if last is None else (last[0], last[1]),
            {tuple([outcomes[o] for o in block]): count for count, *block in saved["counts"]},
            {
                (owner, block): tuple([(outcomes[o], play) for o, play in parts])
                for owner, block, parts in saved["unfinished"]
            },
            saved["weightless"],
        )

    def digest(self) -> str:
        """Return a text that is equal for equal counts, and for no others."""
        lines = "\n".join([f"{count} {block!r}" for block, count in sorted(self.counts.items())])
        return blake2b(lines.encode(), digest_size=16).hexdigest()


def outcome_of(names: tuple[str, ...], ranks: tuple[int, ...]) -> Outcome:
    """Return the outcome of a match: its entrants, best first, and their ranks.

    >>> outcome_of(("oak", "elm"), (2, 1))
    (('elm', 'oak'), (1, 2))
    """
    ranked = sorted(zip(ranks, names, strict=True))
    return tuple([name for _, name in ranked]), tuple([rank for rank, _ in ranked])


def fold_blocks(results: Iterable[Played], start: Blocks | None = None) -> Blocks:
    """Go on from ``start``, loaded, with more matches, which must come in schedule order."""
    start = start or Blocks()
    counts = dict(start.counts)
    unfinished = dict(start.unfinished)
    weightless, last = start.weightless, start.last
    plays: set[int] | None = None
    outcomes: dict[tuple[tuple[str, ...], tuple[int, ...]], tuple[Outcome, int]] = {}
    kinds: dict[Block, Block] = {}
    for last, block, names, ranks, play in results:  # kept
        known = outcomes.get((names, ranks))
        if known is None:
            known = outcomes[names, ranks] = outcome_of(names, ranks), _salt(names)
        outcome, salt = known
        parts: tuple[_Part, ...] = ((outcome, play ^ salt),)
        key = last[0], block
        if len(names) > 1:
            parts = (*unfinished.pop(key, ()), *parts)
            if len(parts) < len(names):
                unfinished[key] = parts
                continue
        if plays is None:
            plays = set(start.plays)
        before = len(plays)
        plays.update([play for _, play in parts])
        if len(plays) == before:
            weightless += len(parts)
            continue
        found = tuple([outcome for outcome, _ in parts])
        kind = kinds.get(found)
        if kind is None:
            kind = kinds[found] = tuple(sorted(found))
        counts[kind] = counts.get(kind, 0) + 1
    return Blocks(
        *(last, counts, unfinished, weightless),
        start.plays if plays is None else frozenset(plays),
    )


def _salt(names: tuple[str, ...]) -> int:
    """Return a number that tells apart entrants of one name: a play knows them by name only."""
    digest = blake2b("\n".join(names).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
