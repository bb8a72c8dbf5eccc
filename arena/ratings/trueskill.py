"""The door to the ``trueskill`` package: what a rating is, by definition.

Tables are folded by the closed form and the message passing beside this module, which agree with
the package to 1e-6 and are many times faster; tests compare them with ``rate`` here, and
``arena verify --ratings`` holds a whole table against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isfinite

import trueskill

from arena.ratings.closed_form import BETA, DEVIATION, DRAW_PROBABILITY, MU, SIGMA, TAU
from arena.ratings.message_passing import rate_players
from arena.ratings.truncated import draw_margin
from arena.values.tables import Rating


def rate(
    ratings: Sequence[Rating],
    ranks: Sequence[int],
    draw_probability: float = DRAW_PROBABILITY,
) -> list[Rating]:
    """Return the players' ratings after a match.

    A result so unlikely that the package cannot compute it (a loss against the odds by some 57
    beta) is computed by our own message passing, which can; arguments and errors as for
    ``rate_by_package``.
    """
    new = rate_by_package(ratings, ranks, draw_probability)
    if new is None:
        beliefs = [(rating.mu, rating.sigma) for rating in ratings]
        margin = draw_margin(draw_probability, DEVIATION)
        new = [Rating(*belief) for belief in rate_players(beliefs, ranks, margin)]
    return new


def rate_by_package(
    ratings: Sequence[Rating],
    ranks: Sequence[int],
    draw_probability: float = DRAW_PROBABILITY,
) -> list[Rating] | None:
    """Return what the package makes of a match; ``None`` where it cannot compute it.

    Args:
        ratings: before the match, one a player. Players of equal rank are compared in the order
            given, which shows in the result: give one canonical order.
        ranks: 1 is best; equal ranks drew.
        draw_probability: of two equal players; above 0 and below 1, since with 0 a draw makes the
            package surer of less.

    Raises:
        ValueError: not one rank a rating, or no such draw probability.
    """
    if len(ratings) != len(ranks):
        raise ValueError(f"{len(ratings)} ratings and {len(ranks)} ranks")
    if not 0.0 < draw_probability < 1.0:
        raise ValueError(f"a draw probability is above 0 and below 1, not {draw_probability}")
    if len(ratings) < 2:
        return list(ratings)
    environment = _environment(draw_probability)
    try:
        groups = environment.rate(
            [(environment.create_rating(rating.mu, rating.sigma),) for rating in ratings],
            list(ranks),
        )
    except (ArithmeticError, ValueError):  # FloatingPointError, or the root of a rounded zero
        return None
    new = [Rating(group[0].mu, group[0].sigma) for group in groups]
    possible = all(isfinite(one.mu) and isfinite(one.sigma) and one.sigma > 0.0 for one in new)
    return new if possible else None


@lru_cache(maxsize=8)
def _environment(draw_probability: float) -> trueskill.TrueSkill:
    return trueskill.TrueSkill(MU, SIGMA, BETA, TAU, draw_probability)
