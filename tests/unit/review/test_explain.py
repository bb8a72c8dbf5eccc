"""Decisions whose worth is known from the rules, and what may not be claimed."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from support.explaining import explain, played

from arena.report.explanation_text import lost_text
from arena.values.errors import UsageError
from arena.values.explained import Explained, Explanation, LostMatch, LostMatches
from engines import load_game


def returns_after(game: str, setup: str, player: int) -> dict[str, float]:
    """Return what each action of the last decision of a game brings a player, by the rules."""
    state = load_game(game).new_initial_state(setup)
    found = {}
    for action in state.legal_actions(player):
        after = state.apply_action(player, action)
        assert after.is_terminal()
        found[action] = after.returns()[player]
    return found


# a#b: the last leaf of player 0. From the north or south onto the log it cuts off b, and onto b it
# takes its place; both win. Onto a it takes the place of its own leaf, and from the west or east it
# touches no log: 1-1.
LAST_LEAF = "a#b 0 1,0 1 *"
WINS = {"N2", "S2", "N3", "S3"}


def test_a_win_in_one_that_was_missed_in_leaves() -> None:
    """A draw was played where a win was to be had: half a point, exactly, and the proof."""
    known = returns_after("leaves", LAST_LEAF, 0)
    assert {a for a, value in known.items() if value == 1} >= WINS - {"N2", "S2"}
    assert {a for a, value in known.items() if value == 0} >= {"N1", "S1"}
    found = explain(played("leaves", LAST_LEAF, [(0, "N1")]), 0, simulations=3000)
    (decision,) = found.decisions
    assert found.costliest() == (decision,)
    assert known[str(decision.best)] == 1
    assert (decision.action, decision.action_value, decision.best_value) == ("N1", 0.5, 1.0)
    assert decision.gain == decision.low == decision.high == 0.5
    assert (decision.how, found.simulations) == ("exact", 0)
    assert decision.line == ((0, decision.best),)
    assert (decision.line_value, decision.reply_value) == (1.0, 0.5)


def test_nothing_is_claimed_where_every_action_loses() -> None:
    """Four leaves of the other player lie on logs, and one leaf is left: it is lost already."""
    setup = "bb/##/bb 0 1,0 1 *"
    known = returns_after("leaves", setup, 0)
    assert set(known.values()) == {-1}
    for seed in range(5):
        found = explain(played("leaves", setup, [(0, "N1")]), 0, seed=seed, simulations=500)
        assert found.costliest() == ()
        assert found.decisions[0].value == 0.0


# 12 on the blanks earns an extra turn, and then 13 goes out on top of the 1 or 2: a win in two. If
# it hangs over, it earns none, and the other, whose one tile is not known, may go out.
EXTRA_TURN = "00@0:0 12,13/33 55 0 -"


def test_what_is_hidden_changes_nothing() -> None:
    """Deals that look the same to the player have the same explanation."""
    deals = (EXTRA_TURN, "00@0:0 12,13/55 33 0 -", "00@0:0 12,13/22 77 0 -")
    first, *others = (
        explain(played("the_tree", setup, [(0, "12@1:1")]), 0, simulations=900) for setup in deals
    )
    assert others == [first] * 2


@pytest.mark.usefixtures("small_games")
def test_what_others_choose_at_the_same_time_is_not_known() -> None:
    """The recorded bid of the other, made before, changes nothing in the worth of one's own."""
    setup = "2,1,3 1,2,3/1,2,3 ./. 0,0"
    first, second = (
        explain(played("auction", setup, [(0, f"bid:{bid}"), (1, "bid:1")]), 1, simulations=900)
        for bid in (1, 3)
    )
    assert first == second
    assert first.decisions[0].position == 1


