"""Build Your Arboretum against its page: examples, rulings, texts, what is refused."""

from __future__ import annotations

import pytest

import engines
from engines import BadSetup, IllegalAction, State

GAME = engines.load_game("build_your_arboretum")
CARDS = [f"{suit}{number}" for suit in "PQRSTUVW" for number in range(1, 9)]
OFFERED = (0, 5, 5, 5, 5, 5, 6, 6, 6, 7, 7, 7)

RED = "R1@B2,R2@C2,R3@C3,R4@C4,Q8@C5,S4@D3,S5@D4,Q2@E3,R8@E4"
BLUE = "P8@A4,V7@B4,V8@B5,T5@C3,T6@C4,T8@C5,V3@D2,P4@D3,U5@D4,P1@E3,W1@E4"


def position(
    round_: int = 11,
    phase: str = "play",
    *,
    parrots: str = "6/6",
    offering: str = "-",
    refuse: str = "-",
    removed: str = "-",
    gardens: tuple[str, str] = ("-", "-"),
    boards: tuple[str, str] = ("-", "-"),
    bids: str = "-",
    turns: str = "-",
) -> str:
    """Write a position; its deck is the first cards, ascending, that lie nowhere else."""
    planted = [part[:2] for garden in gardens for part in garden.split(",")]
    used = {*planted}
    for pile in (offering, refuse, removed, *boards):
        used |= {*pile.split(",")}
    deck = [card for card in CARDS if card not in used][: sum(OFFERED[round_ + 1 :])]
    return (
        f"{round_} {phase} 0 --- {parrots} {offering} {refuse} {removed} "
        f"{','.join(deck) or '-'} {gardens[0]} {gardens[1]} {boards[0]} {boards[1]} {bids} {turns}"
    )


def start(text: str, advantage: int = 0) -> State:
    """Return the state of a position."""
    return engines.load_game(f"build_your_arboretum(advantage={advantage})").new_initial_state(text)


def play(state: State, *actions: tuple[int, str]) -> State:
    """Apply actions, each of which the list of legal actions must hold."""
    for player, action in actions:
        assert state.players_to_act()[0] == player
        assert action in state.legal_actions(player)
        state = state.apply_action(player, action)
    return state


def heard(state: State) -> list[str]:
    """Return the texts of the events, which all are for everybody."""
    assert all(event.player is None for event in state.events())
    return [event.text for event in state.events()]


def field(state: State, number: int) -> str:
    """Return a field of the whole truth, counted from 1 as the page does."""
    return state.observation(None).split(" ")[number - 1]


# The page's examples.

EXAMPLE = position(
    phase="bid",
    parrots="9/10",
    offering="P5,P6,Q1,Q6,R6,W2,W4",
    refuse="S8,V1,W7",
    removed="P3,Q3,Q4,Q5,R5,R7,S1,S3,S7,T1,T2,T3,T7,U2,U3,U4,U7,V4,V5,V6,W3,W6,W8",
    gardens=(RED, BLUE),
    boards=("P7,Q7,T4,U1", "P2,S2,S6,U6,U8,V2,W5"),
    bids="./.",
)
EXAMPLE_BIDS = ((0, "bid:3b-2g-2g-1g-1g"), (1, "bid:3b-3g-2b-1b-1g"))


def test_example_bids_make_the_turn_track() -> None:
    """Red's and Blue's bids give the published order; Blue's fifth group would be tenth."""
    state = play(start(EXAMPLE, 1), *EXAMPLE_BIDS)
    assert heard(state) == [
        "bids 3b-2g-2g-1g-1g/3b-3g-2b-1b-1g",
        "turns 0b,1b,1g,0g,1b,0g,0g,1b,0g",
    ]
    assert state.observation(None) == (
        "11 play 0 --- 9/10 P5,P6,Q1,Q6,R6,W2,W4 S8,V1,W7 "
        "P3,Q3,Q4,Q5,R5,R7,S1,S3,S7,T1,T2,T3,T7,U2,U3,U4,U7,V4,V5,V6,W3,W6,W8 - "
        f"{RED} {BLUE} P7,Q7,T4,U1 P2,S2,S6,U6,U8,V2,W5 - 0b,1b,1g,0g,1b,0g,0g,1b,0g"
    )
    assert state.legal_actions(0) == (
        "take:P5",
        "take:P6",
        "take:Q1",
        "take:Q6",
        "take:R6",
        "take:W2",
        "take:W4",
        "hire:P7,Q7",
        "hire:P7,T4",
        "hire:Q7,T4",
        "hire:P7,Q7,T4",
        "hire:P7,Q7,U1",
        "hire:P7,T4,U1",
        "hire:Q7,T4,U1",
        "hire:P7,Q7,T4,U1",
        "start",
        "skip",
    )


