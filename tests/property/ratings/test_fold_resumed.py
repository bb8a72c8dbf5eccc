"""A fold gone on with is the fold of everything at once, float by float."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.fold import fold, read_standings, standings_text
from arena.ratings.message_passing import rate_players
from arena.ratings.trueskill import rate
from arena.values.tables import MatchRow, Rating

NAMES = ("oak", "elm", "fir", "yew", "ash")


@st.composite
def results(draw: st.DrawFn) -> list[MatchRow]:
    found: list[MatchRow] = []
    for number in range(draw(st.integers(0, 12))):
        count = draw(st.sampled_from([2, 2, 2, 3, 4]))
        names = draw(st.permutations(NAMES))[:count]
        per_seat = st.lists(st.integers(0, 10**6), min_size=count, max_size=count).map(tuple)
        found.append(
            MatchRow(
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


@given(results(), st.data())
def test_resumed_standings_are_equal(played: list[MatchRow], data: st.DataObject) -> None:
    """Wherever a fold is cut and kept as text, the end is the same to the last bit."""
    cut = data.draw(st.integers(0, len(played)))
    half = fold(played[:cut])
    kept = read_standings(standings_text(half))
    assert kept == half
    whole = fold(played)
    resumed = fold(played[cut:], kept)
    assert resumed == whole
    assert standings_text(resumed) == standings_text(whole)


# our own arithmetic agrees with the ``trueskill`` package wherever that can compute

sigmas = st.floats(0.3, 10.0)
TOLERANCE = 1e-6


@given(st.data(), st.integers(2, 6))
def test_tables_agree(data: st.DataObject, count: int) -> None:
    """Any number of players have the package's ratings to 1e-6, ties included."""
    near = st.tuples(st.floats(0.0, 50.0), sigmas)
    players = data.draw(st.lists(near, min_size=count, max_size=count))
    ranks = data.draw(st.lists(st.integers(1, count), min_size=count, max_size=count))
    expected = rate([Rating(*player) for player in players], ranks) or []
    found = rate_players(players, ranks)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=TOLERANCE, rel=0)
