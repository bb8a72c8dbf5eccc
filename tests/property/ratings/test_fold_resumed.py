"""A fold gone on with is the fold of everything at once, float by float."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.crosstable import Meetings, fold_meetings
from arena.ratings.fold import Standings, fold
from arena.tables import Result

NAMES = ("oak", "elm", "fir", "yew", "ash")


@st.composite
def results(draw: st.DrawFn) -> list[Result]:
    found: list[Result] = []
    for number in range(draw(st.integers(0, 12))):
        count = draw(st.sampled_from([2, 2, 2, 3, 4]))
        names = draw(st.permutations(NAMES))[:count]
        per_seat = st.lists(st.integers(0, 10**6), min_size=count, max_size=count).map(tuple)
        found.append(
            (
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
