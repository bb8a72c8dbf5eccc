"""What matches say of a game: by hand, by scipy, and of simulated games whose truth is known."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import pytest
from scipy import stats

from arena.stats.fairness import (
    Balance,
    Fairness,
    PlayedMatch,
    apart,
    balance,
    elo_of,
    mean_elo,
    skill,
)
from arena.stats.intervals import Estimate
from arena.stats.weights import play_number

NUMBERS = itertools.count()


def played(
    block: int,
    ranks: Sequence[int],
    *,
    label: str | None = None,
    length: int = 2,
    choices: int = 10,
    seats: tuple[str, ...] = ("oak", "oak"),
    kinds: Sequence[tuple[str, int]] = (("move", 2),),
) -> PlayedMatch:
    """Return a match; those with the same label have one deal and are copies, all others differ."""
    play = play_number(str(next(NUMBERS)) if label is None else label, "")
    return PlayedMatch(block, seats, tuple(ranks), play, length, choices, dict(kinds))


def measured(matches: Sequence[PlayedMatch]) -> Balance:
    found = balance(matches)
    assert found is not None
    return found


WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)


def test_counts_by_hand() -> None:
    """Four matches: two won by player 0, one by player 1, one drawn."""
    found = measured(
        [
            played(0, WON, length=3, choices=30, kinds=[("move", 2), ("pass", 1)]),
            played(0, LOST, length=5, choices=20, kinds=[("move", 5)]),
            played(1, WON, length=4, choices=40, kinds=[("pass", 4)]),
            played(1, DRAWN, length=4, choices=70, kinds=[("move", 4)]),
        ]
    )
    assert found.wins is not None
    assert [share.value for share in found.wins] == pytest.approx([2 / 3, 1 / 3])
    assert (found.decided.value, found.drawn.value) == (0.75, 0.25)
    assert (found.length.value, found.branching.value) == (4.0, 10.0)
    assert found.kinds == (("move", 11 / 16), ("pass", 5 / 16))
    assert (found.matches, found.distinct) == (4, 4)


def test_shared_first_place_is_not_decided() -> None:
    """With more than two players a draw is a place that all share, a win one that nobody shares."""
    seats = ("oak",) * 3
    ranks = [(1, 1, 3), (1, 1, 1), (2, 1, 3)]
    found = measured([played(i, rank, seats=seats) for i, rank in enumerate(ranks)])
    assert (found.decided.value, found.drawn.value) == pytest.approx((1 / 3, 1 / 3))
    assert found.wins is not None
    assert [share.value for share in found.wins] == [0.0, 1.0, 0.0]


def test_copies_add_no_weight() -> None:
    """A hundred copies of a game say as much of it as the game did."""
    matches = [played(0, WON, label="a"), played(1, LOST, label="b"), played(2, WON, label="c")]
    copies = [match._replace(block=10 + n) for n in range(100) for match in matches[:1]]
    once, often = measured(matches), measured([*matches, *copies])
    assert often == once._replace(matches=103)


def test_other_seats_or_deals_make_no_copies() -> None:
    """The same actions by other bots, or on another deal, are another match."""
    match = played(0, WON, label="a")
    others = [
        match._replace(block=1, seats=("oak", "elm")),
        match._replace(block=2, play=play_number("b", "")),
    ]
    assert measured([match, *others]).distinct == 3


def blocks_of(first: int, second: int, drawn: int = 0) -> list[PlayedMatch]:
    """Return matches, one a block, of which each player won so many."""
    ranks = [WON] * first + [LOST] * second + [DRAWN] * drawn
    return [played(block, rank) for block, rank in enumerate(ranks)]


@pytest.mark.parametrize(
    ("matches", "verdict", "seat"),
    [
        (blocks_of(78, 22), Fairness.UNFAIR, 0),
        (blocks_of(22, 78), Fairness.UNFAIR, 0),
        (blocks_of(6, 4), Fairness.UNSETTLED, 0),
        (blocks_of(1010, 990), Fairness.FAIR, 0),
        (blocks_of(1080, 920), Fairness.LITTLE, 0),
        (blocks_of(0, 0, 5), Fairness.UNDECIDED, 0),
        ([played(0, (1,), seats=("oak",))], Fairness.ALONE, 0),
        (
            [played(n, (2, 3, 1) if n % 10 else (1, 2, 3), seats=("oak",) * 3) for n in range(100)],
            Fairness.UNFAIR,
            2,
        ),
    ],
)
def test_verdicts(matches: Sequence[PlayedMatch], verdict: Fairness, seat: int) -> None:
    """What is said follows from the interval, and from how far from fair the share is."""
    found = measured(matches)
    assert (found.verdict, found.seat) == (verdict, seat)


def test_nothing_is_nothing() -> None:
    """Without a match there is nothing to say."""
    assert balance([]) is None
    assert skill([]) is None


def test_elo_of_several_pairs_is_their_mean() -> None:
    """Its interval is as wide as that of a mean of independent ones; one that has no end counts."""
    even, better = Estimate(0.5, 0.4, 0.6), Estimate(0.75, 0.75, 0.75)
    mean = mean_elo([even, better])
    assert mean is not None
    ends = [400 * math.log10(3) / 2 + sign * 400 * math.log10(1.5) / 2 for sign in (0, -1, 1)]
    assert mean == pytest.approx(ends)
    assert mean_elo([Estimate(1.0, 0.8, 1.0), even]) is None
    assert mean_elo([]) is None


def test_deal_decides_all_or_nothing() -> None:
    """Where both matches of every deal end alike the deal decides; where never, it does not."""
    alike = [played(n, WON if n % 2 else LOST) for n in range(20) for _ in range(2)]
    mixed = [played(n, rank) for n in range(20) for rank in (WON, LOST)]
    assert measured(alike).deal == pytest.approx(1.0)
    assert measured(mixed).deal == 0.0
    assert measured([played(n, WON) for n in range(20) for _ in range(2)]).deal is None
    assert measured([played(n, WON if n % 2 else LOST) for n in range(20)]).deal is None


def test_deal_share_is_that_of_the_analysis_of_variance() -> None:
    """It is (F - 1) / (F - 1 + m), F being scipy's for blocks of m matches."""
    rng = random.Random(5)
    results = []
    for _ in range(40):
        good = rng.random()
        results.append([rng.random() < good for _ in range(4)])
    matches = [played(n, WON if won else LOST) for n, row in enumerate(results) for won in row]
    ratio = stats.f_oneway(*[[float(won) for won in row] for row in results]).statistic
    assert measured(matches).deal == pytest.approx((ratio - 1) / (ratio - 1 + 4))


