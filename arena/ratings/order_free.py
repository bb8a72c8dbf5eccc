"""Results in any order → ratings: TrueSkill without time, settled over all results at once.

Every result is a factor between the skills of those who met, and expectation propagation goes
round the factors until nothing moves (Herbrich, Minka and Graepel, "TrueSkill", 2006; Dangauthier
and others, "TrueSkill Through Time", 2008, with skills that do not change). Equal results have
equal messages in the end, so each kind of result is computed once and has a count: the cost does
not grow with the number of matches.

A factor's message to a player is kept as a precision and as a force, which is the slope of the
factor's likelihood. Forces within a factor add up to 0, so the means settle where the forces on
every player balance the pull of the prior. That is one sparse linear system a step, solved by
conjugate gradients: some ten steps where sweeping over the factors takes thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import log, pi, sqrt

from arena.model import Rating
from arena.ratings.closed_form import BETA, DEVIATION, MU, SIGMA
from arena.ratings.message_passing import hear_players
from arena.ratings.truncated import draw, draw_margin, win

__all__ = ["ELO_PER_MU", "OrderFree", "Outcome", "draw_rate", "elo", "fit"]

# those who met, and their ranks, best first; those who share a rank in the order of names
Outcome = tuple[tuple[str, ...], tuple[int, ...]]

CENTRE = 1500.0  # Elo of a player about whom nothing is known
# the two curves of expected points, Phi(x / (sqrt(2) beta)) and 1 / (1 + 10 ** (-x / 400)), have
# the same slope between equal players
ELO_PER_MU = 1600.0 / (log(10.0) * 2.0 * sqrt(pi) * BETA)

_SETTLED = 1e-6  # of mu, and of the precision relative to itself
_STEPS = 1000
_LONGEST = BETA  # one step of mu, as far out the slopes say little
_TWO_BETA_SQUARE = 2.0 * BETA * BETA
_PRIOR_P = 1.0 / (SIGMA * SIGMA)
_LEAST_SHARE = 0.2  # of the way to a new precision that one step goes
_SLOW = 0.8  # a step that is not shorter than this, relative to the last one, went too far
_SOLVED = 1e-6  # of a linear system's error, squared and relative


def elo(mu: float) -> float:
    """Return a skill on Elo's scale, where 1500 is a player about whom nothing is known.

    >>> elo(25.0)
    1500.0
    """
    return CENTRE + ELO_PER_MU * (mu - MU)


def draw_rate(counts: Mapping[Outcome, float]) -> float:
    """Return the share of neighbours in a result that share a rank: 0 to 1, 0 of no results."""
    ties = total = 0.0
    for (_, ranks), count in counts.items():
        ties += count * sum(better == worse for better, worse in pairwise(ranks))
        total += count * (len(ranks) - 1)
    return ties / total if total else 0.0


def fit(
    counts: Mapping[Outcome, float],
    draw_probability: float | None = None,
    start: Mapping[str, Rating] | None = None,
) -> dict[str, Rating]:
    """Return the rating of everybody who met somebody.

    Args:
        counts: how often each outcome was; those with a count of 0 are left out.
        draw_probability: of two equal players, below 1; ``None``: the share of draws in ``counts``.
        start: where to begin, such as the fit of nearly the same counts; it changes the cost only.
    """
    return OrderFree(counts, draw_probability, start).ratings()


class OrderFree:
    """The factors of some outcomes, settled together.

    Attributes:
        names: everybody who met somebody, in the order of names.
        outcomes: those with a count above 0, in an order of their own.
        mu, precision: what is believed of each skill, in the order of ``names``.
    """

    def __init__(
        self,
        counts: Mapping[Outcome, float],
        draw_probability: float | None = None,
        start: Mapping[str, Rating] | None = None,
    ) -> None:
        """Settle; arguments as for ``fit``."""
        # in an order of their own, so that every float is the same however they came
        self.outcomes = sorted(outcome for outcome, count in counts.items() if count > 0.0)
        self.names = sorted({name for names, _ in self.outcomes for name in names})
        rate = draw_rate(counts) if draw_probability is None else draw_probability
        # with nothing but draws: a margin that nobody exceeds would say nothing at all
        self._margin = draw_margin(min(rate, 0.99), DEVIATION) if rate > 0.0 else 0.0
        index = {name: i for i, name in enumerate(self.names)}
        self._pairs: list[_Pair] = []
        self._groups: list[_Group] = []
        self._factors: list[_Pair | _Group] = []  # one an outcome
        for names, ranks in self.outcomes:
            players = tuple([index[name] for name in names])
            if len(players) == 2:
                judge = draw if ranks[0] == ranks[1] else win
                pair = _Pair(players[0], players[1], judge)
                self._pairs.append(pair)
                self._factors.append(pair)
            else:
                group = _Group(players, ranks)
                self._groups.append(group)
                self._factors.append(group)
        self._count(counts)
        self.mu = [start[name].mu if start and name in start else MU for name in self.names]
        self.precision = [_PRIOR_P] * len(self.names)
        self._settle()

    def ratings(self) -> dict[str, Rating]:
        """Return everybody's rating."""
        return {
            name: Rating(mean, sqrt(1.0 / p))
            for name, mean, p in zip(self.names, self.mu, self.precision, strict=True)
        }

    def means_with(self, counts: Mapping[Outcome, float], steps: int) -> list[float]:
        """Return what the means would be with other counts of the same outcomes.

        Args:
            counts: of outcomes that are in ``outcomes``; one that is left out has a count of 0.
            steps: to take from here; 1 is right to the first order of what changed.
        """
        kept = [factor.save() for factor in self._factors]
        self._count(counts)
        mu, precision = self.mu, self.precision
        for _ in range(steps):
            mu, precision, _ = self._step(mu, precision, 1.0)
        for factor, saved in zip(self._factors, kept, strict=True):
            factor.restore(saved)
        return mu

    def _count(self, counts: Mapping[Outcome, float]) -> None:
        for outcome, factor in zip(self.outcomes, self._factors, strict=True):
            factor.count = counts.get(outcome, 0.0)

    def _settle(self) -> None:
        share, before = 1.0, 0.0
        for step in range(_STEPS if self.names else 0):
            self.mu, self.precision, moved = self._step(self.mu, self.precision, share)
            if moved < _SETTLED:
                break
            if step > 2 and moved > _SLOW * before:
                share = max(_LEAST_SHARE, 0.7 * share)
            before = moved

    def _step(
        self, mu: list[float], precision: list[float], share: float
    ) -> tuple[list[float], list[float], float]:
        """Return the beliefs after each factor has spoken once, and how far they moved."""
        system = _System([_PRIOR_P * (MU - mean) for mean in mu])
        hears = [_PRIOR_P] * len(mu)
        self._hear_pairs(mu, precision, hears, system, share)
        self._hear_groups(mu, precision, hears, system, share)
        move = system.solve()
        longest = max(map(abs, move))
        scale = min(1.0, _LONGEST / longest) if longest else 1.0
        change = max([abs(new / old - 1.0) for new, old in zip(hears, precision, strict=True)])
        moved = max(longest, change)
        return [mean + scale * by for mean, by in zip(mu, move, strict=True)], hears, moved

    def _hear_pairs(
        self,
        mu: list[float],
        precision: list[float],
        hears: list[float],
        system: _System,
        share: float,
    ) -> None:
        """Let the factors of two players speak: ``rate_pair`` without time, and its slope."""
        margin, force_on, diagonal = self._margin, system.force, system.diagonal
        for pair in self._pairs:
            one, other, count = pair.one, pair.other, pair.count
            if not count:
                continue
            variance_one = 1.0 / (precision[one] - pair.p_one)
            variance_other = 1.0 / (precision[other] - pair.p_other)
            both = variance_one + variance_other
            c_square = both + _TWO_BETA_SQUARE
            c = sqrt(c_square)
            v, w = pair.judge((mu[one] - mu[other] - pair.force * both) / c, margin / c)
            slope = w / c_square
            # the force was part of what it is computed from: one step of Newton's
            stiff = 1.0 / (1.0 - slope * both)
            pair.force += (v / c - pair.force) * stiff
            pair.p_one += share * (w / (c_square - variance_one * w) - pair.p_one)
            pair.p_other += share * (w / (c_square - variance_other * w) - pair.p_other)
            hears[one] += count * pair.p_one
            hears[other] += count * pair.p_other
            force = count * pair.force
            force_on[one] += force
            force_on[other] -= force
            weight = count * slope * stiff
            diagonal[one] += weight
            diagonal[other] += weight
            system.edges.append((one, other, weight))

    def _hear_groups(
        self,
        mu: list[float],
        precision: list[float],
        hears: list[float],
        system: _System,
        share: float,
    ) -> None:
        """Let the factors of more than two players speak."""
        for group in self._groups:
            count = group.count
            if not count:
                continue
            cavities = [
                precision[player] - p for player, p in zip(group.players, group.p, strict=True)
            ]
            skills = [
                (mu[player] - force / cavity, 1.0 / cavity)
                for player, cavity, force in zip(group.players, cavities, group.force, strict=True)
            ]
            heard = hear_players(skills, group.ranks, self._margin)
            for place, ((p, w), (mean, _)) in enumerate(zip(heard, skills, strict=True)):
                cavity = cavities[place]
                # how far the posterior is from the cavity, times the cavity's precision
                group.force[place] = cavity * (w - p * mean) / (cavity + p)
                group.p[place] += share * (p - group.p[place])
                player = group.players[place]
                hears[player] += count * group.p[place]
                system.force[player] += count * group.force[place]
            # a guess at the slopes: the players pull at one unknown level, each by its precision
            total = sum(p for p, _ in heard)
            scale = count * len(heard) / (len(heard) - 1) / total if total > 0.0 else 0.0
            for place, (p, _) in enumerate(heard):
                one = group.players[place]
                for other, (q, _) in zip(group.players[:place], heard, strict=False):
                    weight = scale * p * q
                    system.diagonal[one] += weight
                    system.diagonal[other] += weight
                    system.edges.append((one, other, weight))


