"""What a person sees of a value at Python's prompt: one short line."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from support import finished

import engines
from arena.store import Edition
from arena.values.model import BotEntry, MatchResult, Termination, Tournament
from arena.values.tables import CrossTable, Leaderboard, LeaderboardRow


def test_a_record() -> None:
    """It names the match, who played, and how it ended."""
    record = finished.record(1, ["oak", "elm"], [1, 2], ms=[[1.0], [2.0]], scores=(12.0, 9.5))
    assert repr(record) == f"<Record {record.id} leaves: oak 12 - elm 9.5, by rules, 2 decisions>"
    lost = finished.record(1, ["oak", "elm"], [1, 2], faults=[(1, Termination.TIME)])
    assert repr(lost) == f"<Record {lost.id} leaves: oak #1 - elm #2, by time (elm), 0 decisions>"


def test_a_hostile_record() -> None:
    """What others wrote cannot move a cursor, nor make the line long."""
    record = finished.record(1, ["\x1b[2J", "b" * 5000], [1, 2], game="g" * 5000)
    assert "\x1b" not in repr(record)
    assert len(repr(record)) < 400


def test_a_leaderboard() -> None:
    """It names the tournament and who leads."""

    def row(rank: int, bot: str, score: float) -> LeaderboardRow:
        return LeaderboardRow(
            rank, bot, 1, score, "order-free", 25.0, 8.0, 4, 2, 0, 2, 1.5, None, {}
        )

    rows = tuple([row(n, f"bot{n}", 1600.4 - n) for n in range(1, 7)])
    assert repr(Leaderboard("open", rows[:2])) == "<Leaderboard open: 1. bot1 1599, 2. bot2 1598>"
    assert repr(Leaderboard("open", rows)).endswith("3. bot3 1597, 3 more>")
    assert repr(Leaderboard(None, ())) == "<Leaderboard of all tournaments: nobody>"


@pytest.mark.parametrize("name", engines.game_names())
def test_a_state(name: str) -> None:
    """It names the game, who is to act, and the position; at the end the scores."""
    state = engines.load_game(name).new_initial_state()
    shown = repr(state)
    player = state.players_to_act()[0]
    assert shown.startswith(f"<{name}, player {player}")
    assert "\n" not in shown
    assert len(shown) <= 100
    rng = random.Random(1)
    while players := state.players_to_act():
        state = state.apply_action(players[0], state.sample_action(players[0], rng))
    assert repr(state).startswith(f"<{name}, over: ")


def test_a_tournament() -> None:
    """It names what is played by whom, and no more than fits."""
    bots = tuple([BotEntry(f"bot{n}", ref="random") for n in range(1, 6)])
    few = Tournament("open", ("leaves", "the_tree"), bots[:2], rounds=3)
    assert repr(few) == "<Tournament open: leaves, the_tree, round-robin, 3 × bot1, bot2>"
    assert repr(replace(few, bots=bots)).endswith("3 × bot1, bot2, bot3, bot4, 1 more>")
    assert "\x1b" not in repr(replace(few, name="\x1b[2J"))


def test_a_cross_table() -> None:
    """It names the tournament and who met."""
    assert repr(CrossTable("open", ("oak", "elm"), ())) == "<CrossTable open: oak, elm>"
    assert repr(CrossTable(None, (), ())) == "<CrossTable of all tournaments: nobody>"


def test_an_edition() -> None:
    """It hides the canonical form, which is long."""
    edition = Edition(1, "open", 2, "f" * 64, "{}" * 500, "", "")
    assert repr(edition) == "<Edition open#2, unfinished>"
    assert repr(edition._replace(ended="2026-01-02")) == "<Edition open#2, ended 2026-01-02>"


def test_a_result_of_a_match() -> None:
    """It is the record's line."""
    record = finished.record(1, ["oak", "elm"], [1, 2], ms=[[1.0], [2.0]], scores=(12.0, 9.5))
    assert repr(MatchResult(1, record)) == f"<MatchResult {record!r}>"