def test_repeats_within_a_deal_are_evidence_of_the_deal() -> None:
    """Bots without chance play a deal alike in all seats; its share is 1, not unknown."""
    matches = [played(n, WON if n % 2 else LOST, label=str(n)) for n in range(10) for _ in range(2)]
    found = measured(matches)
    assert found.distinct == 20
    assert found.deal == pytest.approx(1.0)


def test_skill_by_hand() -> None:
    """Who always wins explains everything; who wins every other time nothing."""
    seats = ("oak", "elm")
    always = skill([(0, played(n, WON, seats=seats)) for n in range(10)])
    half = skill([(0, played(n, WON if n % 2 else LOST, seats=seats)) for n in range(10)])
    most = skill([(0, played(n, LOST if n % 10 == 0 else WON, seats=seats)) for n in range(100)])
    assert always is not None
    assert half is not None
    assert most is not None
    assert (always.score.value, always.share) == (1.0, 1.0)
    assert (half.score.value, half.share) == (0.5, 0.0)
    # the mean lead is 0.8, its square 0.64; the variance of that mean is 0.36 / 99
    assert most.share == pytest.approx(0.64 - 0.36 / 99)


def test_skill_looks_at_the_lone_seat() -> None:
    """The score is that of the seat named with the match, among three."""
    seats = ("elm", "oak", "elm")
    found = skill([(1, played(n, (1, 2, 3), seats=seats)) for n in range(4)])
    assert found is not None
    assert found.score.value == 0.5


