"""What shortens the search for a completion changes no answer, and keeps hard cases short."""

from __future__ import annotations

import random
from typing import Any

import pytest
from oracles import arborius_random
from support.arborius_setups import setup

import engines
from engines.arborius import completion
from engines.arborius.position import Position
from engines.arborius.steps import steps

GAME = engines.load_game("arborius")


def lists_along(line: str, seed: int, plies: int) -> list[tuple[str, ...]]:
    """Play from a setup, abilities and chains first; the lists of legal actions on the way."""
    rng, state, lists = random.Random(seed), GAME.new_initial_state(line), []
    for _ in range(plies):
        if state.is_terminal():
            break
        (player,) = state.players_to_act()
        legal = state.legal_actions(player)
        lists.append(legal)
        chained = [a for a in legal if a.startswith(("chain", "attack")) and rng.random() < 0.8]
        used = [action for action in legal if action.startswith("use")]
        state = state.apply_action(player, rng.choice(chained or used or legal))
    return lists


def _claims_nothing(of: object) -> bool:
    return False


def _lacks_nothing(pos: Position, user: int, printed: int) -> bool:
    return False


def _claims_all(pos: Position, user: int, printed: int) -> bool:
    return True


@pytest.mark.parametrize(
    "seeds", [range(100), pytest.param(range(1000, 2500), marks=pytest.mark.slow)]
)
def test_proofs_of_hopelessness_are_right(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them the same actions are legal, only later."""
    for seed in seeds:
        rng = random.Random(seed)
        size = rng.randrange(4, 8)
        decks = [arborius_random.deck(rng, size, able=1.0) for _ in "wb"]
        line = arborius_random.position(rng, *decks)
        short = lists_along(line, seed, plies=8)
        with monkeypatch.context() as patch:
            patch.setattr(completion, "LOOKS", 10**9)
            patch.setattr(completion, "hopeless", _claims_nothing)
            patch.setattr(completion, "can_begin", _claims_all)
            patch.setattr(completion, "lacks", _lacks_nothing)
            patch.setattr(completion, "_then_turns", _claims_nothing)
            patch.setattr(completion, "_THROUGH", ())
            patch.setattr(completion, "_DOWN_AND_TURN", ())
            patch.setattr(completion, "_distinct", steps)
            plain = lists_along(line, seed, plies=8)
        assert short == plain, line


def test_a_chain_before_the_first_descent_may_clear_its_way() -> None:
    """What a chained ability unplays in front of a stack lets that stack descend."""
    root = "0,0:w0N|0,1:w2N+w3E|1,1:w4N|1,2:b0N"
    tiles = "t[unplay;descend.adj1],t[unplay;unplay.adj1],a,a,a"
    state = GAME.new_initial_state(setup(root, tiles, w0="0,0:w1N"))
    assert "use:w0:w0" in state.legal_actions(0)
    for action in ("use:w0:w0", "unplay:w0", "chain:w0:w1", "unplay:w4", "descend:w3:1"):
        state = state.apply_action(0, action)
    assert " run=- " in state.observation(None)


def test_a_chain_before_the_first_descent_may_make_a_stack() -> None:
    """What a chained ability lets ascend can descend then, though no stack was high before."""
    root = "0,0:w0N|0,1:w2E|1,1:w3N|1,2:b0N"
    tiles = "t[unplay;descend.adj1],t[unplay;ascend.front],a,a"
    assert "use:w0:w0" not in GAME.new_initial_state(setup(root, tiles)).legal_actions(0)
    state = GAME.new_initial_state(setup(root, tiles, w0="0,0:w1N"))
    assert "use:w0:w0" in state.legal_actions(0)
    for action in ("use:w0:w0", "unplay:w0", "chain:w0:w1", "ascend:w2:1", "descend:w2:1"):
        state = state.apply_action(0, action)
    assert " run=- " in state.observation(None)


@pytest.mark.parametrize(
    ("front", "possible"),
    [
        ("0,1:w1N", True),
        ("0,1:w1N|0,2:w2N", True),
        ("0,1:w1N|0,2:w2N+w3N", False),
        ("0,1:w1N+w2N|0,2:w3N+w4N", True),
        ("0,1:w1N*", False),
    ],
)
def test_who_enters_exits_unless_it_is_too_high_or_frozen_there(front: str, possible: bool) -> None:
    """Section 6.2: a tile exits to a stack that is no higher than that of its container."""
    state = GAME.new_initial_state(setup(f"0,0:w0N|{front}|1,1:b0N", "t[enter;exit],a,a,a,a"))
    assert ("use:w0:w0" in state.legal_actions(0)) == possible


@pytest.mark.parametrize(("below", "possible"), [("w1N", True), ("w1N*", False)])
def test_who_descends_turns_what_it_stood_on_unless_that_is_frozen(
    below: str, possible: bool
) -> None:
    """Section 6.2: whatever is around a user can be turned, but not what is frozen."""
    tiles = "t[descend;rotate.adj1],a"
    state = GAME.new_initial_state(setup(f"-1,-1:b0N|0,0:{below}+w0N", tiles))
    assert ("use:w0:w0" in state.legal_actions(0)) == possible


def test_alike_tiles_inside_are_not_tried_in_every_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six alike abilities, of which none can end, do not take a search for each order."""
    searched: list[Position] = []
    search = completion._search

    def counted(pos: Position, *rest: Any) -> bool:
        searched.append(pos)
        return search(pos, *rest)

    monkeypatch.setattr(completion, "_search", counted)
    tiles = ",".join(["oak", *["twirl[rotate;rotate;ascend]"] * 6, "oak"])
    inside = "|".join(f"0,{cell}:w{1 + cell}N" for cell in range(6))
    state = GAME.new_initial_state(
        f"turn=0 phase=turn actor=0 w={tiles} b=oak root=0,0:w0N|1,1:b0S w0={inside} "
        "dead=- used=- hit=- run=- offer=- give=- result=-"
    )
    assert not any(action.startswith("use:w0:") for action in state.legal_actions(0))
    assert len(searched) < 6 * 5 * 4 * 3 * 2
