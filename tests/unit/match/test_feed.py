"""What a player is told: the order of lines, parts of long lists, and the hash of it all."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arena.match import feed as feeds
from arena.match.feed import Feed
from engines import State, load_game

# the round-11 position of the rules page before the bids, with 13 parrots: 53,195 bids
MANY = (
    "11 bid 0 --- 13/10 P5,P6,Q1,Q6,R6,W2,W4 S8,V1,W7 P3,Q3,Q4,Q5,R5,R7,S1,S3,S7,T1,T2,T3,T7,U2,U3,"
    "U4,U7,V4,V5,V6,W3,W6,W8 - R1@B2,R2@C2,R3@C3,R4@C4,Q8@C5,S4@D3,S5@D4,Q2@E3,R8@E4 P8@A4,V7@B4,"
    "V8@B5,T5@C3,T6@C4,T8@C5,V3@D2,P4@D3,U5@D4,P1@E3,W1@E4 P7,Q7,T4,U1 P2,S2,S6,U6,U8,V2,W5 ./. -"
)


def test_long_legal_list_is_10000_seeded_actions() -> None:
    """Of 53,195 legal bids a bot is told 10,000 different ones, the same for the same seed."""
    state = load_game("build_your_arboretum").new_initial_state(MANY)
    assert state.count_legal(0) == 53_195
    text, part = Feed(0, ("legal",), None, 7).ask(state, 1)
    actions = text.removeprefix("legal ").rstrip("\n").split(" ")
    assert part
    assert len(set(actions)) == len(actions) == 10_000
    for action in actions[::500]:
        state.apply_action(0, action)
    assert Feed(0, ("legal",), None, 7).ask(state, 1) == (text, True)
    assert Feed(0, ("legal",), None, 8).ask(state, 1)[0] != text
    few, part = Feed(1, ("legal",), None, 7).ask(state, 1)
    assert (len(few.split(" ")) - 1, part) == (6145, False)  # 10 parrots


class Numbers(State):
    """A position with so many legal actions, ``0`` to ``N-1``; it counts what it is asked for."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.listed = 0
        self.drawn = 0

    def players_to_act(self) -> tuple[int, ...]:
        return (0,)

    def count_legal(self, player: int) -> int:
        return self.count

    def legal_actions(self, player: int) -> tuple[str, ...]:
        self.listed += 1
        return tuple(map(str, range(self.count)))

    def sample_action(self, player: int, rng: random.Random) -> str:
        self.drawn += 1
        return str(int(rng.random() * self.count))

    apply_action = scores = ranks = observation = drop_player = to_svg = None  # type: ignore[assignment]
    __str__ = __eq__ = __hash__ = object.__hash__  # type: ignore[assignment]


def told(state: State, seed: int = 7, decision: int = 1, **more: int) -> list[str]:
    """Return the legal actions that a bot is told, of which there are more."""
    text, part = Feed(0, ("legal",), None, seed, **more).ask(state, decision)
    assert part
    return text.removeprefix("legal ").rstrip("\n").split(" ")


@pytest.mark.parametrize("count", [10_001, 12_695, 20_000, 20_001, 26_081, 1_000_000])
def test_long_legal_list_costs_at_most_15000_draws(count: int) -> None:
    """Telling 10,000 of many legal actions takes at most 15,000 draws, or one list of 20,000."""
    state = Numbers(count)
    actions = told(state)
    assert len(set(actions)) == len(actions) == 10_000
    assert {int(action) for action in actions} <= set(range(count))
    assert state.drawn <= 15_000
    # up to twice as many are listed, once, and no more than that ever
    assert state.listed == (count <= 20_000)
    assert told(Numbers(count)) == actions
    assert told(Numbers(count), seed=8) != actions
    assert told(Numbers(count), decision=2) != actions


@pytest.mark.parametrize("count", [5, 8, 9, 20])
def test_every_legal_action_is_told_equally_often(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a few actions four are drawn, each as often as the others, in each place."""
    monkeypatch.setattr(feeds, "MAX_LEGAL", 4)
    monkeypatch.setattr(feeds, "LISTED", 8)
    times = 4000
    found = [told(Numbers(count), seed=seed) for seed in range(times)]
    for place in range(4):
        share = Counter(actions[place] for actions in found)
        assert len(share) == count
        mean = times / count
        # six standard deviations: the seeds are fixed, so this does not come and go
        assert max(abs(n - mean) for n in share.values()) < 6 * mean**0.5