@pytest.mark.slow
def test_the_same_arguments_give_the_same_values() -> None:
    """All chance comes from the seed, or from the match's id."""
    record = played("the_tree", EXTRA_TURN, [(0, "12@1:1")])
    assert explain(record, 0, simulations=600) == explain(record, 0, simulations=600)
    with_seed = [explain(record, 0, seed=seed, simulations=600) for seed in (1, 1, 2)]
    assert with_seed[0] == with_seed[1]
    assert with_seed[0].decisions != with_seed[2].decisions
    other = replace(record, id="0123456789abcdef")
    assert explain(record, 0, simulations=600).decisions != (
        explain(other, 0, simulations=600).decisions
    )


def test_the_seed_of_the_deal_plays_no_part() -> None:
    """It may be secret; a match that is shown without it has the same explanation."""
    record = played("the_tree", EXTRA_TURN, [(0, "12@1:1")])
    found = [explain(replace(record, seed=seed), 0, simulations=600) for seed in (1, 2, None)]
    assert found[0] == found[1] == found[2]


def test_who_is_explained() -> None:
    """Left out, it is who came last, the first of those who share the place."""
    record = played("leaves", LAST_LEAF, [(0, "N1")])
    assert explain(record, simulations=100).player == 1
    assert explain(replace(record, ranks=(1, 1)), simulations=100).player == 0
    with pytest.raises(UsageError, match="seat 2"):
        explain(record, 2, simulations=100)


def test_json_holds_everything() -> None:
    """The plain values say which decisions are claimed, and which cost most."""
    known = Explained(4, 3, "A", 0.9, 0.4, "B", 0.9, gain=0.5, low=0.5, high=1.0)
    unsure = Explained(2, 2, "C", 0.5, 0.4, "D", 0.5, gain=0.1, low=-0.5, high=1.0)
    maybe = Explained(8, 5, "G", 1.0, 0.1, "H", 1.0, gain=0.9, low=0.0, high=1.0)
    costlier = Explained(6, 4, "E", 1.0, 0.4, "F", 1.0, gain=0.6, low=0.6, high=0.6)
    found = Explanation("id", 1, "score", None, 100, (unsure, known, costlier, maybe))
    assert found.costliest() == (costlier, known, maybe)  # the gain of the last may be none
    assert [one.is_costly for one in found.costliest()] == [True, True, False]
    assert found.costliest(1) == (costlier,)
    value = json.loads(json.dumps(found.as_json()))
    assert value["costliest"] == [6, 4, 8]
    assert [decision["claimed"] for decision in value["decisions"]] == [False, True, True, True]
    assert value["decisions"][1]["best"] == "B"


def test_lost_matches_say_at_which_decisions() -> None:
    """Each game has phases: in how many matches one was wrong, or the costliest, and the sum."""
    short = [
        Explained(2, 1, "A", 0.5, 0.0, "B", 0.5, gain=0.5, low=0.5, high=0.5),
        Explained(8, 3, "A", 1.0, 0.0, "B", 1.0, gain=1.0, low=1.0, high=1.0, how="exact"),
        Explained(9, 4, "A", 0.5, 0.0, "B", 0.5, gain=0.5, low=-0.5, high=1.0),
    ]
    long = [replace(decision, number=10 * decision.number) for decision in short]
    matches = [
        LostMatch(game, ("oak", "elm"), Explanation(match, 1, "score", None, 9, tuple(decisions)))
        for game, match, decisions in (("g", "a", short), ("g", "b", short[:1]), ("h", "c", long))
    ]
    lost = LostMatches("elm", "cup", 5, tuple(matches))
    assert lost.phases() == [
        ("g", 1, 1, 2, 1, 1.0),
        ("g", 3, 3, 1, 1, 1.0),
        ("h", 9, 12, 1, 0, 0.5),
        ("h", 29, 32, 1, 1, 1.0),
    ]
    text = lost_text(lost)
    assert "the newest 3 of 5" in text
    assert re.search(r"c +oak +30 +A +B +a win instead of a loss", text)
    assert re.search(r"g +1 +2 +1 +1\.00", text)