def test_example_is_played_move_by_move() -> None:
    """The published moves lead to the published end, each with the published effect."""
    state = play(start(EXAMPLE, 1), *EXAMPLE_BIDS, (0, "hire:Q7,T4"))
    assert state.events() == ()
    assert field(state, 4) == "-0-"
    assert field(state, 5) == "10/10"
    assert field(state, 6) == "P5,P6,Q1,Q6,Q7,R6,T4,W2,W4"
    assert field(state, 12) == "P7,U1"
    assert field(state, 15) == "1b,1g,0g,1b,0g,0g,1b,0g"

    # Blue has a full board: nine cards with seven discards each, no hire any more
    assert state.count_legal(1) == 9 * 7 + 2
    state = play(state, (1, "take:T4:S2"))
    assert field(state, 6) == "P5,P6,Q1,Q6,Q7,R6,S2,W2,W4"
    assert field(state, 13) == "P2,S6,T4,U6,U8,V2,W5"

    state = play(state, (1, "dig:V1:D1"))
    assert field(state, 4) == "10-"
    assert field(state, 7) == "S8,W7"
    assert field(state, 11) == BLUE.replace("V3@D2", "V1@D1,V3@D2")

    with pytest.raises(IllegalAction, match="dig was taken"):
        state.apply_action(0, "dig:S8:D5")
    state = play(state, (0, "plant:Q7:D5"), (1, "take:P5:W5"), (0, "start"))
    assert field(state, 3) == "0"
    assert field(state, 4) == "100"
    assert field(state, 15) == "0g,1b,0g"

    state = play(state, (0, "skip"))
    assert field(state, 15) == "1b"

    state = play(state, (1, "take:Q6:U6"))
    assert state.players_to_act() == ()
    assert heard(state) == [
        "end 11 starter 0 removed S8,W7 refuse P6,Q1,R6,S2,U6,W2,W4,W5",
        "score parrots 0/0",
        "score starter 1/0",
        "score P 0/9",
        "score Q 0/0",
        "score R 9/0",
        "score S 0/0",
        "score T 0/5",
        "score U 0/0",
        "score V 0/10",
        "score W 0/0",
        "total 10/24",
    ]
    assert state.observation(None) == (
        "11 over 0 --- 10/10 - P6,Q1,R6,S2,U6,W2,W4,W5 "
        "P3,Q3,Q4,Q5,R5,R7,S1,S3,S7,S8,T1,T2,T3,T7,U2,U3,U4,U7,V4,V5,V6,W3,W6,W7,W8 - "
        "R1@B2,R2@C2,R3@C3,R4@C4,Q8@C5,S4@D3,S5@D4,Q7@D5,Q2@E3,R8@E4 "
        "P8@A4,V7@B4,V8@B5,T5@C3,T6@C4,T8@C5,V1@D1,V3@D2,P4@D3,U5@D4,P1@E3,W1@E4 "
        "P7,U1 P2,P5,Q6,S6,T4,U8,V2 - -"
    )
    assert state.scores() == (10, 24)
    assert state.ranks() == (2, 1)
    assert state.returns() == (-1, 1)


def test_position_f_has_three_hires_and_forced_skip() -> None:
    """The page's position F has three hires; then a forced skip ends the round."""
    state = start(position(2, boards=("P1,P2,P6", "Q7"), turns="0b,1b,0g,1g,0g"))
    hires = ("hire:P1,P6", "hire:P2,P6", "hire:P1,P2,P6")
    assert state.legal_actions(0) == (*hires, "start", "skip")
    state = play(state, (0, "hire:P2,P6"), (1, "start"), (0, "plant:P2:C3"), (1, "plant:P6:C3"))
    assert heard(state) == [
        "forced-skip 0",
        "end 2 starter 1 removed - refuse -",
        "round 3 starter 1 parrots 7/6 offer P3,P4,P5,P7,P8",
    ]
    assert state.players_to_act() == (0, 1)


def scored(garden: str, suit: str) -> int:
    """Return what a suit scores for player 0 once a last turn is skipped."""
    state = start(position(gardens=(garden, "-"), turns="0g"))
    (line,) = [t for t in heard(state.apply_action(0, "skip")) if t.startswith(f"score {suit} ")]
    return int(line.split(" ")[2].split("/")[0])


