"""Whom results bound: by hand, and compared with a search of every chain of points."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from support.outcomes import drawn, won

from arena.ratings.bounds import bounds
from arena.ratings.order_free import Outcome

CIRCLE = [won("a", "b"), won("b", "c"), won("c", "a")]


def test_bot_that_won_all_has_no_upper_bound() -> None:
    """A bot that won everything has no upper bound, one that lost all no lower one."""
    found = bounds(Counter([*CIRCLE, won("top", "a"), won("top", "b"), won("c", "low")]))
    assert found.group == {"a", "b", "c"}
    assert found.above == {"a", "b", "c", "low"}
    assert found.below == {"a", "b", "c", "top"}


def test_pair_with_one_winner_has_one_bound_each() -> None:
    """Of two bots of which one won all, each lacks one bound."""
    found = bounds({won("a", "b"): 5})
    assert [set(who) for who in (found.group, found.above, found.below)] == [
        {"a", "b"},
        {"b"},
        {"a"},
    ]


def test_larger_group_by_matches_counts() -> None:
    """Of two groups of one size, the one with more matches among itself counts."""
    two = [won("a", "b"), won("b", "a"), won("x", "y"), won("y", "x")]
    assert bounds(Counter(two)).group == {"a", "b"}
    assert bounds(Counter([*two, won("y", "x")])).group == {"x", "y"}
    # matches with others say nothing of what is between the two
    assert bounds(Counter([*two, won("y", "x"), *[won("a", "x")] * 9])).group == {"x", "y"}


pairs = st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"), st.booleans())


@given(st.lists(pairs.filter(lambda pair: pair[0] != pair[1]), max_size=14))
def test_bounds_agree_with_search_of_chains(met: list[tuple[str, str, bool]]) -> None:
    """Bounds are those that a search of all chains of points finds."""
    outcomes: list[Outcome] = [drawn(a, b) if even else won(a, b) for a, b, even in met]
    names = sorted({name for who, _ in outcomes for name in who})
    ahead = {(a, b) for a, b, _ in met} | {(b, a) for a, b, even in met if even}
    for middle in names:  # Warshall's algorithm
        ahead |= {(a, b) for a in names for b in names if {(a, middle), (middle, b)} <= ahead}
    found = bounds(Counter(outcomes))
    assert found.above == {b for b in names if all(a == b or (a, b) in ahead for a in found.group)}
    assert found.below == {a for a in names if all(a == b or (a, b) in ahead for b in found.group)}
    together = [[b for b in names if b == a or {(a, b), (b, a)} <= ahead] for a in names]
    assert sorted(found.groups) == sorted({tuple(group) for group in together})
