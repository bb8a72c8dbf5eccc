"""The door to the ``trueskill`` package: what a rating is, by definition.

Tables are folded by the closed form and the message passing beside this module, which agree with
the package to 1e-6 and are many times faster; tests compare them with ``rate`` here, and
``arena verify --ratings`` holds a whole table against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import trueskill

from arena.ratings.closed_form import BETA, DRAW_PROBABILITY, MU, SIGMA, TAU
from arena.values.tables import Rating

_PACKAGE = trueskill.TrueSkill(MU, SIGMA, BETA, TAU, DRAW_PROBABILITY)


def rate(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating] | None:
    """Return the players' ratings after a match; ``None`` where the package cannot compute them.

    It cannot where a result is too unlikely (a loss against the odds by some 57 beta).

    Args:
        ratings: before the match, one a player. Players of equal rank are compared in the order
            given, which shows in the result: give one canonical order.
        ranks: 1 is best; equal ranks drew.
    """
    if len(ratings) < 2:
        return list(ratings)
    try:
        groups = _PACKAGE.rate([(_PACKAGE.create_rating(*each),) for each in ratings], list(ranks))
    except (ArithmeticError, ValueError):  # FloatingPointError, or the root of a rounded zero
        return None
    new = [Rating(group[0].mu, group[0].sigma) for group in groups]
    possible = all(isfinite(one.mu) and isfinite(one.sigma) and one.sigma > 0.0 for one in new)
    return new if possible else None
