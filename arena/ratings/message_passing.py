"""TrueSkill for any number of players: the factor graph's messages as plain lists of floats.

Players stand in order of rank. Neighbours are compared: their difference is above the draw margin,
or within it if they share a rank. One comparison sends what it learned to its two players, which
changes what the next comparison assumes, so the messages go down and up the chain until they
settle; when to stop, and thus every float up to rounding, is as in the ``trueskill`` package::

    performance   p0    p1    p2    p3        best … worst
                   \\   /  \\   /  \\   /
    comparison      d0    d1    d2

A message is a normal distribution, kept as its precision (``_p``) and precision × mean (``_w``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from arena.ratings.closed_form import BETA, MARGIN, TAU
from arena.ratings.truncated import draw, win

__all__ = ["MatchFactors", "hear_players", "rate_players"]

_ROUNDS = 10
_SETTLED = 1e-4
_SETTLED_SQUARE = _SETTLED * _SETTLED
_BETA_SQUARE = BETA * BETA
_TAU_SQUARE = TAU * TAU


def rate_players(
    beliefs: Sequence[tuple[float, float]],
    ranks: Sequence[int],
    margin: float = MARGIN,
) -> list[tuple[float, float]]:
    """Return each player's ``(mu, sigma)`` after a match of two or more players.

    Args:
        beliefs: ``(mu, sigma)`` before it, one a player. The chain compares players of equal rank
            in the order they are given, which shows in the result: give one canonical order.
        ranks: 1 is best; equal ranks drew.
        margin: what ``draw_margin(draw_probability, DEVIATION)`` returns.
    """
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    skills = [(beliefs[i][0], beliefs[i][1] * beliefs[i][1] + _TAU_SQUARE) for i in order]
    heard = hear_players(skills, [ranks[i] for i in order], margin)
    results = [(0.0, 0.0)] * len(order)
    for player, (mu, variance), p, w in zip(order, skills, heard.p, heard.w, strict=True):
        precision = 1.0 / variance + p
        results[player] = (mu / variance + w) / precision, sqrt(1.0 / precision)
    return results


class MatchFactors(NamedTuple):
    """What a match says, players and comparisons best first.

    Attributes:
        p, w: to each player of its skill: a precision, and that precision × mean.
        learned_p: how well each comparison knows the difference of two performances.
        shown: of each comparison ``(t, root)``: what it believed of the difference before it knew
            the result, in standard deviations, and one over a standard deviation.
    """

    p: list[float]
    w: list[float]
    learned_p: list[float]
    shown: list[tuple[float, float]]


def hear_players(
    skills: Sequence[tuple[float, float]], ranks: Sequence[int], margin: float = MARGIN
) -> MatchFactors:
    """Return what a match says of each player's skill.

    Args:
        skills: mean and variance before it, one a player, best first; two or more.
        ranks: theirs, in ascending order; equal ranks drew.
        margin: what ``draw_margin(draw_probability, DEVIATION)`` returns.

    One function of plain floats on purpose: as methods on values it takes twice as long.
    """
    judges = [draw if better == worse else win for better, worse in pairwise(ranks)]
    count = len(skills)
    own_p = [1.0 / (variance + _BETA_SQUARE) for _, variance in skills]
    own_w = [p * mu for p, (mu, _) in zip(own_p, skills, strict=True)]
    # what a player hears from the comparison above it and from the one below it, and what a
    # comparison learned from its result: nothing yet
    above_p, above_w = [0.0] * count, [0.0] * count
    below_p, below_w = [0.0] * count, [0.0] * count
    learned_p, learned_w = [0.0] * (count - 1), [0.0] * (count - 1)
    shown = [(0.0, 0.0)] * (count - 1)
    last = count - 2
    path = [(j, j + 1, True) for j in range(last)] + [(j, j + 1, False) for j in range(last, 0, -1)]
    for _ in range(_ROUNDS):
        settled = True
        for j, k, downward in path or [(0, 1, True)]:
            better_p, worse_p = own_p[j] + above_p[j], own_p[k] + below_p[k]
            better = (own_w[j] + above_w[j]) / better_p
            worse = (own_w[k] + below_w[k]) / worse_p
            p = 1.0 / (1.0 / better_p + 1.0 / worse_p)
            w = p * (better - worse)
            root = sqrt(p)
            shown[j] = w / root, root
            shift, shrink = judges[j](w / root, margin * root)
            rest = 1.0 - shrink
            new_p, new_w = p / rest - p, (w + root * shift) / rest - w
            if abs(new_w - learned_w[j]) > _SETTLED or abs(new_p - learned_p[j]) > _SETTLED_SQUARE:
                settled = False
            learned_p[j], learned_w[j] = new_p, new_w
            # precision 0: the result was as good as known before, and says nothing
            if downward:
                above_p[k] = p = 1.0 / (1.0 / better_p + 1.0 / new_p) if new_p > 0.0 else 0.0
                above_w[k] = p * (better - new_w / new_p) if p else 0.0
            else:
                below_p[j] = p = 1.0 / (1.0 / worse_p + 1.0 / new_p) if new_p > 0.0 else 0.0
                below_w[j] = p * (worse + new_w / new_p) if p else 0.0
        if settled:
            break
    # the two ends are told last
    worse_p, worse_w = own_p[1] + below_p[1], own_w[1] + below_w[1]
    below_p[0], below_w[0] = _message(worse_p, worse_w / worse_p, learned_p[0], learned_w[0])
    better_p, better_w = own_p[last] + above_p[last], own_w[last] + above_w[last]
    above_p[-1], above_w[-1] = _message(
        better_p, better_w / better_p, learned_p[last], -learned_w[last]
    )
    heard_p = [a + b for a, b in zip(above_p, below_p, strict=True)]
    heard_w = [a + b for a, b in zip(above_w, below_w, strict=True)]
    return MatchFactors(*_of_skills(heard_p, heard_w), learned_p, shown)


def _of_skills(heard_p: list[float], heard_w: list[float]) -> tuple[list[float], list[float]]:
    """Return what is said of skills, from what is said of performances: skills and some luck."""
    shares = [1.0 / (1.0 + _BETA_SQUARE * p) for p in heard_p]
    return (
        [share * p for share, p in zip(shares, heard_p, strict=True)],
        [share * w for share, w in zip(shares, heard_w, strict=True)],
    )


def _message(
    other_p: float, other: float, learned_p: float, learned_w: float
) -> tuple[float, float]:
    """Say what a player's performance must be, if the other's is known and their difference."""
    p = 1.0 / (1.0 / other_p + 1.0 / learned_p) if learned_p > 0.0 else 0.0
    return p, (p * (other + learned_w / learned_p) if p else 0.0)
