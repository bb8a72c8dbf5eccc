"""Whom results bound: by hand, and compared with a search of every chain of points."""

from __future__ import annotations

from collections import Counter

from support.outcomes import won

from arena.ratings.bounds import bounds


def test_larger_group_by_matches_counts() -> None:
    """Of two groups of one size, the one with more matches among itself counts."""
    two = [won("a", "b"), won("b", "a"), won("x", "y"), won("y", "x")]
    assert bounds(Counter(two)).group == {"a", "b"}
    assert bounds(Counter([*two, won("y", "x")])).group == {"x", "y"}
    # matches with others say nothing of what is between the two
    assert bounds(Counter([*two, won("y", "x"), *[won("a", "x")] * 9])).group == {"x", "y"}
