"""Our own arithmetic agrees with the ``trueskill`` package wherever that can compute."""

from __future__ import annotations

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.closed_form import BETA, DEVIATION, MU, SIGMA, TAU, rate_pair
from arena.ratings.message_passing import rate_players
from arena.ratings.truncated import draw_margin

# a gap of 100 between two players is 24 beta: a win against it has odds of 1 to 10^60
mus = st.floats(-25.0, 75.0)
sigmas = st.floats(0.3, 10.0)
beliefs = st.tuples(mus, sigmas)
probabilities = st.sampled_from([0.01, 0.1, 0.5])
TOLERANCE = 1e-6


def package(
    players: list[tuple[float, float]], ranks: list[int], probability: float
) -> list[tuple[float, float]]:
    environment = trueskill.TrueSkill(MU, SIGMA, BETA, TAU, probability)
    groups = environment.rate([(environment.create_rating(*p),) for p in players], ranks)
    return [(group[0].mu, group[0].sigma) for group in groups]


@given(beliefs, beliefs, st.booleans(), probabilities)
def test_pairs_agree(
    a: tuple[float, float], b: tuple[float, float], drawn: bool, probability: float
) -> None:
    """Two players have the package's ratings to 1e-6, after a win, an upset or a draw."""
    expected = package([a, b], [1, 1] if drawn else [1, 2], probability)
    margin = draw_margin(probability, DEVIATION)
    found = rate_pair(*a, *b, drawn, margin)
    assert found == pytest.approx((*expected[0], *expected[1]), abs=TOLERANCE, rel=0)
    other = rate_pair(*b, *a, drawn, margin) if drawn else None
    assert other is None or other == (*found[2:], *found[:2])


@given(st.data(), st.integers(2, 6), probabilities)
def test_tables_agree(data: st.DataObject, count: int, probability: float) -> None:
    """Any number of players have the package's ratings to 1e-6, ties included."""
    near = st.tuples(st.floats(0.0, 50.0), sigmas)
    players = data.draw(st.lists(near, min_size=count, max_size=count))
    ranks = data.draw(st.lists(st.integers(1, count), min_size=count, max_size=count))
    expected = package(players, ranks, probability)
    found = rate_players(players, ranks, draw_margin(probability, DEVIATION))
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=TOLERANCE, rel=0)


@given(beliefs, beliefs, st.booleans())
def test_both_ways_agree(a: tuple[float, float], b: tuple[float, float], drawn: bool) -> None:
    """The closed form is the message passing of two players."""
    found = rate_pair(*a, *b, drawn)
    first, second = rate_players([a, b], [1, 1] if drawn else [1, 2])
    assert found == pytest.approx((*first, *second), abs=1e-9, rel=0)
