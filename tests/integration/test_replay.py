"""Records of real matches, replayed through the rules, and records that were tampered with."""

from __future__ import annotations

import dataclasses

import pytest
from match_jobs import job, seat

from arena.model import Fault, Record, Termination
from arena.referee.driver import play_match
from arena.referee.replay import first_difference, replay_states, verify

pytestmark = pytest.mark.usefixtures("small_games")


def play(mode: str, game: str, at: str = "2", **more: object) -> Record:
    others = {"pebbles": 2, "auction": 1, "draws": 1}[game]
    seats = [seat(mode, at), *(seat("good", name=f"good{i}") for i in range(others))]
    return play_match(job(game, *seats, **more)).record


@pytest.mark.parametrize("game", ["pebbles", "auction", "draws"])
@pytest.mark.parametrize("mode", ["good", "crash", "resign", "twice", "illegal", "start-exit"])
def test_verify_accepts_what_was_played(game: str, mode: str) -> None:
    """A record of a real match, with whatever fault, is all right, and plays the same again."""
    record = play(mode, game, opening_actions=())
    assert verify(record) == []
    assert len(replay_states(record)) == len(record.actions) + 1
    assert first_difference(record, play(mode, game, opening_actions=())) is None


def test_verify_accepts_an_opening() -> None:
    """An opening is part of what everybody was told."""
    assert (
        verify(play("good", "pebbles", opening_actions=((1, "take:2"),), setup="9 0,0,0 1")) == []
    )


@pytest.mark.parametrize("game", ["pebbles", "pebbles(players=2)", "auction"])
@pytest.mark.parametrize("code", [Termination.MEMORY, Termination.FLOOD])
def test_verify_accepts_who_was_killed_before_it_was_ready(game: str, code: Termination) -> None:
    """A bot that was over a cap before it was ready is dropped first, whoever is to act."""
    count = 3 if game == "pebbles" else 2
    seats = [seat("good", name=f"good{i}") for i in range(count)]
    for player in range(count):
        record = play_match(job(game, *seats, over_memory=(player,))).record
        assert record.actions[0] == (player, None)
        [fault] = record.faults
        assert (fault.code, fault.decision) == (Termination.MEMORY, 0)
        assert record.players[player].want == ()
        # no test starts 257 processes, and the record differs in nothing else
        by = record.by if record.by is Termination.RULES else code
        record = dataclasses.replace(record, by=by, faults=(dataclasses.replace(fault, code=code),))
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
        "contradicts itself": {
            "faults": (Fault(1, Termination.STARTUP, 0, "made up"),),
        },
    }
    for sentence, change in changes.items():
        found = verify(dataclasses.replace(record, **change))  # type: ignore[arg-type]
        assert any(sentence in line for line in found), (sentence, found)


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
