"""What always holds of an order-free table."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.outcomes import order

from arena.ratings.likelihoods import Block, intervals, match_counts
from arena.ratings.order_free import OrderFree, Outcome

pytestmark = pytest.mark.slow

NAMES = "abcde"


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    """Return one result of two to four of five players."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    places = draw(st.lists(st.integers(1, 4), min_size=len(names), max_size=len(names)))
    # ranks as the arena has them: as many as are better, and one
    return order(
        {
            name: 1 + sum(p < place for p in places)
            for name, place in zip(names, places, strict=True)
        }
    )


results = st.lists(outcomes(), min_size=1, max_size=25)


@given(results, st.randoms(use_true_random=False))
def test_order_changes_nothing(played: list[Outcome], rng: random.Random) -> None:
    """Shuffled results give the same table, float by float."""
    shuffled = list(played)
    rng.shuffle(shuffled)
    blocks = match_counts({(outcome,): played.count(outcome) for outcome in played})
    other = match_counts({(outcome,): shuffled.count(outcome) for outcome in shuffled})
    one, two = OrderFree(blocks), OrderFree(other)
    assert (one.names, one.mu, one.precision, one.margin) == (
        two.names,
        two.mu,
        two.precision,
        two.margin,
    )
    assert intervals({(o,): 1 for o in played}, one) == intervals({(o,): 1 for o in shuffled}, two)


@given(results, st.integers(2, 5))
def test_a_count_is_so_many_results(played: list[Outcome], times: int) -> None:
    """A result with a count is the same as that result so often, one by one."""
    once: dict[Outcome, float] = {}
    for outcome in played * times:
        once[outcome] = once.get(outcome, 0.0) + 1.0
    counted = {outcome: float(times * played.count(outcome)) for outcome in played}
    assert OrderFree(once).mu == OrderFree(counted).mu


@given(results)
def test_every_table_settles(played: list[Outcome]) -> None:
    """The fit comes to rest, around the mean, and knows everybody better than at first."""
    table = OrderFree({outcome: float(played.count(outcome)) for outcome in played})
    assert table.moved < 1e-6
    assert abs(sum(table.mu) / len(table.mu) - 25.0) < 1e-3
    assert all(rating.sigma < 25.0 / 3.0 + 1e-9 for rating in table.ratings().values())


@given(results)
def test_more_of_the_same_is_surer(played: list[Outcome]) -> None:
    """No known interval is wider after the same blocks again; likelihoods are from 0 to 1."""
    blocks: dict[Block, int] = {(outcome,): played.count(outcome) for outcome in played}
    many = {block: 40 * count for block, count in blocks.items()}
    few_table, many_table = OrderFree(match_counts(blocks)), OrderFree(match_counts(many))
    few, sure = intervals(blocks, few_table), intervals(many, many_table)
    for name in few_table.names:
        if None not in few.reach[few.place[name]]:
            assert sure.variances[sure.place[name]] > 0.0
            assert sure.variances[sure.place[name]] < few.variances[few.place[name]] * 1.02
        for other in few_table.names:
            if other != name:
                assert 0.0 <= few.superiority(name, other, 10.0) <= 1.0
                assert few.superiority(name, other, 0.0) == 0.5