class _Pair:
    """An outcome of two players, with what it says to each; ``one`` won, or they drew."""

    __slots__ = ("count", "force", "judge", "one", "other", "p_one", "p_other")

    def __init__(
        self, one: int, other: int, judge: Callable[[float, float], tuple[float, float]]
    ) -> None:
        self.one, self.other, self.judge = one, other, judge
        self.count = self.force = self.p_one = self.p_other = 0.0

    def save(self) -> Sequence[float]:
        return self.count, self.force, self.p_one, self.p_other

    def restore(self, saved: Sequence[float]) -> None:
        self.count, self.force, self.p_one, self.p_other = saved


class _Group:
    """An outcome of more than two players, with what it says to each, best first."""

    __slots__ = ("count", "force", "p", "players", "ranks")

    def __init__(self, players: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self.players, self.ranks, self.count = players, ranks, 0.0
        self.force = [0.0] * len(players)
        self.p = [0.0] * len(players)

    def save(self) -> Sequence[float]:
        return self.count, *self.force, *self.p

    def restore(self, saved: Sequence[float]) -> None:
        self.count = saved[0]
        self.force[:] = saved[1 : 1 + len(self.players)]
        self.p[:] = saved[1 + len(self.players) :]


class _System:
    """Springs between players: where does everybody move, if these forces are to balance?"""

    __slots__ = ("diagonal", "edges", "force")

    def __init__(self, force: list[float]) -> None:
        self.force = force
        self.diagonal = [_PRIOR_P] * len(force)
        self.edges: list[tuple[int, int, float]] = []

    def solve(self) -> list[float]:
        """Return the moves, by conjugate gradients with the diagonal for a preconditioner."""
        diagonal, edges, rest = self.diagonal, self.edges, self.force
        moves = [0.0] * len(rest)
        ahead = [force / weight for force, weight in zip(rest, diagonal, strict=True)]
        error = sum(a * b for a, b in zip(rest, ahead, strict=True))
        enough = _SOLVED * error
        for _ in range(2 * len(rest) + 20):
            if error <= enough:
                break
            pull = [weight * by for weight, by in zip(diagonal, ahead, strict=True)]
            for one, other, weight in edges:
                pull[one] -= weight * ahead[other]
                pull[other] -= weight * ahead[one]
            length = error / sum(a * b for a, b in zip(ahead, pull, strict=True))
            moves = [by + length * a for by, a in zip(moves, ahead, strict=True)]
            rest = [force - length * a for force, a in zip(rest, pull, strict=True)]
            scaled = [force / weight for force, weight in zip(rest, diagonal, strict=True)]
            before, error = error, sum(a * b for a, b in zip(rest, scaled, strict=True))
            ahead = [a + error / before * b for a, b in zip(scaled, ahead, strict=True)]
        return moves
