"""What a player is told: the order of lines, parts of long lists, and the hash of it all."""

from __future__ import annotations

import hashlib

from arena.referee.feed import Feed, public_setup, tell
from engines import load_game

# the round-11 position of the rules page before the bids, with 13 parrots: 53,195 bids
MANY = (
    "11 bid 0 --- 13/10 P5,P6,Q1,Q6,R6,W2,W4 S8,V1,W7 P3,Q3,Q4,Q5,R5,R7,S1,S3,S7,T1,T2,T3,T7,U2,U3,"
    "U4,U7,V4,V5,V6,W3,W6,W8 - R1@B2,R2@C2,R3@C3,R4@C4,Q8@C5,S4@D3,S5@D4,Q2@E3,R8@E4 P8@A4,V7@B4,"
    "V8@B5,T5@C3,T6@C4,T8@C5,V3@D2,P4@D3,U5@D4,P1@E3,W1@E4 P7,Q7,T4,U1 P2,S2,S6,U6,U8,V2,W5 ./. -"
)


def test_more_than_ten_thousand_legal_actions() -> None:
    """Of 53,195 bids 10,000 different legal ones are told, the same ones for the same seed."""
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


def test_order_and_hash() -> None:
    """Setup, actions, events, position, in this order; the hash is over just these lines."""
    game = load_game("the_tree")
    first = game.new_initial_state(game.setup(1))
    player = first.players_to_act()[0]
    action = first.legal_actions(player)[0]
    second = first.apply_action(player, action)
    assert public_setup(game.setup(1), first, 2) is None
    feed = Feed(0, ("obs", "did", "event"), "a setup", 1)
    tell([feed], (), [first])
    tell([feed], [(player, action)], [second])
    text, part = feed.ask(second, 1)
    verbs = [line.split(" ")[0] for line in text.splitlines()]
    assert verbs == sorted(verbs, key=["setup", "did", "event", "obs"].index)
    assert set(verbs) == {"setup", "did", "event", "obs"}
    assert not part
    assert feed.sent() == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_nothing_unwanted() -> None:
    """A bot is told only what it wants, and others' private events never."""
    game = load_game("the_tree")
    state = game.new_initial_state(game.setup(1))
    feed = Feed(1, ("event",), None, 1)
    tell([feed], (), [state])
    text, _ = feed.ask(state, 1)
    own, *rest = text.splitlines()
    assert own.startswith("event hand ")
    assert [line.split(" ")[1] for line in rest] == ["start"]
