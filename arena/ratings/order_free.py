"""Results in any order → ratings: TrueSkill without time, settled over all results at once.

Every result is a factor between the skills of those who met, and expectation propagation goes
round the factors until nothing moves (Herbrich, Minka and Graepel, "TrueSkill", 2006; Dangauthier
and others, "TrueSkill Through Time", 2008, with skills that do not change). Equal results have
equal messages in the end, so each kind of result is computed once and has a count: the cost does
not grow with the number of matches.

A factor's message to a player is kept as a precision and as a score, which is the slope of the
factor's likelihood. Scores within a factor add up to 0, so the means settle where the scores on
every player balance the pull of the prior. That is one sparse linear system a step (``hessian``):
some ten steps where sweeping over the factors takes thousands.

How often equal players draw is settled as well: the margin goes where the likelihood of all
results is highest. The share of draws would not do. Players who are not equal draw less often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import exp, log, sqrt

from arena.ratings.closed_form import BETA, DEVIATION, MU, SIGMA
from arena.ratings.hessian import Hessian, schur_of_chain
from arena.ratings.message_passing import match_messages
from arena.ratings.truncated import draw, draw_margin, margin_score, win
from arena.values.tables import Rating

# those who met, and their ranks, best first; those who share a rank in the order of names
Outcome = tuple[tuple[str, ...], tuple[int, ...]]

# of mu in points, of the precision and the margin relative to themselves; v and w are right to 1e-7
_SETTLED = 5e-7
_STEPS = 1000
_LONGEST = BETA  # one step of mu, as far out the slopes say little
_TWO_BETA_SQUARE = 2.0 * BETA * BETA
_PRIOR_P = 1.0 / (SIGMA * SIGMA)
_LEAST_SHARE = 0.2  # of the way to a new precision that one step goes
_SLOW = 0.8  # a step that is not shorter than this, relative to the last one, went too far
_MOST_DRAWS = 0.99  # with nothing but draws, a margin that nobody exceeds would say nothing


class OrderFree:
    """The factors of some outcomes, settled together.

    Attributes:
        names: everybody who met somebody, in the order of names.
        outcomes: those with a count above 0, in an order of their own.
        counts: how often each outcome was.
        mu, precision: what is believed of each skill, in the order of ``names``.
        margin: of performances within which players draw.
        steps: how many it took; ``moved``, how far the last one went.
    """

    def __init__(self, counts: Mapping[Outcome, float]) -> None:
        """Settle; ``counts`` says how often each outcome was, and those of 0 are left out."""
        # in an order of their own, so that every float is the same however they came
        self.outcomes = sorted(
            outcome  # alone there is nobody to be better than
            for outcome, count in counts.items()
            if count > 0.0 and len(outcome[0]) > 1
        )
        self.counts = [counts[outcome] for outcome in self.outcomes]
        self.names = sorted({name for names, _ in self.outcomes for name in names})
        index = {name: i for i, name in enumerate(self.names)}
        self._factors: list[_Pair | _ManyPlayers] = []  # one an outcome
        for (names, ranks), count in zip(self.outcomes, self.counts, strict=True):
            players = tuple([index[name] for name in names])
            kind = _Pair if len(players) == 2 else _ManyPlayers
            self._factors.append(kind(players, ranks, count))
        self._pairs = [factor for factor in self._factors if isinstance(factor, _Pair)]
        self._groups = [factor for factor in self._factors if isinstance(factor, _ManyPlayers)]
        self.mu = [MU] * len(self.names)
        self.precision = [_PRIOR_P] * len(self.names)
        rate = min(self._share_of_draws(), _MOST_DRAWS)
        self._widest = draw_margin(_MOST_DRAWS, DEVIATION)
        self.margin = draw_margin(rate, DEVIATION) if rate else 0.0
        self._last_way, self._pace = 0.0, 1.0
        self.steps, self.moved = 0, 0.0
        self._settle()

    def ratings(self) -> dict[str, Rating]:
        """Return the rating of each."""
        return {
            name: Rating(mean, sqrt(1.0 / p))
            for name, mean, p in zip(self.names, self.mu, self.precision, strict=True)
        }

    def scores(self) -> dict[Outcome, tuple[tuple[int, float], ...]]:
        """Return the score of one match of each outcome: ``(player, slope of log-likelihood)``.

        Players are indices of ``names``; the scores of an outcome add up to 0.
        """
        return {
            outcome: tuple(zip(factor.players, factor.scores(), strict=True))
            for outcome, factor in zip(self.outcomes, self._factors, strict=True)
        }

    def hessian(self) -> Hessian:
        """Return the curvature of the likelihood of all results at the means, without the prior."""
        hessian = Hessian([0.0] * len(self.names))
        self._step(1.0, hessian)
        return hessian

    def _share_of_draws(self) -> float:
        """Return the share of neighbours in a result that share a rank: where to begin."""
        ties = total = 0.0
        for (_, ranks), count in zip(self.outcomes, self.counts, strict=True):
            ties += count * sum(better == worse for better, worse in pairwise(ranks))
            total += count * (len(ranks) - 1)
        return ties / total if total else 0.0

    def _settle(self) -> None:
        share, before = 1.0, 0.0
        while self._factors and self.steps < _STEPS:
            hessian = Hessian([_PRIOR_P] * len(self.mu))
            precision, scores, margin = self._step(share, hessian)
            move = hessian.solve(scores)
            longest = max(map(abs, move))
            scale = min(1.0, _LONGEST / longest) if longest else 1.0
            changes = [
                abs(new / old - 1.0) for new, old in zip(precision, self.precision, strict=True)
            ]
            widened = abs(margin / self.margin - 1.0) if self.margin else 0.0
            self.mu = [mean + scale * by for mean, by in zip(self.mu, move, strict=True)]
            self.precision, self.margin = precision, margin
            self.steps += 1
            self.moved = max(longest, widened, *changes)
            if self.moved < _SETTLED:
                break
            if self.steps > 3 and self.moved > _SLOW * before:
                share = max(_LEAST_SHARE, 0.7 * share)
            before = self.moved

    def _step(self, share: float, hessian: Hessian) -> tuple[list[float], list[float], float]:
        """Update the messages of every factor once.

        Args:
            share: of the way to their new precisions that is taken: damping.
            hessian: to which they add their curvature.

        Returns:
            The new precisions, the scores on the means, and the new margin.
        """
        scores = [_PRIOR_P * (MU - mean) for mean in self.mu]
        messages = [_PRIOR_P] * len(self.mu)
        narrow, wide = self._update_pairs(messages, scores, hessian, share)
        group_narrow, group_wide = self._update_groups(messages, scores, hessian, share)
        narrow, wide = narrow + group_narrow, wide + group_wide
        return messages, scores, self._wider(wide / narrow) if narrow else self.margin

    def _wider(self, ratio: float) -> float:
        """Return the next margin, if draws pull so much harder at it than wins do.

        A draw's pull is nearly inversely proportional to the margin and a win's nearly constant,
        so that the ratio is the way to go; where means and margin chase one another, a part of it.
        """
        if not self.margin:
            return self.margin
        way = log(ratio) if ratio > 0.0 else -1.0
        if way * self._last_way < 0.0 and abs(way) > _SLOW * abs(self._last_way):
            self._pace = max(0.05, 0.7 * self._pace)
        self._last_way = way
        return min(self._widest, self.margin * exp(self._pace * min(0.4, max(-0.4, way))))

    def _update_pairs(
        self, messages: list[float], scores: list[float], hessian: Hessian, share: float
    ) -> tuple[float, float]:
        """Let the factors of two players speak: ``rate_pair`` without time, and its slope.

        Returns:
            How hard wins pull at the margin to narrow it, and draws to widen it.
        """
        mu, precision, margin = self.mu, self.precision, self.margin
        narrow = wide = 0.0
        for pair in self._pairs:
            one, other, count = pair.one, pair.other, pair.count
            variance_one = 1.0 / (precision[one] - pair.p_one)
            variance_other = 1.0 / (precision[other] - pair.p_other)
            both = variance_one + variance_other
            c_square = both + _TWO_BETA_SQUARE
            c = sqrt(c_square)
            t = (mu[one] - mu[other] - pair.score * both) / c
            v, w = pair.truncate(t, margin / c)
            if not pair.drawn:
                narrow += count * v / c
            elif margin:
                wide += count * margin_score(t, margin / c) / c
            slope = w / c_square
            # the score was part of what it is computed from: one step of Newton's
            newton = 1.0 / (1.0 - slope * both)
            pair.score += (v / c - pair.score) * newton
            pair.p_one += share * (w / (c_square - variance_one * w) - pair.p_one)
            pair.p_other += share * (w / (c_square - variance_other * w) - pair.p_other)
            messages[one] += count * pair.p_one
            messages[other] += count * pair.p_other
            score = count * pair.score
            scores[one] += score
            scores[other] -= score
            hessian.add(one, other, count * slope * newton)
        return narrow, wide

    def _update_groups(
        self, messages: list[float], scores: list[float], hessian: Hessian, share: float
    ) -> tuple[float, float]:
        """Let the factors of more than two players speak; the same for them."""
        mu, precision, margin = self.mu, self.precision, self.margin
        narrow = wide = 0.0
        for group in self._groups:
            count, players = group.count, group.players
            cavities = [precision[player] - p for player, p in zip(players, group.p, strict=True)]
            skills = [
                (mu[player] - score / cavity, 1.0 / cavity)
                for player, cavity, score in zip(players, cavities, group.score, strict=True)
            ]
            sent = match_messages(skills, group.ranks, margin)
            for (t, root), drawn in zip(sent.marginals, group.drawn, strict=True):
                if not drawn:
                    narrow += count * root * win(t, margin * root)[0]
                elif margin:
                    wide += count * root * margin_score(t, margin * root)
            for place, player in enumerate(players):
                cavity, p = cavities[place], sent.p[place]
                # how far the posterior is from the cavity, times the cavity's precision
                group.score[place] = cavity * (sent.w[place] - p * skills[place][0]) / (cavity + p)
                group.p[place] += share * (p - group.p[place])
                messages[player] += count * group.p[place]
                scores[player] += count * group.score[place]
            for one, other, weight in schur_of_chain(sent.truncated_p, 1.0 / (BETA * BETA)):
                hessian.add(players[one], players[other], count * weight)
        return narrow, wide


class _Pair:
    """An outcome of two players, with what it says to each; ``one`` won, or they drew."""

    __slots__ = ("count", "drawn", "one", "other", "p_one", "p_other", "score", "truncate")

    def __init__(self, players: tuple[int, ...], ranks: tuple[int, ...], count: float) -> None:
        self.one, self.other = players
        self.drawn = ranks[0] == ranks[1]
        self.truncate: Callable[[float, float], tuple[float, float]] = draw if self.drawn else win
        self.count, self.score, self.p_one, self.p_other = count, 0.0, 0.0, 0.0

    @property
    def players(self) -> tuple[int, ...]:
        return self.one, self.other

    def scores(self) -> tuple[float, ...]:
        return self.score, -self.score


class _ManyPlayers:
    """An outcome of more than two players, with what it says to each, best first."""

    __slots__ = ("count", "drawn", "p", "players", "ranks", "score")

    def __init__(self, players: tuple[int, ...], ranks: tuple[int, ...], count: float) -> None:
        self.players, self.ranks, self.count = players, ranks, count
        self.drawn = [better == worse for better, worse in pairwise(ranks)]
        self.score = [0.0] * len(players)
        self.p = [0.0] * len(players)

    def scores(self) -> tuple[float, ...]:
        return tuple(self.score)
