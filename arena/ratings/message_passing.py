"""TrueSkill for any number of players: the factor graph's messages as plain lists of floats.

Players stand in order of rank. Neighbours are compared: their difference is above the draw margin,
or within it if they share a rank. That truncates the comparison's belief; the messages it sends to
its two players change what the next comparison believes, so they go down and up the chain until
they settle; when to stop, and thus every float up to rounding, is as in the ``trueskill`` package::

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

_ROUNDS = 10
_SETTLED = 1e-4
_SQUARE = _SETTLED * _SETTLED
_BETA_SQUARE = BETA * BETA
_TAU_SQUARE = TAU * TAU


def rate_players(
    beliefs: Sequence[tuple[float, float]], ranks: Sequence[int]
) -> list[tuple[float, float]]:
    """Return each player's ``(mu, sigma)`` after a match of two or more players.

    Args:
        beliefs: ``(mu, sigma)`` before it, one a player. The chain compares players of equal rank
            in the order they are given, which shows in the result: give one canonical order.
        ranks: 1 is best; equal ranks drew.
    """
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    skills = [(beliefs[i][0], beliefs[i][1] * beliefs[i][1] + _TAU_SQUARE) for i in order]
    messages = match_messages(skills, [ranks[i] for i in order])
    results = [(0.0, 0.0)] * len(order)
    for player, (mu, variance), p, w in zip(order, skills, messages.p, messages.w, strict=True):
        precision = 1.0 / variance + p
        results[player] = (mu / variance + w) / precision, sqrt(1.0 / precision)
    return results


class Messages(NamedTuple):
    """The messages of a match, players and comparisons best first.

    Attributes:
        p, w: to each player of its skill: a precision, and that precision × mean.
        truncated_p: the precision of each truncation's message to its comparison.
        marginals: of each comparison before its truncation ``(t, root)``: the mean of the
            difference in standard deviations, and one over a standard deviation.
    """

    p: list[float]
    w: list[float]
    truncated_p: list[float]
    marginals: list[tuple[float, float]]


def match_messages(
    skills: Sequence[tuple[float, float]], ranks: Sequence[int], margin: float = MARGIN
) -> Messages:
    """Return the messages of a match to each player's skill.

    Args:
        skills: mean and variance before it, one a player, best first; two or more.
        ranks: theirs, in ascending order; equal ranks drew.
        margin: what ``draw_margin(draw_probability, DEVIATION)`` returns.

    One function of plain floats on purpose: as methods on values it takes twice as long.
    """
    truncations = [draw if better == worse else win for better, worse in pairwise(ranks)]
    count = len(skills)
    own_p = [1.0 / (variance + _BETA_SQUARE) for _, variance in skills]
    own_w = [p * mu for p, (mu, _) in zip(own_p, skills, strict=True)]
    # the messages to a performance from the comparisons above and below it, and from each
    # truncation to its comparison: nothing yet
    above_p, above_w = [0.0] * count, [0.0] * count
    below_p, below_w = [0.0] * count, [0.0] * count
    truncated_p, truncated_w = [0.0] * (count - 1), [0.0] * (count - 1)
    marginals = [(0.0, 0.0)] * (count - 1)
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
            marginals[j] = w / root, root
            shift, shrink = truncations[j](w / root, margin * root)
            rest = 1.0 - shrink
            new_p, new_w = p / rest - p, (w + root * shift) / rest - w
            if abs(new_w - truncated_w[j]) > _SETTLED or abs(new_p - truncated_p[j]) > _SQUARE:
                settled = False
            truncated_p[j], truncated_w[j] = new_p, new_w
            # precision 0: the result was as good as known before, and says nothing
            if downward:
                above_p[k] = p = 1.0 / (1.0 / better_p + 1.0 / new_p) if new_p > 0.0 else 0.0
                above_w[k] = p * (better - new_w / new_p) if p else 0.0
            else:
                below_p[j] = p = 1.0 / (1.0 / worse_p + 1.0 / new_p) if new_p > 0.0 else 0.0
                below_w[j] = p * (worse + new_w / new_p) if p else 0.0
        if settled:
            break
    # the messages to the two ends come last
    worse_p, worse_w = own_p[1] + below_p[1], own_w[1] + below_w[1]
    below_p[0], below_w[0] = _message(worse_p, worse_w / worse_p, truncated_p[0], truncated_w[0])
    better_p, better_w = own_p[last] + above_p[last], own_w[last] + above_w[last]
    above_p[-1], above_w[-1] = _message(
        better_p, better_w / better_p, truncated_p[last], -truncated_w[last]
    )
    to_p = [a + b for a, b in zip(above_p, below_p, strict=True)]
    to_w = [a + b for a, b in zip(above_w, below_w, strict=True)]
    # a performance is a skill and some luck
    shares = [1.0 / (1.0 + _BETA_SQUARE * p) for p in to_p]
    skill_p = [share * p for share, p in zip(shares, to_p, strict=True)]
    skill_w = [share * w for share, w in zip(shares, to_w, strict=True)]
    return Messages(skill_p, skill_w, truncated_p, marginals)


def _message(
    other_p: float, other: float, truncated_p: float, truncated_w: float
) -> tuple[float, float]:
    """Return the message to a player's performance, from the other's and their difference."""
    p = 1.0 / (1.0 / other_p + 1.0 / truncated_p) if truncated_p > 0.0 else 0.0
    return p, (p * (other + truncated_w / truncated_p) if p else 0.0)
