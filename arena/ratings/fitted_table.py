"""The order-free table: ratings and how sure they are; written as text and read again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import erf, log, pi, sqrt
from types import MappingProxyType
from typing import NamedTuple

from arena.ratings.closed_form import BETA, MU
from arena.values.tables import Rating, Unexpected

CENTRE = 1500.0  # Elo of the mean that all are measured from
WIDTH = 1.959964  # standard deviations on either side of the mean that hold 95 % of a normal law
# the two curves of expected points, Phi(x / (sqrt(2) beta)) and 1 / (1 + 10 ** (-x / 400)), have
# the same slope between equal players
ELO_PER_MU = 1600.0 / (log(10.0) * 2.0 * sqrt(pi) * BETA)

_UNKNOWN = 392.0**2  # the variance of a bot's Elo about whom nothing is known: the prior's


def elo(mu: float, zero: float = MU) -> float:
    """Return a skill on Elo's scale, where ``zero`` has 1500.

    >>> elo(25.0)
    1500.0
    """
    return CENTRE + ELO_PER_MU * (mu - zero)


class Intervals(NamedTuple):
    """How sure a table is, in Elo above the mean of those that are compared: see ``bounds``.

    Attributes:
        place: each bot's place in what follows.
        reach: per bot, how far its 95 % interval reaches down and up; ``None``: without an end.
        least: per bot, how far it reaches at least, whatever it is measured from; 0 where both ends
            are known.
        variances: how much each varies.
        shared: per bot, what its errors have in common with those of each bot before it (their
            covariance); nothing in large tables, where each is taken by itself.
    """

    place: Mapping[str, int] = MappingProxyType({})
    variances: Sequence[float] = ()
    shared: Sequence[Sequence[float]] = ()
    reach: Sequence[tuple[float | None, float | None]] = ()
    least: Sequence[float] = ()

    @property
    def group(self) -> tuple[str, ...]:
        """The bots that are bounded on both sides, whose mean the others are compared with.

        There are none where points did not go both ways between any two.
        """
        both = [None not in ends for ends in self.reach]
        return tuple([name for name, place in self.place.items() if both[place]])

    def ends(
        self, name: str, score: float, anchor: str | None = None
    ) -> tuple[float | None, float | None]:
        """Return the ends of the 95 % interval of a bot's Elo; ``None`` where nothing bounds it.

        Args:
            name: the bot.
            score: its Elo.
            anchor: one of the ``group``: the interval is that of the difference to it.
        """
        down, up = self.reach[self.place[name]] if name in self.place else (None, None)
        if anchor is not None and name in self.place:
            by = 0.0 if name == anchor else WIDTH * sqrt(self._variance_between(name, anchor))
            by = max(by, self.least[self.place[name]])
            down, up = (None if end is None else by for end in (down, up))
        return None if down is None else score - down, None if up is None else score + up

    def superiority(self, name: str, other: str, gap: float) -> float:
        """Return the likelihood (0 to 1) that a bot is stronger than another.

        Args:
            name: the one.
            other: the other.
            gap: the Elo that the one is ahead in the table.
        """
        return 0.5 + 0.5 * erf(gap / sqrt(2.0 * self._variance_between(name, other)))

    def _variance_between(self, name: str, other: str) -> float:
        both = self._variance(name) + self._variance(other)
        if self.shared and name in self.place and other in self.place:
            first, last = sorted((self.place[name], self.place[other]))
            both -= 2.0 * self.shared[last][first]
        return both

    def _variance(self, name: str) -> float:
        place = self.place.get(name)
        return _UNKNOWN if place is None else self.variances[place]


class Table(NamedTuple):
    """An order-free table; a bot that is not in it has the rating of a beginner.

    Attributes:
        ratings: each bot's.
        sure: how sure that is.
        weightless: matches that add nothing, since all of their block repeats others.
        same_deal: matches of bots with chance that have played one deal only.
        unexpected: pairs whose results are too unlikely to be chance.
    """

    ratings: Mapping[str, Rating] = MappingProxyType({})
    sure: Intervals = Intervals()
    weightless: int = 0
    same_deal: int = 0
    unexpected: tuple[Unexpected, ...] = ()

    @property
    def zero(self) -> float:
        """The skill that has 1500: the mean of the ``group``, or of all where there is none."""
        group = self.sure.group
        if len(group) in (0, len(self.ratings)):  # the prior keeps the mean of all where it is
            return MU
        return sum([self.ratings[name].mu for name in group]) / len(group)

    def to_text(self) -> str:
        """Write the table; ``from_text`` gives it back."""
        return json.dumps(self, separators=(",", ":"))

    @staticmethod
    def from_text(text: str | bytes) -> Table:
        """Read a table."""
        ratings, sure, weightless, same_deal, unexpected = json.loads(text)
        place, variances, shared, reach, least = sure
        known = {name: Rating(*rating) for name, rating in ratings.items()}
        pairs = tuple([Unexpected(*pair) for pair in unexpected])
        return Table(
            known, Intervals(place, variances, shared, reach, least), weightless, same_deal, pairs
        )
