"""The sequential test: against Wald's own formula, an independent optimiser, and simulation."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import log

import pytest
from scipy import optimize, stats

from arena.stats.scores import Scores, match_score, possible_scores, score_of_elo
from arena.stats.sprt import Sprt
from arena.stats.strength import BlockMatch, SequentialTest
from arena.stats.weights import moves_hash

MOST = 20_000  # blocks of one simulated test


@pytest.mark.parametrize(("won", "lost"), [(30, 20), (20, 30), (53, 0), (1, 1)])
def test_blocks_won_or_lost_whole_are_wald_s_binomial_test(won: int, lost: int) -> None:
    """With two outcomes the ratio is the binomial one (A. Wald, 1945, section 5.3)."""
    p0, p1 = score_of_elo(0), score_of_elo(100)
    expected = won * log(p1 / p0) + lost * log((1 - p1) / (1 - p0))
    scores = Scores.of({Fraction(1): won, Fraction(0): lost})
    # some weight, 0.001 blocks, is given to each score that did not occur
    assert Sprt(0, 100).llr(scores) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize(
    ("counts", "test"),
    [
        ([10, 40, 100, 60, 15], Sprt(0, 20)),
        ([10, 40, 100, 60, 15], Sprt(-5, 5)),
        ([2, 1, 1, 90, 30], Sprt(0, 200)),
        ([500, 2000, 4000, 2100, 600], Sprt(0, 5)),
    ],
)
def test_the_ratio_is_that_of_the_most_likely_laws(counts: list[int], test: Sprt) -> None:
    """An optimiser that knows nothing of our formula finds the same likelihoods."""
    scores = [float(score) for score in possible_scores(2)]

    def most(mean: float) -> float:
        """Return the log-likelihood of the most likely law with a mean."""
        total = sum(counts)
        found = optimize.minimize(
            lambda law: -sum(n / total * log(p) for n, p in zip(counts, law, strict=True)),
            [count / total for count in counts],
            method="SLSQP",
            bounds=[(1e-12, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda law: sum(law) - 1},
                {
                    "type": "eq",
                    "fun": lambda law: sum(p * s for p, s in zip(law, scores, strict=True)) - mean,
                },
            ],
            options={"ftol": 1e-15, "maxiter": 1000},
        )
        assert found.success
        return float(-found.fun * total)

    expected = most(score_of_elo(test.elo1)) - most(score_of_elo(test.elo0))
    seen = Scores.of(dict(zip(possible_scores(2), counts, strict=True)))
    assert test.llr(seen) == pytest.approx(expected, rel=1e-3, abs=2e-3)


def test_nothing_known_says_nothing() -> None:
    """Before the first block the ratio is 0."""
    assert Sprt().llr(Scores.of({})) == 0.0


# simulation


def two_players(rng: random.Random, score: float, draws: float) -> tuple[Fraction, ...]:
    """Return the scores of the two matches of a block, each drawn as often as said."""
    win = score - draws / 2
    found = []
    for _ in range(2):
        u = rng.random()
        found.append(Fraction(1) if u < win else Fraction(1, 2) if u < win + draws else Fraction(0))
    return tuple(found)


def same_deal(rng: random.Random, score: float, draws: float) -> tuple[Fraction, ...]:
    """Return a block whose second match goes as the first one did."""
    first, _ = two_players(rng, score, draws)
    return (first, first)


def three_players(rng: random.Random, score: float, draws: float) -> tuple[Fraction, ...]:
    """Return three matches against two others, each of whom is beaten with the same chance."""
    places = ((3, 1, 2), (2, 1, 3), (1, 2, 3))  # by how many are beaten
    beaten = [sum(rng.random() < score for _ in range(2)) for _ in range(3)]
    return tuple(match_score(places[number], 0) for number in beaten)


Play = Callable[[random.Random, float, float], tuple[Fraction, ...]]

LAWS: tuple[tuple[str, Play, float, Sprt], ...] = (
    ("no draws", two_players, 0.0, Sprt(0, 100)),
    ("half draws", two_players, 0.5, Sprt(0, 100)),
    ("decided by the deal", same_deal, 0.2, Sprt(0, 100)),
    ("three players", three_players, 0.0, Sprt(0, 100)),
    ("far apart", two_players, 0.1, Sprt(-50, 200)),
    ("unequal errors", two_players, 0.3, Sprt(0, 120, 0.02, 0.1)),
)


def errors(play: Play, draws: float, test: Sprt, runs: int) -> tuple[float, float]:
    """Return how often each hypothesis was accepted where the other one is true."""
    rng = random.Random(2026)
    shares = []
    for elo, error in ((test.elo0, "elo1"), (test.elo1, "elo0")):
        score = score_of_elo(elo)
        ends = [accepted(play, score, draws, test, rng) for _ in range(runs)]
        shares.append(ends.count(error) / runs)
    return shares[0], shares[1]


def accepted(play: Play, score: float, draws: float, test: Sprt, rng: random.Random) -> str:
    """Simulate one comparison to its end."""
    comparison: SequentialTest | None = None
    for number in range(MOST):
        block = play(rng, score, draws)
        comparison = comparison or SequentialTest(len(block), test)
        comparison.add([BlockMatch(score, moves_hash(str(number), "")) for score in block])
        if comparison.reason:
            return comparison.reason
    raise AssertionError(f"no answer after {MOST} blocks")


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law[0]))
def test_errors_are_about_as_rare_as_asked_for(law: tuple[str, Play, float, Sprt]) -> None:
    """In 200 runs from one seed no error is more frequent than chance lets a nominal one be."""
    _, play, draws, test = law
    for share, nominal in zip(errors(play, draws, test, 200), test[2:], strict=True):
        assert share <= stats.binom.ppf(0.995, 200, nominal) / 200


@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "law", [*LAWS, ("the default test", two_players, 0.3, Sprt())], ids=lambda law: str(law[0])
)
def test_errors_are_as_rare_as_asked_for(law: tuple[str, Play, float, Sprt]) -> None:
    """In 2,000 runs on each side no error is more than 1.5 points more frequent than nominal."""
    _, play, draws, test = law
    found = errors(play, draws, test, 2000)
    print(law[0], found)
    for share, nominal in zip(found, test[2:], strict=True):
        assert share <= nominal + 0.015
