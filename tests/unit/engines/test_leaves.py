"""Leaves plays what docs/rules/leaves.md says: worked examples, rulings, texts."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from xml.etree import ElementTree

import pytest
from support.engine_play import legal, play

import engines
from engines.core.conformance import variants
from engines.core.interface import State
from engines.leaves.state import LeavesState

START = "#/#/#/#/# 0 10,10 1 *"
GAPS = "a.b.b/##### 0 1,2 1 *"


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


def test_gaps_shrink_and_the_game_ends() -> None:
    """Tiles beyond the first gap stay where they are; leaves that touch a log count at the end."""
    state = at("leaves", GAPS)
    assert len(legal(state)) == 14
    state = play(state, "W1")
    assert state.observation(None) == "aab.b/##### 1 0,2 2 *"
    assert len(legal(state)) == 51
    state = play(state, "E1-1")
    assert state.observation(None) == "a..../#abbb/b#### - 0,0 0 -"
    assert state.is_terminal()
    assert (state.scores(), state.ranks(), state.returns()) == ((2, 4), (2, 1), (-1, 1))


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


def test_order_of_two_leaves() -> None:
    """Turns go by the first placement, then the second: sides N, E, S, W, then numbers."""
    turns = legal(at("leaves(turns=free)", "## 0 5,5 2 *"))
    firsts = list(dict.fromkeys(turn.split("-")[0] for turn in turns))
    assert firsts == ["N1", "N2", "E1", "S1", "S2", "W1"]
    # N1 makes the tree two rows high, E1 three columns wide
    assert [turn for turn in turns if turn.startswith("N1-")] == [
        "N1-" + second for second in ("N1", "N2", "E1", "E2", "S1", "S2", "W1", "W2")
    ]
    assert [turn for turn in turns if turn.startswith("E1-")] == [
        "E1-" + second for second in ("N1", "N2", "N3", "E1", "S1", "S2", "S3", "W1")
    ]


@pytest.mark.parametrize(("game", "turns"), [("leaves", 11), ("leaves(turns=single)", 20)])
def test_length_of_a_game(game: str, turns: int) -> None:
    """A game has 11 turns, of 1, 2, …, 2, 1 leaves, or 20 of one leaf."""
    state, rng, counts = at(game), random.Random(1), []
    while players := state.players_to_act():
        counts.append(int(state.observation(None).split(" ")[3]))
        state = state.apply_action(players[0], state.sample_action(players[0], rng))
    assert counts == ([1] * 20 if turns == 20 else [1, *[2] * 9, 1])


# Pushes and rulings.


# End.


# Setups.


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
        pytest.param("leaves(push=any)", "#./## 0 5,5 2 *", 6000, marks=pytest.mark.slow),
        pytest.param(
            "leaves(push=any,turns=free)", "#./## 0 5,5 2 *", 12000, marks=pytest.mark.slow
        ),
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
        ("leaves", "## 0 2,2 2 *", 40_000),
        pytest.param("leaves", "#./#b/## 1 1,2 2 *", 40_000, marks=pytest.mark.slow),
        pytest.param("leaves(turns=single)", "a#/.# 0 2,1 1 *", 40_000, marks=pytest.mark.slow),
        pytest.param("leaves(turns=single)", "a#/.# 0 2,2 1 N", 40_000, marks=pytest.mark.slow),
        pytest.param("leaves(turns=free)", "#b 0 2,1 2 *", 40_000, marks=pytest.mark.slow),
        pytest.param("leaves(turns=free)", "#./#b/.# 1 0,2 2 *", 40_000, marks=pytest.mark.slow),
        pytest.param("leaves(push=any)", "#b/.# 0 2,1 2 *", 4000, marks=pytest.mark.slow),
        pytest.param(
            "leaves(push=any,turns=single)", "#b/.# 0 2,1 1 E", 4000, marks=pytest.mark.slow
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


# Pictures.


def marks(picture: str) -> list[ElementTree.Element]:
    """Return what is marked as the last action."""
    return [e for e in ElementTree.fromstring(picture).iter() if e.get("class") == "last"]


def rings_of(mark: ElementTree.Element) -> list[tuple[int, int, str]]:
    """Return row, column and side of each leaf in a mark; a cell has 48 pixels."""
    places = (map(int, re.findall(r"\d+", ring.attrib["transform"])[:3]) for ring in mark)
    return [(y // 48, x // 48, "NESW"[turned // 90]) for x, y, turned in places]


@pytest.mark.parametrize(
    ("setup", "action", "rings"),
    [
        # #a    the leaf from the south pushes the   #.
        # .#    log of row 1 out of the tree's box:  aa
        #                                            .#
        ("#/# 0 2,2 2 *", "E1-1", [(1, 1, "E"), (1, 0, "S")]),
        # b     the leaf from the east pushes        bb
        # #     the first one on to the west:        .#
        # #                                          .#
        ("#/# 1 2,2 2 *", "N1-1", [(0, 0, "N"), (0, 1, "E")]),
        # ##a   the leaf from the south pushes       ..a
        # .##   the first one on to the north:       ###
        #                                            .#a
        ("##/## 0 2,2 2 *", "E1-3", [(0, 2, "E"), (2, 2, "S")]),
    ],
)
def test_the_last_leaves_are_marked(
    setup: str, action: str, rings: list[tuple[int, int, str]]
) -> None:
    """One mark surrounds the leaves of the last turn where they lie now."""
    state = at("leaves", setup)
    player = state.players_to_act()[0]
    (mark,) = marks(state.apply_action(player, action).draw(last=(player, action)))
    assert rings_of(mark) == rings
