"""The bounds of an explanation hold the truth, in positions that are small enough to know it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from support import explaining

from arena.review import explain
from arena.values.explained import Explained
from engines import State, load_game
from engines.search import Solver

GAMES = ("connect_four", "leaves", "treeblox", "build_your_arboretum", "the_tree(hand=18)")
SMALL = 2_000  # positions in which the truth is found
BACK = 14  # actions from the end of random play, at most


def late_positions(game: str, seed: int) -> Iterator[tuple[State, str, Solver]]:
    """Yield the earliest position of random play that can be solved, an action, and what solves it.

    None is yielded whose decision is settled in a few steps.
    """
    rng = random.Random(seed)
    rules = load_game(game)
    state = rules.new_initial_state(rules.setup(seed))
    played = []
    while players := state.players_to_act():
        for player in players:
            action = state.sample_action(player, rng)
            played.append((state, action))
            state = state.apply_action(player, action)
    solver, found = Solver(rules), None
    for state, action in reversed(played[-BACK:]):
        players, made = state.players_to_act(), solver.made
        if len(players) == 1 and state.count_legal(players[0]) > 1:
            proof = solver.prove(state, action, SMALL)
            if proof is None or not proof.complete:
                break
            if solver.made - made > 200:
                found = state, action, solver
    if found is not None:
        yield found


def explained(state: State, action: str, seed: int, simulations: int) -> Explained:
    """Return how a decision is explained whose match begins with it."""
    (player,) = state.players_to_act()
    record = explaining.played(str(state.game), state.observation(None), [(player, action)])
    found = explaining.explain(record, player, seed=seed, simulations=simulations)
    return found.decisions[0]


def campaign(
    games: Sequence[str], each: int, simulations: int
) -> Iterator[tuple[str, Explained, float]]:
    """Yield so many decisions of each game in which something better seems to be, and its gain."""
    for game in games:
        seed = done = 0
        while done < each:
            seed += 1
            for state, action, solver in late_positions(game, seed):
                found = explained(state, action, seed, simulations)
                if found.gain is None or found.best is None:
                    continue
                true = solver.values(state, (action, found.best), 20 * SMALL)
                if true is not None:
                    done += 1
                    yield game, found, true[1] - true[0]


@pytest.mark.parametrize(
    ("games", "each"),
    [
        pytest.param(GAMES[:3], 4, marks=pytest.mark.slow),
        pytest.param(GAMES, 40, marks=[pytest.mark.nightly, pytest.mark.timeout(3600)]),
    ],
)
def test_what_is_by_search_holds_the_truth(
    monkeypatch: pytest.MonkeyPatch, games: Sequence[str], each: int
) -> None:
    """With nothing solved, at least 95 of 100 differences lie between the bounds that are shown."""
    monkeypatch.setattr(explain, "SOLVED", 0)
    found = list(campaign(games, each, 300))
    inside = [one.low <= true <= one.high for _, one, true in found]  # type: ignore[operator]
    assert sum(inside) >= 0.95 * len(inside)
    assert any(one.is_claimed for _, one, _ in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "each"), [(("leaves",), 3), pytest.param(GAMES[:3], 2, marks=pytest.mark.nightly)]
)
def test_what_is_proven_is_the_truth(games: Sequence[str], each: int) -> None:
    """What is solved says what brute force says, and the line that proves it ends so."""
    exact = set()
    for game, found, true in campaign(games, each, 2_000):
        if found.how != "search":
            assert found.gain == found.low == true
            assert found.line_value == found.best_value
            assert found.reply_value == found.action_value
        if found.how == "exact":
            assert found.high == true
            exact.add(game)
    assert exact == {*games}
