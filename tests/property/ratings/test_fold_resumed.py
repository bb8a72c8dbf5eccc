"""A fold gone on with is the fold of everything at once, float by float."""

from __future__ import annotations

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.closed_form import BETA, DEVIATION, MU, SIGMA, TAU, rate_pair
from arena.ratings.crosstable import Meetings, fold_meetings
from arena.ratings.fold import Standings, fold
from arena.ratings.message_passing import rate_players
from arena.ratings.truncated import draw_margin
from arena.values.tables import Result

NAMES = ("oak", "elm", "fir", "yew", "ash")


@st.composite
def results(draw: st.DrawFn) -> list[Result]:
    found: list[Result] = []
    for number in range(draw(st.integers(0, 12))):
        count = draw(st.sampled_from([2, 2, 2, 3, 4]))
        names = draw(st.permutations(NAMES))[:count]
        per_seat = st.lists(st.integers(0, 10**6), min_size=count, max_size=count).map(tuple)
        found.append(
            Result(
                (1, number),
                tuple(names),
                tuple(draw(st.lists(st.integers(1, count), min_size=count, max_size=count))),
                tuple(draw(st.lists(st.tuples(st.integers(0, count - 1), codes), max_size=2))),
                draw(per_seat),
                draw(per_seat),
            )
        )
    return found


codes = st.sampled_from(["time", "crash"])


@given(results(), st.data(), st.sampled_from([0.01, 0.1, 0.5]))
def test_resumed_standings_are_equal(
    played: list[Result], data: st.DataObject, probability: float
) -> None:
    """Wherever a fold is cut and kept as text, the end is the same to the last bit."""
    empty = Standings(draw_probability=probability)
    cut = data.draw(st.integers(0, len(played)))
    half = fold(played[:cut], empty)
    kept = Standings.from_text(half.to_text())
    assert kept == half
    whole = fold(played, empty)
    assert fold(played[cut:], kept) == whole
    assert fold(played[cut:], kept).to_text() == whole.to_text()
    assert kept == half, "folding changed what it went on from"
    assert whole.last == (played[-1][0] if played else None)


@given(results(), st.data())
def test_resumed_meetings_are_equal(played: list[Result], data: st.DataObject) -> None:
    """The same for who met whom."""
    cut = data.draw(st.integers(0, len(played)))
    half = fold_meetings(played[:cut])
    kept = Meetings.from_text(half.to_text())
    assert kept == half
    assert fold_meetings(played[cut:], kept) == fold_meetings(played)
    assert kept == half


@given(results())
def test_counts_add_up(played: list[Result]) -> None:
    """Nobody has more games than it played, and ranks of a match sum to those of an order."""
    table = fold(played).table
    for name in NAMES:
        games = sum(name in names for _, names, *_ in played)
        assert (table[name].games if name in table else 0) == games
    expected = sum(len(names) * (len(names) + 1) for _, names, *_ in played)
    assert sum(standing.double_rank for standing in table.values()) == expected


# our own arithmetic agrees with the ``trueskill`` package wherever that can compute

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