def alarms(runs: int, seed: int) -> float:
    """Return how often a fair game for three is said to be unfair, or nearly fair."""
    rng = random.Random(seed)
    wrong = 0
    seats = ("oak",) * 3
    places = [(1, 2, 3), (2, 1, 3), (3, 2, 1)]
    for _ in range(runs):
        matches = [played(n, rng.choice(places), seats=seats) for n in range(60)]
        wrong += measured(matches).verdict in (Fairness.UNFAIR, Fairness.LITTLE)
    return wrong / runs


def test_fair_games_are_seldom_called_unfair() -> None:
    """Of 200 measurements of a fair game for three at most one in ten."""
    assert alarms(200, 1) <= 0.10


@pytest.mark.nightly
def test_fair_games_are_seldom_called_unfair_in_the_long_run() -> None:
    """Of 2,000 measurements of a fair game for three at most 7 %."""
    assert alarms(2000, 2) <= 0.07


def test_skill_takes_deals_as_the_unit() -> None:
    """Twenty matches of ten deals, alike in each, say less than twenty matches of their own."""
    results = [WON] * 7 + [LOST] * 3
    seats = ("oak", "elm")
    pairs = [(0, played(n, rank, seats=seats)) for n, rank in enumerate(results) for _ in range(2)]
    found = skill(pairs)
    assert found is not None
    # the mean lead is 0.4; by deals its variance is 10/9 of (7 x 0.6^2 + 3 x 1.4^2) / 10^2
    assert found.share == pytest.approx(0.16 - 10 / 9 * 8.4 / 100)


def test_expected_score_counts_a_draw_half() -> None:
    """Beside the share of decided games stands the mean score, of which draws are a part."""
    found = measured(blocks_of(3, 1, 4))
    assert found.wins is not None
    assert found.expected is not None
    assert [share.value for share in found.wins] == [0.75, 0.25]
    assert [share.value for share in found.expected] == [0.625, 0.375]


def test_several_looks_make_intervals_wider() -> None:
    """Six looks at 95 % together are six at 99.17 % each; what one look settles six may not."""
    matches = blocks_of(61, 39)
    once, often = balance(matches), balance(matches, looks=6)
    assert once is not None
    assert often is not None
    assert (once.verdict, often.verdict) == (Fairness.UNFAIR, Fairness.UNSETTLED)
    assert often.level == pytest.approx(1 - 0.05 / 6)


def test_how_many_more_rounds_are_needed() -> None:
    """As many as it says, won alike, settle it; a tenth of them do not."""
    found = measured(blocks_of(55, 45))
    assert found.verdict is Fairness.UNSETTLED
    assert found.more > 100
    times = (100 + found.more) / 100
    assert measured(blocks_of(round(57 * times), round(43 * times))).verdict is Fairness.UNFAIR
    even = measured(blocks_of(50, 50))
    assert measured(blocks_of(*[50 + even.more // 2 + 3] * 2)).verdict is Fairness.FAIR
    assert measured(blocks_of(*[50 + even.more // 20] * 2)).verdict is Fairness.UNSETTLED
    assert measured(blocks_of(90, 10)).more == 0


def test_a_game_for_one_has_scores() -> None:
    """Their mean, and how they are spread."""
    scores = [4.0, 8.0, 5.0, 7.0]
    matches = [played(n, (1,), seats=("oak",)) for n in range(4)]
    found = measured([m._replace(scores=(s,)) for m, s in zip(matches, scores, strict=True)])
    assert found.points is not None
    assert found.points.value == 6.0
    assert found.points_spread == (4.0, 4.75, 6.0, 7.25, 8.0)
    assert measured(blocks_of(1, 1)).points is None


def test_shares_that_differ_are_apart() -> None:
    """Newcombe's example: 56 of 70 and 48 of 80 are 0.0524 to 0.3339 apart."""

    def wilson(part: int, whole: int) -> Estimate:
        low, high = stats.binomtest(part, whole).proportion_ci(method="wilson")
        return Estimate(part / whole, low, high)

    found = apart(wilson(56, 70), wilson(48, 80))
    assert found == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)


def test_elo_of_a_score() -> None:
    """One half is 0, three quarters are 191, and all of them no number."""
    assert elo_of(Estimate(0.75, 0.5, 1.0)) == pytest.approx((190.85, 0.0, float("inf")), abs=0.01)
