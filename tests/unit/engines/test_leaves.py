"""Leaves plays what docs/rules/leaves.md says: worked examples, rulings, texts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from support.engine_play import legal, play
from support.slowly import slowly

import engines
from engines.core.conformance import variants
from engines.core.interface import State
from engines.leaves.state import LeavesState

START = "#/#/#/#/# 0 10,10 1 *"


def at(game: str, setup: str | None = None) -> State:
    return engines.load_game(game).new_initial_state(setup)


# Worked examples.


@pytest.mark.parametrize(
    ("number", "observation", "count", "score"),
    [
        (0, START, 12, (0, 0)),
        (1, ".#/.#/#a/.#/.# 1 9,10 2 *", 48, (1, 0)),
        (2, ".#/.#/.a/#b/##/.b 0 9,8 2 *", 58, (1, 2)),
        (3, "..#/..#/..a/##b/a#a/..b 1 7,8 2 *", 82, (3, 1)),
        (4, "..#/.#b/..a/#bb/a#a/.#b 0 7,6 2 *", 82, (2, 3)),
    ],
)
def test_published_notation(
    number: int, observation: str, count: int, score: tuple[int, int]
) -> None:
    """The example of the published notation replays as written."""
    state = play(at("leaves"), *("E3", "E4-2", "E5-1", "N2-2")[:number])
    assert state.observation(None) == state.observation(0) == observation
    assert len(legal(state)) == count
    assert state.scores() == score


@pytest.mark.parametrize(
    ("game", "actions", "counts", "observation"),
    [
        (
            "leaves(turns=single)",
            ("E3", "S1", "W3", "N2"),
            [12, 2, 5, 3, 6],
            ".b./##./a#a/.b./.#./.#. 0 8,8 1 E",
        ),
        (
            "leaves(turns=free)",
            ("E3", "E4-E4", "S1-N2"),
            [12, 212, 272, 276],
            "..#/..#/#aa/a#b/.b# 1 7,8 2 *",
        ),
        ("leaves(tree=u,push=any)", ("W1:3",), [17, 150], "..a##/###.. 1 9,10 2 *"),
        ("leaves(tree=u,push=any)", ("N1:2",), [17, 115], "..#/a##/#../#.. 1 9,10 2 *"),
    ],
)
def test_variants(game: str, actions: tuple[str, ...], counts: list[int], observation: str) -> None:
    """The examples of the variants have these numbers of legal turns and end like this."""
    states = [play(at(game), *actions[:n]) for n in range(len(actions) + 1)]
    assert [len(legal(state)) for state in states] == counts
    assert states[-1].observation(None) == observation


def test_legal_turns_of_the_u_in_order() -> None:
    """The page lists the first turns of the U tree with any distance, in order."""
    assert " ".join(legal(at("leaves(tree=u,push=any)"))) == (
        "N1:1 N1:2 N2:1 N3:1 N3:2 E1:1 E1:2 E1:3 E2:1 S1:1 S2:1 S2:2 S3:1 W1:1 W1:2 W1:3 W2:1"
    )


# Turns.


def test_all_18_combinations_exist() -> None:
    """The three parameters combine freely."""
    assert len(variants("leaves")) == 18


# Chance.


def chi_square(seen: Counter[str], expected: Mapping[str, float]) -> float:
    """Return how many standard deviations chi-square is above its mean; all expected are > 0."""
    total = sum((seen[key] - mean) ** 2 / mean for key, mean in expected.items())
    freedom = max(1, len(expected) - 1)
    return float((total - freedom) / (2 * freedom) ** 0.5)


@pytest.mark.parametrize(
    ("game", "setup", "draws"),
    [
        ("leaves", ".#./###/.#. 0 5,5 1 *", 2000),
        ("leaves", "#./#./## 0 5,5 2 *", 6000),
        ("leaves(turns=single)", "#./#./## 0 5,5 1 E", 1000),
        ("leaves(turns=free)", "###/..# 0 5,5 2 *", 12000),
        ("leaves(push=any)", "#.#/### 0 5,5 1 *", 1500),
        *slowly([("leaves(push=any)", "#./## 0 5,5 2 *", 6000)]),
        *slowly([("leaves(push=any,turns=free)", "#./## 0 5,5 2 *", 12000)]),
    ],
)
def test_drawn_actions_are_uniform(game: str, setup: str, draws: int) -> None:
    """Every legal turn is drawn, none other, and all about equally often."""
    state, rng = at(game, setup), random.Random(1)
    seen = Counter(state.sample_action(0, rng) for _ in range(draws))
    turns = legal(state)
    assert set(seen) <= set(turns)
    assert chi_square(seen, dict.fromkeys(turns, draws / len(turns))) < 4


@pytest.mark.parametrize(
    ("game", "setup", "games"),
    [
        ("leaves(push=any,turns=single)", "#b 0 1,1 1 *", 4000),
        *slowly(
            [
                ("leaves", "## 0 2,2 2 *", 40_000),
                ("leaves", "#./#b/## 1 1,2 2 *", 40_000),
                ("leaves(turns=single)", "a#/.# 0 2,1 1 *", 40_000),
                ("leaves(turns=single)", "a#/.# 0 2,2 1 N", 40_000),
                ("leaves(turns=free)", "#b 0 2,1 2 *", 40_000),
                ("leaves(turns=free)", "#./#b/.# 1 0,2 2 *", 40_000),
                ("leaves(push=any)", "#b/.# 0 2,1 2 *", 4000),
                ("leaves(push=any,turns=single)", "#b/.# 0 2,1 1 E", 4000),
            ]
        ),
    ],
)
def test_playouts_end_like_uniform_play(game: str, setup: str, games: int) -> None:
    """Fast playouts reach every score as often as uniformly random turns lead there."""

    def shares(state: State, share: float) -> None:
        if state.is_terminal():
            expected[str(state.scores())] = expected.get(str(state.scores()), 0.0) + share
        else:
            turns = legal(state)
            for turn in turns:
                shares(play(state, turn), share / len(turns))

    expected: dict[str, float] = {}
    state, rng = at(game, setup), random.Random(2)
    assert isinstance(state, LeavesState)
    shares(state, games)
    seen = Counter(str(state.random_score(rng)) for _ in range(games))
    assert set(seen) <= set(expected)
    assert chi_square(seen, expected) < 4
