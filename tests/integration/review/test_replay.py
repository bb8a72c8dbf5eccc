"""Records of real matches, replayed through the rules, and records that were tampered with."""

from __future__ import annotations

import dataclasses

import pytest
from support import small_games as games
from support.match_jobs import job, seat

from arena.record.leaks import leaks
from arena.record.replay import first_difference, replay_states, verify
from arena.session.match_session import play_match
from arena.values.model import Clock, Fault, Record, Termination
from engines import load_game

pytestmark = pytest.mark.usefixtures("small_games")


LONG = Clock(move_ms=5000, first_ms=0, margin_ms=50, start_ms=10000)


def play(mode: str, game: str, at: str = "2", **more: object) -> Record:
    others = {"pebbles": 2, "auction": 1, "draws": 1}[game]
    seats = [seat(mode, at), *(seat("good", name=f"good{i}") for i in range(others))]
    return play_match(job(game, *seats, **more)).record


# every verdict at every node is replayed by the rows of tests/unit/match
@pytest.mark.parametrize(
    ("game", "mode"),
    [("pebbles", "good"), ("auction", "crash"), ("draws", "illegal"), ("draws", "start-exit")],
)
def test_verify_accepts_what_was_played(game: str, mode: str) -> None:
    """A record of a real match, with whatever fault, is all right, and plays the same again."""
    record = play(mode, game, opening_actions=())
    assert verify(record) == []
    assert len(replay_states(record)) == len(record.actions) + 1
    assert first_difference(record, play(mode, game, opening_actions=())) is None


@pytest.mark.parametrize("game", ["pebbles", "auction"])
def test_verify_accepts_who_was_killed_before_it_was_ready(game: str) -> None:
    """A bot that was over a cap before it was ready is dropped first, whoever is to act."""
    count = 3 if game == "pebbles" else 2
    seats = [seat("good", name=f"good{i}") for i in range(count)]
    for player in range(count):
        record = play_match(job(game, *seats, lost_by=((player, Termination.MEMORY),))).record
        assert record.actions[0] == (player, None)
        [fault] = record.faults
        assert (fault.code, fault.decision) == (Termination.MEMORY, 0)
        assert record.players[player].want == ()
        assert verify(record) == []
        # no test starts 257 processes, and the record differs in nothing else
        flood = dataclasses.replace(fault, code=Termination.FLOOD)
        by = record.by if record.by is Termination.RULES else Termination.FLOOD
        assert verify(dataclasses.replace(record, by=by, faults=(flood,))) == []


def test_an_opening_is_told_node_by_node() -> None:
    """Neither player learns what the other bid in the opening before the round is over."""
    opening = ((0, "first:0"), (0, "bid:1b"), (1, "bid:-"), (0, "skip"))
    seats = [seat("good", name=f"good{i}", clock=LONG) for i in range(2)]
    setup = load_game("build_your_arboretum").setup(1)
    more = {"setup": setup, "opening_actions": opening, "max_decisions": 2}
    record = play_match(job("build_your_arboretum", *seats, **more)).record
    assert verify(record) == []


def test_verify_sees_tampering() -> None:
    """A changed action, result, termination or hash of what was sent is noticed."""
    record = play("good", "pebbles", setup="9 0,0,0 0")
    (player, action), *rest = record.actions
    assert action == "take:1"
    changes: dict[str, dict[str, object]] = {
        "rules do not accept": {"actions": ((player, "take:4"), *rest)},
        "scores are": {"scores": (9, 0, 0)},
        "ranks are": {"ranks": (1, 2, 3)},
        "ended by": {"by": Termination.CRASH, "scores": None},
        "allowed to know": {
            "players": (
                dataclasses.replace(record.players[0], sent="sha256:" + "1" * 64),
                *record.players[1:],
            )
        },
        "not over": {"actions": record.actions[:-1], "decisions": record.decisions[:-1]},
        "version 9": {"rules_version": 9},
        "was not dropped": {"faults": (Fault(1, Termination.CRASH, 1, "made up"),)},
        "contradicts itself": {"faults": (Fault(1, Termination.STARTUP, 0, "made up"),)},
    }
    for sentence, change in changes.items():
        found = verify(dataclasses.replace(record, **change))  # type: ignore[arg-type]
        assert any(sentence in line for line in found), (sentence, found)


@pytest.mark.slow
def test_first_difference_names_both_answers() -> None:
    """The first decision that differs is named with both answers, and whether time explains it."""
    good, bad = play("good", "auction"), play("illegal", "auction")
    sentence = first_difference(good, bad)
    assert sentence is not None
    assert sentence.startswith("decision 3 differs: was scripted-good-2 bid:2, now ")
    assert "dropped by illegal" in sentence
    assert "time does not explain it" in sentence
    late = play("hang", "auction")
    assert "time explains it" in str(first_difference(good, late))


# the leak audit: silent on games that keep their secrets, loud on one that does not


@pytest.mark.parametrize("game", ["draws", "auction", "pebbles(players=2)"])
def test_honest_games_pass(game: str) -> None:
    """What a player is sent in an honest game does not depend on what is hidden from it."""
    record = play_match(job(game, seat("good"), seat("good", name="other"))).record
    assert leaks(record, draws=10) == []


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A legal list that depends on the opponent's hidden card is found."""
    record = play_match(job("draws", seat("good"), seat("good", name="other"))).record
    from engines import load_game

    state_class = type(load_game("draws").new_initial_state())
    honest = state_class.legal_actions

    def telling(self: games.DrawsState, player: int) -> tuple[str, ...]:
        actions = honest(self, player)
        return actions[::-1] if self.position.hands[1 - player] > 2 else actions

    monkeypatch.setattr(state_class, "legal_actions", telling)
    found = leaks(record, draws=20)
    assert found
    assert "depends on hidden things" in found[0]
