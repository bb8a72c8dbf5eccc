"""Intervals of the order-free table: against blocks drawn again, and against the truth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations, pairwise
from math import sqrt
from statistics import NormalDist, mean

import pytest
from support.outcomes import Rules, simulate, won

from arena.ratings.closed_form import BETA, DEVIATION, SIGMA
from arena.ratings.fitted_table import ELO_PER_MU, Intervals, Table, elo
from arena.ratings.fold import Standings
from arena.ratings.leaderboard import leaderboard_rows
from arena.ratings.likelihoods import Block, intervals, make_table, match_counts
from arena.ratings.order_free import OrderFree

# tournaments as they occur: few and many rounds; deals that favour a seat, or a bot; three players
TOURNAMENTS = {
    "pairs": Rules(bots=6, rounds=10),
    "few matches": Rules(bots=8, rounds=2),
    "deals favour a seat": Rules(bots=6, rounds=10, deal=4.0),
    "deals favour a bot": Rules(bots=6, rounds=10, mood=4.0),
    "three players": Rules(bots=5, rounds=5, players=3, margin=0.0),
    "four players": Rules(bots=5, rounds=5, players=4, margin=0.0),
    "deals decide nearly all": Rules(bots=6, rounds=20, mood=15.0, margin=0.0),
}


def plus_minus(sure: Intervals, name: str) -> float:
    return 1.96 * sqrt(sure.variances[sure.place[name]])


NIGHTLY = (pytest.mark.nightly, pytest.mark.timeout(1800))


@pytest.mark.parametrize(
    ("tournaments", "low", "high"),
    [
        pytest.param(100, 0.90, 0.99, marks=pytest.mark.slow),
        pytest.param(2000, 0.93, 0.97, marks=NIGHTLY),
    ],
)
@pytest.mark.parametrize("rules", TOURNAMENTS.values(), ids=TOURNAMENTS)
def test_intervals_cover(rules: Rules, tournaments: int, low: float, high: float) -> None:
    """95 % intervals hold the true strength in 90 to 99 % of the cases, in the long run closer."""
    rng, held, anchored = random.Random(tournaments), list[bool](), list[bool]()
    for _ in range(tournaments):
        blocks, mu = simulate(rules, rng)
        truth = {name: elo(25.0 + its) for name, its in mu.items()}
        table = make_table(blocks)
        held += inside(table, truth)
        anchored += inside(table, truth, "bot00")
    print(rules, mean(held), mean(anchored))
    assert low <= mean(held) <= high
    assert low <= mean(anchored) <= high


# fixed gaps in Elo, and how many rounds
GAPS = {
    "equal": ((0, 0), 10),
    "200": ((0, 200), 10),
    "400": ((0, 400), 100),
    "600": ((0, 600), 100),
    "800": ((0, 800), 10),
    "in steps": ((0, 50, 100, 150, 200, 250), 10),
    "400 each": ((0, 400, 800, 1200), 20),
    "one far ahead": ((0, 0, 1200), 100),
    "one far ahead of five": ((0, 50, 100, 150, 200, 1300), 20),
    "one loses all": ((0, 100, 200, 300, -3000), 20),
    "1500": ((0, 1500), 100),
    "1500 in steps": ((0, 500, 1000, 1500), 100),
}


@pytest.mark.parametrize(
    ("tournaments", "low"),
    [pytest.param(40, 0.85, marks=pytest.mark.slow), pytest.param(1000, 0.93, marks=NIGHTLY)],
)
@pytest.mark.parametrize(("elos", "rounds"), GAPS.values(), ids=GAPS)
def test_intervals_cover_fixed_gaps(
    elos: tuple[int, ...], rounds: int, tournaments: int, low: float
) -> None:
    """Whatever the gaps, intervals hold the distances to those they are compared with."""
    rng, held = random.Random(f"{elos} {rounds}"), list[bool]()
    anchored = list[bool]()
    truth = {f"bot{number}": float(strength) for number, strength in enumerate(elos)}
    for _ in range(tournaments):
        blocks = Counter[Block]()
        for one, other in combinations(truth, 2):
            chance = NormalDist(0.0, DEVIATION * ELO_PER_MU).cdf(truth[one] - truth[other])
            for _ in range(rounds):
                ends = [
                    won(one, other) if rng.random() < chance else won(other, one) for _ in range(2)
                ]
                blocks[tuple(sorted(ends))] += 1
        table = make_table(blocks)
        held += inside(table, truth)
        anchored += inside(table, truth, "bot0")
    print(elos, rounds, mean(held), mean(anchored or [True]))
    assert mean(held) >= low
    # of a pair that is far apart, few tournaments have an anchor: those with a lucky win
    assert len(anchored) < tournaments / 2 or mean(anchored) >= low


def inside(table: Table, truth: Mapping[str, float], anchor: str = "") -> list[bool]:
    """Return whether each bot's interval, as it is printed, holds its true Elo.

    Nothing is known where the anchor is none, and its own Elo is always right.
    """
    group = table.sure.group
    if anchor and anchor not in group:
        return []
    fixed = (anchor, 1000.0) if anchor else None
    zero = (
        1000.0 - truth[anchor]
        if anchor
        else 1500.0 - mean([truth[name] for name in group or truth])
    )
    entrants = {name: (name, 1) for name in truth}
    found = []
    for row in leaderboard_rows(Standings(), entrants, table, anchor=fixed).values():
        place = truth[row.bot] + zero
        if row.bot != anchor:
            found.append(
                (row.low is None or row.low <= place) and (row.high is None or place <= row.high)
            )
    return found


@pytest.mark.parametrize("lost", [6, 600, 6000])
def test_who_loses_everything_moves_nobody(lost: int) -> None:
    """Three equal bots have 1500 and one interval, whatever a fourth loses to them."""
    even = {pair: tuple(sorted((won(*pair), won(*pair[::-1])))) for pair in combinations("abc", 2)}
    blocks: dict[Block, int] = dict.fromkeys(even.values(), 100)
    usual = make_table(blocks)
    blocks |= {(won(bot, "weak"), won(bot, "weak")): lost // 6 for bot in "abc"}
    table = make_table(blocks)
    entrants = {name: (name, 1) for name in ("a", "b", "c", "weak")}
    rows = [*leaderboard_rows(Standings(), entrants, table).values()]
    assert [row.score for row in rows[:3]] == [1500.0] * 3
    usual_ends = usual.sure.ends("a", 1500.0)
    assert (rows[0].low, rows[0].high) == pytest.approx(usual_ends, abs=1.0)
    # as far off as before, whatever is fixed
    fixed = [*leaderboard_rows(Standings(), entrants, table, anchor=("b", 200.0)).values()]
    assert [row.score for row in fixed[:3]] == [200.0] * 3
    (anchor,) = [row for row in fixed if row.bot == "b"]
    assert (anchor.low, anchor.high, anchor.interval) == (200.0, 200.0, "anchor")
    assert fixed[3].score == pytest.approx((rows[3].score or 0.0) - 1300.0, abs=0.01)


@pytest.mark.parametrize("bots", [6, pytest.param(160, marks=pytest.mark.slow)])
def test_the_interval_with_an_anchor_is_that_of_the_difference(bots: int) -> None:
    """It is the likelihood that one is stronger than the anchor, read the other way round."""
    blocks, truth = simulate(Rules(bots=bots, rounds=1 + 30 // bots), random.Random(bots))
    table = make_table(blocks)
    anchor, *others = sorted(table.sure.group)
    entrants = {name: (name, 1) for name in truth}
    rows = leaderboard_rows(Standings(), entrants, table, anchor=(anchor, 1000.0)).values()
    for row in rows:
        if row.bot in others:
            assert row.low is not None
            assert row.high is not None
            by = (row.high - row.low) / 2.0
            los = table.sure.superiority(row.bot, anchor, (row.score or 0.0) - 1000.0)
            assert los == pytest.approx(
                NormalDist(0.0, by / 1.96).cdf((row.score or 0.0) - 1000.0), abs=1e-3
            )


@pytest.mark.slow
def test_likelihoods_are_frequencies() -> None:
    """As many neighbours of 300 tables are in their true order as likelihoods add up to."""
    rng, expected, found = random.Random(3), 0.0, 0
    neighbours = 0
    for _ in range(300):
        blocks, truth = simulate(Rules(bots=6, rounds=8), rng)
        table = OrderFree(match_counts(blocks))
        sure = intervals(blocks, table)
        place = dict(zip(table.names, map(elo, table.mu), strict=True))
        for one, other in pairwise(sorted(place, key=lambda name: -place[name])):
            expected += sure.superiority(one, other, place[one] - place[other])
            found += truth[one] > truth[other]
            neighbours += 1
    assert found / neighbours == pytest.approx(expected / neighbours, abs=0.03)


def test_two_equals_by_hand() -> None:
    """400 even matches: the difference varies by 2 / sqrt(400) × the slope of the scale."""
    blocks: dict[Block, int] = {(won("a", "b"),): 200, (won("b", "a"),): 200}
    table = OrderFree(match_counts(blocks))
    # a match's points vary by 1/2; near 1/2 one point is 4 × 400 / ln 10 / 4 = 400 × 4 / ln 10 Elo
    points = 0.5 / sqrt(400)
    expected = 1.96 * points * 4.0 * 400.0 / 2.302585
    sure = intervals(blocks, table)
    assert 2.0 * plus_minus(sure, "a") == pytest.approx(expected, rel=0.03)
    gap = 10.0
    likelihood = NormalDist(0.0, expected / 1.96).cdf(gap)
    assert sure.superiority("a", "b", gap) == pytest.approx(likelihood, abs=0.01)
    assert sure.superiority("b", "a", -gap) == pytest.approx(1.0 - likelihood, abs=0.01)


def test_who_won_everything_is_not_known() -> None:
    """A bot that won every match has a wide interval, though its blocks do not vary."""
    blocks: dict[Block, int] = {(won("a", "b"), won("a", "b")): 500}
    blocks |= {(won("b", "c"), won("c", "b")): 500}
    sure = intervals(blocks, OrderFree(match_counts(blocks)))
    assert plus_minus(sure, "a") > 100.0
    assert plus_minus(sure, "a") < 1.96 * ELO_PER_MU * SIGMA
    # where the known end is, ten wins of ten had a chance of 2.5 %
    blocks = {(won("a", "b"),): 10, (won("b", "c"),): 50, (won("c", "b"),): 50}
    table = OrderFree(match_counts(blocks))
    a, b, _ = map(elo, table.mu)
    low, _ = intervals(blocks, table).ends("a", a)
    ahead = ELO_PER_MU * sqrt(2.0) * BETA * NormalDist().inv_cdf(0.025 ** (1 / 10))
    assert low == pytest.approx(b + ahead, abs=0.1)
