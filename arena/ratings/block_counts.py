"""Matches in schedule order → how often each kind of block was played.

A block is one deal in all its seatings, and counts once all its matches are there. Which blocks
have weight, as they are no copies of others, is asked of each pairing for itself, in each game:
``arena.stats.weights`` says it.

A fold can be kept and gone on with later. How pairings without chance played their deals takes 8
bytes for each different match, of which only so many are remembered.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.ratings.likelihoods import Block
from arena.ratings.order_free import Outcome
from arena.stats.weights import Weights, deal_of, seated
from arena.values.tables import MatchRow, Position

_Part = tuple[Outcome, int, int]  # of a block: a match's outcome, what was played, and the seats
_Pairing = tuple[str, tuple[str, ...]]  # the game, and who meets, in the order of names


@dataclass(slots=True)
class BlockCounts:
    """A fold: the position of the last match in it, and what was counted.

    Attributes:
        last: the position.
        pairings: per game and entrants who met, their whole blocks.
        unfinished: per tournament and block, what is there of a block that lacks a match.
    """

    last: Position | None = None
    pairings: dict[_Pairing, Weights[Block]] = field(default_factory=dict)
    unfinished: dict[tuple[int, str], tuple[_Part, ...]] = field(default_factory=dict)

    @property
    def counts(self) -> dict[Block, int]:
        """How often each kind of block counts."""
        found: dict[Block, int] = {}
        for pairing in self.pairings.values():
            for kind, count in pairing.counts.items():
                found[kind] = found.get(kind, 0) + count
        return found

    @property
    def weightless(self) -> int:
        """How many matches belong to blocks without weight."""
        return sum(
            len(kind) * count
            for pairing in self.pairings.values()
            for kind, count in pairing.copies.items()
        )

    @property
    def same_deal(self) -> int:
        """How many matches are of pairings with chance that all had one deal only."""
        return sum(len(names) * pairing.same_deal for (_, names), pairing in self.pairings.items())

    def to_bytes(self) -> bytes:
        """Write the fold; ``from_bytes`` gives it back."""
        plays = array("q")
        pairings = []
        for (game, who), pairing in sorted(self.pairings.items()):
            known = pairing.known
            # in order, as they may have come in any
            plays.extend(sorted((known or {}).values()))
            size = None if known is None else len(known)
            counts = _listed(who, pairing.counts), _listed(who, pairing.copies)
            pairings.append([game, who, *counts, size, pairing.deal])
        unfinished = [[*key, parts] for key, parts in sorted(self.unfinished.items())]
        saved = {"last": self.last, "pairings": pairings, "unfinished": unfinished}
        text = json.dumps(saved, separators=(",", ":"))  # has no line feed
        return text.encode() + b"\n" + plays.tobytes()

    @staticmethod
    def from_bytes(data: bytes) -> BlockCounts:
        """Read a fold."""
        text, _, tail = data.partition(b"\n")
        saved, plays = json.loads(text), array("q", tail)
        begin, pairings = 0, dict[_Pairing, Weights[Block]]()
        for game, names, counts, copies, size, deal in saved["pairings"]:
            who = tuple(names)
            some = plays[begin : begin + (size or 0)]
            known = None if size is None else {deal_of(play): play for play in some}
            both = _counted(who, counts), _counted(who, copies)
            pairings[game, who] = Weights(*both, known, deal)
            begin += len(some)
        unfinished = {
            (owner, block): tuple(
                [((tuple(who), tuple(ranks)), *play) for (who, ranks), *play in parts]
            )
            for owner, block, parts in saved["unfinished"]
        }
        last = saved["last"]
        return BlockCounts(None if last is None else (last[0], last[1]), pairings, unfinished)


def _listed(who: tuple[str, ...], counts: Mapping[Block, int]) -> list[list[Any]]:
    """Write each kind of block as its count, and the ranks in each match in the order of names."""
    found = []
    for kind, count in sorted(counts.items()):
        matches = [dict(zip(*outcome, strict=True)) for outcome in kind]
        found.append([count, *[[ranks[name] for name in who] for ranks in matches]])
    return found


def _counted(who: tuple[str, ...], listed: Any) -> dict[Block, int]:
    """Read what ``_listed`` wrote."""
    return {tuple([outcome_of(who, ranks) for ranks in kind]): count for count, *kind in listed}


def outcome_of(names: tuple[str, ...], ranks: Sequence[int]) -> Outcome:
    """Return the outcome of a match: its entrants, best first, and their ranks.

    >>> outcome_of(("oak", "elm"), (2, 1))
    (('elm', 'oak'), (1, 2))
    """
    ranked = sorted(zip(ranks, names, strict=True))
    return tuple([name for _, name in ranked]), tuple([rank for rank, _ in ranked])


def fold_blocks(results: Iterable[MatchRow], start: BlockCounts | None = None) -> BlockCounts:
    """Go on from ``start``, which is used up, with more matches in schedule order."""
    found = start or BlockCounts()
    last, pairings, unfinished = found.last, found.pairings, found.unfinished
    outcomes: dict[tuple[tuple[str, ...], tuple[int, ...]], tuple[Outcome, int, tuple[str, ...]]]
    outcomes, kinds = {}, dict[tuple[Outcome, ...], Block]()
    for last, names, ranks, _, _, _, _, block, play, *_ in results:  # kept
        met = outcomes.get((names, ranks))
        if met is None:
            met = outcome_of(names, ranks), seated(names), tuple(sorted(names))
            outcomes[names, ranks] = met
        outcome, seats, who = met
        parts: tuple[_Part, ...] = ((outcome, play, seats),)
        if len(names) > 1:
            key = last[0], block
            parts = unfinished.pop(key, ()) + parts
            if len(parts) < len(names):
                unfinished[key] = parts
                continue
        played = tuple([part[0] for part in parts])
        kind = kinds.get(played)
        if kind is None:
            kind = kinds[played] = tuple(sorted(played))
        one = block.partition("|")[0], who
        pairing = pairings.get(one)
        if pairing is None:
            pairing = pairings[one] = Weights()
        pairing.add(kind, parts)
    found.last = last
    return found
