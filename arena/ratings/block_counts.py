"""Matches in schedule order → how often each kind of block was played.

A block is one deal in all its seatings, and counts once all its matches are there. Which blocks
have weight, as they are no copies of others, is asked of each pairing for itself, in each game:
``arena.stats.weights`` says it.

A fold can be kept and gone on with later. How pairings without chance played their deals takes 8
bytes for each different match; where no deal comes twice, that is left out once there is much of
it.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from arena.ratings.likelihoods import Block
from arena.ratings.order_free import Outcome
from arena.stats.weights import Weights, seated
from arena.values.tables import MatchRow, Position

_Part = tuple[Outcome, int, int]  # of a block: a match's outcome, what was played, and the seats
_Pairing = tuple[str, tuple[str, ...]]  # the game, and who meets, in the order of names

_MANY = 10_000  # plays known in a game; then it is asked whether its deals come again


class BlockCounts(NamedTuple):
    """A fold: the position of the last match in it, and what was counted.

    Attributes:
        last: the position.
        pairings: per game and entrants who met, their whole blocks.
        unfinished: per tournament and block, what is there of a block that lacks a match.
    """

    last: Position | None = None
    pairings: Mapping[_Pairing, Weights[Block]] = MappingProxyType({})
    unfinished: Mapping[tuple[int, str], tuple[_Part, ...]] = MappingProxyType({})

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
        names: dict[str, int] = {}
        outcomes: dict[Outcome, int] = {}

        def number(outcome: Outcome) -> int:
            for name in outcome[0]:
                names.setdefault(name, len(names))
            return outcomes.setdefault(outcome, len(outcomes))

        def listed(counts: Mapping[Block, int]) -> list[list[int]]:
            return [[count, *map(number, kind)] for kind, count in sorted(counts.items())]

        plays = array("q")
        pairings = []
        for (game, who), pairing in sorted(self.pairings.items()):
            known = pairing.plays
            plays.extend(sorted(known))  # a set has them in the order in which they came
            size = None if pairing.known is None else len(known)
            seats = [names.setdefault(name, len(names)) for name in who]
            counts = listed(pairing.counts), listed(pairing.copies)
            pairings.append([game, seats, *counts, size, pairing.deal])
        unfinished = [
            [*key, [[number(outcome), *play] for outcome, *play in parts]]
            for key, parts in sorted(self.unfinished.items())
        ]
        saved = {
            "last": self.last,
            "names": list(names),
            "outcomes": [[[names[name] for name in who], ranks] for who, ranks in outcomes],
            "pairings": pairings,
            "unfinished": unfinished,
        }
        text = json.dumps(saved, separators=(",", ":"))  # has no line feed
        return text.encode() + b"\n" + plays.tobytes()

    @staticmethod
    def from_bytes(data: bytes) -> BlockCounts:
        """Read a fold."""
        text, _, tail = data.partition(b"\n")
        saved, plays = json.loads(text), array("q", tail)
        names, last = saved["names"], saved["last"]
        outcomes: list[Outcome] = [
            (tuple([names[name] for name in who]), tuple(ranks)) for who, ranks in saved["outcomes"]
        ]

        def counts(listed: Any) -> dict[Block, int]:
            return {tuple([outcomes[o] for o in kind]): count for count, *kind in listed}

        begin, pairings = 0, dict[_Pairing, Weights[Block]]()
        for game, who, some, copies, size, deal in saved["pairings"]:
            known = None if size is None else plays[begin : begin + size]
            key = game, tuple([names[name] for name in who])
            pairings[key] = Weights(counts(some), counts(copies), known, deal)
            begin += size or 0
        unfinished = {
            (owner, block): tuple([(outcomes[o], play, seats) for o, play, seats in parts])
            for owner, block, parts in saved["unfinished"]
        }
        return BlockCounts(None if last is None else (last[0], last[1]), pairings, unfinished)


def outcome_of(names: tuple[str, ...], ranks: tuple[int, ...]) -> Outcome:
    """Return the outcome of a match: its entrants, best first, and their ranks.

    >>> outcome_of(("oak", "elm"), (2, 1))
    (('elm', 'oak'), (1, 2))
    """
    ranked = sorted(zip(ranks, names, strict=True))
    return tuple([name for _, name in ranked]), tuple([rank for rank, _ in ranked])


def fold_blocks(
    results: Iterable[MatchRow],
    start: BlockCounts | None = None,
    *,
    is_dealt_once: Callable[[int, str], bool] = lambda tournament, game: False,
    in_place: bool = False,
) -> BlockCounts:
    """Go on from a fold with more matches.

    Args:
        results: the matches, in schedule order.
        start: the fold.
        is_dealt_once: whether no deal of a game comes twice in a tournament; asked only of games
            of which much is known.
        in_place: whether the fold that is gone on with may be changed, as nobody needs it any more.
    """
    start = start or BlockCounts()
    pairings = dict(start.pairings)
    unfinished = dict(start.unfinished)
    # ours to change
    last, ours = start.last, dict(pairings) if in_place else dict[_Pairing, Weights[Block]]()
    known = _KnownPlays(pairings, is_dealt_once)
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
        found = tuple([part[0] for part in parts])
        kind = kinds.get(found)
        if kind is None:
            kind = kinds[found] = tuple(sorted(found))
        game = block.partition("|")[0]
        pairing = ours.get((game, who))
        if pairing is None:
            one = game, who
            pairing = pairings[one].again() if one in pairings else Weights()
            pairings[one] = ours[one] = pairing
        before = pairing.size
        new = pairing.add(kind, parts, before is None or known.grows(last[0], game))
        if new and before is not None:
            known.add(game, (pairing.size or 0) - before)
    return BlockCounts(last, pairings, unfinished)


class _KnownPlays:
    """How many plays are known in each game, and whether there are to be more."""

    def __init__(
        self,
        pairings: Mapping[_Pairing, Weights[Block]],
        is_dealt_once: Callable[[int, str], bool],
    ) -> None:
        self._ask = is_dealt_once
        self._known: dict[str, int] = {}
        self._once: dict[tuple[int, str], bool] = {}
        for (game, _), pairing in pairings.items():
            self.add(game, pairing.size or 0)

    def add(self, game: str, plays: int) -> None:
        """Count more plays of a game, or less."""
        self._known[game] = self._known.get(game, 0) + plays

    def grows(self, tournament: int, game: str) -> bool:
        """Return whether to take note of more plays of a game."""
        if self._known.get(game, 0) < _MANY:
            return True
        once = self._once.get((tournament, game))
        if once is None:
            once = self._once[tournament, game] = self._ask(tournament, game)
        return not once
