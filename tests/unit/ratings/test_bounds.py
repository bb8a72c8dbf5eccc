"""Whom results bound: by hand, and compared with a search of every chain of points."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from support.outcomes import drawn, won

from arena.ratings.bounds import bounds
from arena.ratings.order_free import Outcome

CIRCLE = [won("a", "b"), won("b", "c"), won("c", "a")]


def test_who_won_everything_is_not_bounded_from_above() -> None:
    """Nor is who lost everything from below; the others are bounded, and compared."""
    found = bounds(Counter([*CIRCLE, won("top", "a"), won("top", "b"), won("c", "low")]))
    assert found.group == {"a", "b", "c"}
    assert found.above == {"a", "b", "c", "low"}
    assert found.below == {"a", "b", "c", "top"}


def test_a_pair_of_which_one_won_all() -> None:
    """One has no upper end and the other no lower one; each is compared with both."""
    found = bounds({won("a", "b"): 5})
    assert [set(who) for who in (found.group, found.above, found.below)] == [
        {"a", "b"},
        {"b"},
        {"a"},
    ]


def test_of_two_groups_of_one_size_the_one_with_more_matches_counts() -> None:
    """The names decide only if both groups met equally often among themselves."""
    two = [won("a", "b"), won("b", "a"), won("x", "y"), won("y", "x")]
    assert bounds(Counter(two)).group == {"a", "b"}
    assert bounds(Counter([*two, won("y", "x")])).group == {"x", "y"}
    # matches with others say nothing of what is between the two
    assert bounds(Counter([*two, won("y", "x"), *[won("a", "x")] * 9])).group == {"x", "y"}


pairs = st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"), st.booleans())


@given(st.lists(pairs.filter(lambda pair: pair[0] != pair[1]), max_size=14))
def test_it_is_what_every_chain_says(met: list[tuple[str, str, bool]]) -> None:
    """Who is bounded is who every other one of the group has points of, in a chain."""
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
