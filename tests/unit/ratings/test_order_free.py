"""The order-free fit: tables by hand and by other programs, and results hard to settle."""

from __future__ import annotations

import random
from itertools import product
from math import exp, log, pi, sqrt

import pytest
import trueskill
import trueskillthroughtime
from scipy.optimize import minimize
from scipy.stats import norm
from support.outcomes import Rules, drawn, order, simulate, won

from arena.ratings.closed_form import BETA, DEVIATION, MU, SIGMA
from arena.ratings.information import information
from arena.ratings.likelihoods import match_counts
from arena.ratings.order_free import OrderFree, Outcome
from arena.ratings.truncated import draw_margin


def through_time(
    counts: dict[Outcome, int], draw_probability: float
) -> dict[str, tuple[float, float]]:
    """Ask the ``trueskillthroughtime`` package, with skills that do not change."""
    composition, results = [], []
    for (names, ranks), count in counts.items():
        composition += [[[name] for name in names]] * count
        results += [[-rank for rank in ranks]] * count
    history = trueskillthroughtime.History(
        composition,
        results,
        times=[1] * len(results),
        mu=MU,
        sigma=SIGMA,
        beta=BETA,
        gamma=0.0,
        p_draw=draw_probability,
    )
    history.convergence(epsilon=1e-6, iterations=2000, verbose=False)
    curves = history.learning_curves()
    return {name: (curve[-1][1].mu, curve[-1][1].sigma) for name, curve in curves.items()}


TABLES = {
    "one win": {won("a", "b"): 1},
    "a shut-out": {won("a", "b"): 30},
    "two players": {won("a", "b"): 7, won("b", "a"): 3, drawn("a", "b"): 2},
    "a circle": {won("a", "b"): 5, won("b", "c"): 5, won("c", "a"): 4},
    "a chain": {won("a", "b"): 4, won("b", "c"): 3, won("c", "d"): 6, drawn("c", "d"): 1},
    "two islands": {won("a", "b"): 4, won("c", "d"): 1, drawn("c", "d"): 1},
    "three players": {
        won("a", "b", "c"): 3,
        won("b", "a", "c"): 2,
        won("c", "a", "b"): 1,
        order({"a": 1, "b": 1, "c": 3}): 2,
        order({"a": 1, "b": 2, "c": 2}): 1,
    },
    "four players and two": {
        won("d", "b", "c", "a"): 2,
        order({"a": 1, "b": 2, "c": 2, "d": 4}): 3,
        drawn("a", "b", "c", "d"): 1,
        won("a", "d"): 2,
    },
}


@pytest.mark.parametrize("counts", TABLES.values(), ids=TABLES)
def test_another_program_agrees(counts: dict[Outcome, int]) -> None:
    """The ``trueskillthroughtime`` package without change over time has the same ratings."""
    fit = OrderFree(counts)
    found = fit.ratings()
    expected = through_time(counts, 2.0 * float(norm.cdf(fit.margin / DEVIATION)) - 1.0)
    assert found.keys() == expected.keys()
    for name, (mu, sigma) in expected.items():
        assert found[name].mu == pytest.approx(mu, abs=0.01)
        assert found[name].sigma == pytest.approx(sigma, abs=0.01)


def test_one_win_by_hand() -> None:
    """After one win that could not be a draw: mu ± sigma² v / c and v = phi(0) / Phi(0)."""
    c = sqrt(2.0 * SIGMA**2 + 2.0 * BETA**2)
    v = 2.0 / sqrt(2.0 * pi)
    ratings = OrderFree({won("a", "b"): 1}).ratings()
    assert ratings["a"].mu == pytest.approx(MU + SIGMA**2 / c * v, abs=1e-4)
    assert ratings["b"].mu == pytest.approx(MU - SIGMA**2 / c * v, abs=1e-4)
    sigma = SIGMA * sqrt(1.0 - SIGMA**2 / c**2 * v * v)
    assert [rating.sigma for rating in ratings.values()] == pytest.approx([sigma] * 2, abs=1e-4)