@pytest.mark.parametrize(
    ("garden", "suit", "points"),
    [
        ("P2@A1,P3@B1,P4@C1,P5@D1,Q6@E1,P7@F1", "P", 8),  # the page's row
        ("P2@A1,P3@B1,P4@C1,P5@D1,Q6@E1,P7@F1", "Q", 0),
        ("P2@A1,P3@B1", "P", 2),
        ("P2@A1", "P", 0),
        ("P1@A1,P8@A2", "P", 5),  # 2, begins with a 1, ends with an 8
        ("P1@A1,P2@A2,P3@A3,P4@A4", "P", 9),  # the bonus is not doubled
        ("P5@A1,P6@A2,P7@A3,P8@A4", "P", 10),
        ("P5@A1,P7@A2,P8@A3", "P", 5),  # three cards are not doubled
        ("P2@A1,Q2@A2,P3@A3", "P", 0),  # numbers rise strictly
        ("P1@A1,Q2@A2,P3@A3", "P", 4),  # and its own 1
        ("Q1@A1,P2@A2,Q3@A3,P4@A4,Q8@A5", "P", 3),  # begins and ends with the suit
        ("Q1@A1,P2@A2,Q3@A3,P4@A4,Q8@A5", "Q", 8),  # shares cards with P's path
        ("P4@A1,P3@A2", "P", 2),  # direction is free
        ("P1@A1,Q2@A2,Q3@A3,P3@B1,P4@B2,P5@B3", "P", 9),  # four of the suit beat any mixture
        ("P1@A1,Q2@A2,Q3@A3,Q4@B3,Q6@C2,Q5@C3,Q7@D2,P8@E2", "P", 11),
        ("P1@A6,P2@B1", "P", None),  # A6 and B1 are not adjacent: no one piece
    ],
)
def test_best_path_scores_as_on_page(garden: str, suit: str, points: int | None) -> None:
    """The best path of a suit is worth what the page says."""
    if points is None:
        with pytest.raises(BadSetup, match="one piece"):
            scored(garden, suit)
    else:
        assert scored(garden, suit) == points


# The rulings.


def bidding(parrots: str) -> State:
    """Return a state in which both owe a bid: in round 2, or the first with so many parrots."""
    round_ = max(2, int(parrots.partition("/")[0]) - 6)
    return start(position(round_, "bid", parrots=parrots, bids="./."))


@pytest.mark.parametrize(
    ("parrots", "bids", "short"),
    [
        (0, 1, 1),
        (1, 3, 3),
        (2, 9, 9),
        (3, 23, 23),
        (4, 57, 57),
        (5, 131, 131),
        (6, 297, 297),
        (7, 647, 647),
        (8, 1393, 1393),
        (9, 2939, 2939),
        (10, 6145, 5121),
        (11, 12695, 8599),
        (12, 26081, 13793),
        (13, 53195, 21451),
        (14, 108089, None),
        (17, 889051, None),
    ],
)
def test_number_of_bids(parrots: int, bids: int, short: int | None) -> None:
    """The page's numbers of bids, and of those with at most nine groups."""
    state = bidding(f"{parrots}/6")
    assert state.count_legal(0) == bids
    if short is not None:
        listed = state.legal_actions(0)
        assert len({*listed}) == len(listed) == bids
        assert sum(action.count("-") < 9 or action == "bid:-" for action in listed) == short


def test_bids_are_secret_until_both_are_in() -> None:
    """Neither a made nor an owed bid of the other is seen; the second one reveals both."""
    before = bidding("6/6")
    assert [before.observation(p).split(" ")[13] for p in (0, 1)] == ["./?", "?/."]
    made = before.apply_action(0, "bid:3b")
    assert made.players_to_act() == (1,)
    assert made.events() == ()
    assert [made.observation(p).split(" ")[13] for p in (0, 1)] == ["3b/?", "?/."]
    assert made.action_seen(1, 0, "bid:3b") == "?"
    assert made.action_seen(0, 0, "bid:3b") == "bid:3b"
    other = before.apply_action(1, "bid:-")
    assert other.players_to_act() == (0,)
    assert other.action_seen(0, 1, "bid:-") == "?"
    revealed = made.apply_action(1, "bid:-")
    assert revealed == other.apply_action(0, "bid:3b")
    assert heard(revealed) == ["bids 3b/-", "turns 0b"]
    assert revealed.action_seen(1, 0, "bid:3b") == "bid:3b"
    assert revealed.action_seen(0, 1, "bid:-") == "bid:-"


def test_timeouts_act_as_published() -> None:
    """A late bid is the empty bid, a late turn a skip, a late choice oneself."""
    assert GAME.new_initial_state().timeout_action(0) == "first:0"
    assert start(",".join(CARDS), 1).timeout_action(1) == "first:1"
    assert start(",".join(CARDS), 1).timeout_action(0) is None
    state = bidding("6/6")
    assert [state.timeout_action(player) for player in (0, 1)] == ["bid:-", "bid:-"]
    made = state.apply_action(0, "bid:1b")
    assert [made.timeout_action(player) for player in (0, 1)] == [None, "bid:-"]
    turn = start(position(turns="1g", offering="P1"))
    assert [turn.timeout_action(player) for player in (0, 1)] == [None, "skip"]
    assert turn.apply_action(1, "skip").timeout_action(1) is None


# A player who leaves.


def test_drop_while_bidding_tells_no_bid() -> None:
    """A bid that was not revealed is gone with the game; the deck stays hidden."""
    state = bidding("6/6").apply_action(0, "bid:4b-2g").drop_player(1)
    assert state.observation(None).endswith(" - - drop=1")
    assert state.observation(1).endswith(" - - drop=1")
    assert "4b" not in state.observation(1)
    assert state.observation(1).split(" ")[8] == ",".join("?" * 54)
