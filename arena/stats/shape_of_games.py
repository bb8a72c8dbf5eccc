"""What matches looked like, action by action → what a game is like to play, summed up.

Everything is plain description: how long games are, how many actions there are to choose from as a
game goes on, whether the lead changes, how games end, and what a first action was worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil
from statistics import quantiles
from typing import NamedTuple

from arena.stats.scores import match_score

MOMENTS = 24  # at most, at which choices are shown
NOBODY = -1  # leads


class PlayedMatch(NamedTuple):
    """One finished match, as far as balance is concerned.

    Attributes:
        block: the number of its deal.
        seats: for each seat what identifies its bot, such as the hash of its program.
        ranks: seat by seat, 1 for the winner; equal ranks share a place.
        moves_hash: ``weights.moves_hash``: equal for copies.
        choices: how many actions were legal, action by action, those of the opening included.
        kinds: how many of its actions were of each kind.
        scores: the final scores, if the rules ended the game.
        leaders: who alone had the best score after each action; ``NOBODY``: it was shared, or it is
            a game for one.
        by: why it ended.
        first: the first action; empty: there was none.
        mover: its player.
    """

    block: int
    seats: tuple[str, ...]
    ranks: tuple[int, ...]
    moves_hash: int
    choices: tuple[int, ...]
    kinds: Mapping[str, int]
    scores: tuple[float, ...] | None = None
    leaders: tuple[int, ...] = ()
    by: str = "rules"
    first: str = ""
    mover: int = 0

    @property
    def winner(self) -> int | None:
        """The single winner."""
        return self.ranks.index(1) if self.ranks.count(1) == 1 else None


class Spread(NamedTuple):
    """How numbers are spread; a quarter of them is below ``lower``, and one above ``upper``."""

    least: float
    lower: float
    median: float
    upper: float
    most: float


class Moment(NamedTuple):
    """The actions from number ``at`` (the first is 1) on, up to the next moment's.

    ``choices`` is the mean number of legal actions, ``forced`` the share with a single one.
    """

    at: int
    choices: float
    forced: float


class FirstAction(NamedTuple):
    """A first action, how often it was played, and its mean worth (0 to 1) to its player."""

    action: str
    games: int
    worth: float


class Shape(NamedTuple):
    """What a game is like to play.

    Attributes:
        length: actions a game.
        lengths: actions a game, and how many games had so many, the shortest first.
        forced: the share of actions that were the only legal one.
        moments: choices as the game goes on.
        lead_changes: how often the lead passes to another player, the mean of all games; ``None``:
            the game has no scores before its end.
        comebacks: the share of decided games whose winner was behind when half of the actions were
            played; ``None`` as for ``lead_changes``, or no game was decided.
        margins: by how much the best score was better; ``None``: no game has a second one.
        ends: how many games ended why, the most frequent first.
        first_actions: the most frequent first.
    """

    length: Spread
    lengths: tuple[tuple[int, int], ...]
    forced: float
    moments: tuple[Moment, ...]
    lead_changes: float | None
    comebacks: float | None
    margins: Spread | None
    ends: tuple[tuple[str, int], ...]
    first_actions: tuple[FirstAction, ...]


def spread(values: Sequence[float]) -> Spread:
    """Return least, quartiles and most; between two values a quartile lies in proportion.

    >>> spread([1, 2, 3, 4])
    Spread(least=1.0, lower=1.75, median=2.5, upper=3.25, most=4.0)
    """
    several = values if len(values) > 1 else [*values, *values]
    lower, median, upper = quantiles(several, n=4, method="inclusive")
    return Spread(float(min(values)), lower, median, upper, float(max(values)))


def shape_of(matches: Sequence[PlayedMatch]) -> Shape:
    """Return what some matches looked like, at least one."""
    lengths = [len(match.choices) for match in matches]
    choices = [count for match in matches for count in match.choices]
    running = any(who != NOBODY for match in matches for who in match.leaders[:-1])
    decided = [match for match in matches if match.winner is not None]
    best = [sorted(match.scores or (), reverse=True)[:2] for match in matches]
    margins = [one[0] - one[1] for one in best if len(one) == 2]
    ends = Counter(match.by for match in matches)
    return Shape(
        length=spread(lengths),
        lengths=tuple(sorted(Counter(lengths).items())),
        forced=_forced(choices),
        moments=_moments(matches, max(lengths)),
        lead_changes=sum(map(_changes, matches)) / len(matches) if running else None,
        comebacks=sum(map(_came_back, decided)) / len(decided) if running and decided else None,
        margins=spread(margins) if margins else None,
        ends=tuple(sorted(ends.items(), key=lambda item: (-item[1], item[0]))),
        first_actions=_first_actions(matches),
    )


def _forced(choices: Sequence[int]) -> float:
    return sum(count == 1 for count in choices) / len(choices) if choices else 0.0


def _moments(matches: Sequence[PlayedMatch], longest: int) -> tuple[Moment, ...]:
    step = max(1, ceil(longest / MOMENTS))
    found = []
    for start in range(0, longest, step):
        counts = [count for match in matches for count in match.choices[start : start + step]]
        found.append(Moment(start + 1, sum(counts) / len(counts), _forced(counts)))
    return tuple(found)


def _changes(match: PlayedMatch) -> int:
    leaders = [who for who in match.leaders if who != NOBODY]
    return sum(one != other for one, other in pairwise(leaders))


def _came_back(match: PlayedMatch) -> bool:
    half = match.leaders[(len(match.leaders) - 1) // 2] if match.leaders else NOBODY
    return half not in (NOBODY, match.winner)


def _first_actions(matches: Sequence[PlayedMatch]) -> tuple[FirstAction, ...]:
    worths: dict[str, list[float]] = {}
    for match in matches:
        if match.first:
            worth = float(match_score(match.ranks, match.mover)) if len(match.ranks) > 1 else 0.0
            worths.setdefault(match.first, []).append(worth)
    found = [FirstAction(a, len(each), sum(each) / len(each)) for a, each in worths.items()]
    return tuple(sorted(found, key=lambda first: (-first.games, first.action)))