def test_the_likeliest_table_is_found() -> None:
    """Of many results, skills and draw margin are where a general search finds the likeliest."""
    simulated = simulate(Rules(bots=4, rounds=400, skills=7.0, margin=2.0), random.Random(2))
    counts = match_counts(simulated.blocks)
    names = sorted(simulated.truth)

    def unlikely(values: list[float]) -> float:
        skills, margin = dict(zip(names, values[:-1], strict=True)), exp(values[-1])
        total = sum(((skill - MU) / SIGMA) ** 2 / 2.0 for skill in skills.values())
        for ((one, other), ranks), count in counts.items():
            gap, noise = skills[one] - skills[other], sqrt(2.0) * BETA
            if ranks == (1, 1):
                inside = norm.cdf((margin - gap) / noise) - norm.cdf((-margin - gap) / noise)
                total -= count * log(inside)
            else:
                total -= count * float(norm.logcdf((gap - margin) / noise))
        return float(total)

    best = minimize(unlikely, [MU] * len(names) + [0.0], method="BFGS").x
    table = OrderFree(counts)
    assert table.mu == pytest.approx(list(best[:-1]), abs=0.05)  # a mean, and not the top
    assert table.margin == pytest.approx(exp(best[-1]), rel=0.01)
    assert table.margin == pytest.approx(2.0, rel=0.1)


HARD = {
    "a million to nothing": {won("a", "b"): 10**6},
    "a thousand to one": {won("a", "b"): 1000, won("b", "a"): 1},
    "nothing but draws": {drawn("a", "b"): 10**4},
    "draws and one win": {drawn("a", "b"): 10**4, won("a", "b"): 1},
    "a long chain": {won(f"{i:03}", f"{i + 1:03}"): 1000 for i in range(40)},
    "a star": {won("hub", f"{i:03}"): 100 for i in range(100)},
    "a mixed star": {
        outcome: count
        for i in range(100)
        for outcome, count in ((won("hub", f"{i:03}"), i), (won(f"{i:03}", "hub"), 100 - i))
    },
    "islands": {won(f"{i:03}", f"{i + 1:03}"): i + 1 for i in range(0, 60, 2)},
    "four in one order": {won("a", "b", "c", "d"): 10**5},
    "four in one order and once the other": {
        won("a", "b", "c", "d"): 10**5,
        won("d", "c", "b", "a"): 1,
    },
    "four alike": {drawn("a", "b", "c", "d"): 10**4},
    "two of four alike, each time": {order({"a": 1, "b": 1, "c": 3, "d": 4}): 40},
    "pairs against groups": {
        order({"a": 1, "b": 2, "c": 2, "d": 4}): 10,
        won("a", "b"): 500,
        won("c", "z"): 5,
    },
}


@pytest.mark.parametrize("counts", HARD.values(), ids=HARD)
def test_it_settles(counts: dict[Outcome, int]) -> None:
    """However one-sided the results, the fit comes to rest, in order, within some hundred steps."""
    table = OrderFree(counts)
    assert table.moved < 1e-6
    assert table.steps < 300
    ratings = table.ratings()
    assert sum(table.mu) / len(table.mu) == pytest.approx(MU, abs=1e-4)
    for names, ranks in counts:
        if len(counts) == 1 and len(set(ranks)) == len(ranks):
            means = [ratings[name].mu for name in names]
            assert means == sorted(means, reverse=True)
    assert all(0.0 < rating.sigma < SIGMA for rating in ratings.values())


# what a match is expected to say, held against the ``trueskill`` package and by hand


def expected_variance(one: tuple[float, float], other: tuple[float, float], draws: float) -> float:
    """Return what the package leaves of the first one's variance, on average over the results."""
    game = trueskill.TrueSkill(25.0, 25.0 / 3.0, BETA, 0.0, draws)
    margin = draw_margin(draws, DEVIATION)
    a, b = game.create_rating(*one), game.create_rating(*other)
    c = sqrt(one[1] ** 2 + other[1] ** 2 + 2.0 * BETA**2)
    gap = one[0] - other[0]
    wins, loses = norm.cdf((gap - margin) / c), norm.cdf((-gap - margin) / c)
    chances = {(1, 2): wins, (2, 1): loses, (1, 1): 1.0 - wins - loses}
    return sum(
        float(chance * game.rate([(a,), (b,)], ranks)[0][0].sigma ** 2)
        for ranks, chance in chances.items()
    )


@pytest.mark.parametrize(
    ("gap", "sigmas", "draws"),
    list(product((0.5, 3.0, -9.0), ((8.0, 8.0), (1.0, 6.0), (0.7, 0.9)), (0.02, 0.4))),
)
def test_it_is_what_the_package_makes_of_all_results(
    gap: float, sigmas: tuple[float, float], draws: float
) -> None:
    """An observation of the difference so precise leaves as much as the package does on average."""
    one, other = sigmas
    said = information(gap, one**2 + other**2, draw_margin(draws, DEVIATION))
    left = 1.0 / (1.0 / one**2 + 1.0 / (other**2 + 1.0 / said))
    package = expected_variance((25.0 + gap, one), (25.0, other), draws)
    assert left == pytest.approx(package, rel=1e-5)
