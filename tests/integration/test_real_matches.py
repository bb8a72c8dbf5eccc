"""Matches of real processes: what is written to them and read from them, and how they end.

What any line comes to is in tests/unit/match, what wicked programs come to in tests/hostile.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from support.match_jobs import QUICK, SCRIPTED, job, seat

from arena.session import match_session
from arena.session.match_session import Pool, play_match
from arena.values.model import Record

pytestmark = pytest.mark.usefixtures("small_games", "no_process_left")


def play(*seats: object, game: str = "pebbles(players=2)", **more: object) -> Record:
    return play_match(job(game, *seats, **more)).record  # type: ignore[arg-type]


def test_program_missing() -> None:
    """A program that cannot be executed is a startup fault, not an error of ours."""
    record = play(seat(program=Path("/nowhere/bot.py")), seat("good"))
    assert record.by == "startup"


def test_wire_of_a_whole_game(tmp_path: Path) -> None:
    """What a bot reads in a game of three players is the protocol's text, line for line."""
    transcript = tmp_path / "transcript"
    play(
        seat("good", env=[("TRANSCRIPT", str(transcript))], clock=QUICK),
        seat("good", name="b"),
        seat("good", name="c"),
        game="pebbles",
        setup="4 0,0,0 1",
        opening_actions=((1, "take:1"),),
    )
    assert transcript.read_text() == (
        "hello abp 1\n"
        "game 852a606e70651445 pebbles\n"
        "seat 0 3\n"
        "clock move=400\n"
        "seed 7\n"
        "setup 4 0,0,0 1\n"
        "did 1 take:1\n"
        "did 2 take:1\n"
        "event left 3\n"
        "event left 2\n"
        "obs 2 0,1,1 0\n"
        "legal take:1 take:2\n"
        "go 1 limit=400\n"
        "did 0 take:1\n"
        "did 1 take:1\n"
        "event left 1\n"
        "event left 0\n"
        "end 852a606e70651445 rank=2/3 score=1,6,1 by=rules\n"
        "quit\n"
    )


def test_reuse_plays_the_same_match(tmp_path: Path) -> None:
    """One process plays many matches under ``reuse``; the records are those of fresh ones."""
    pool = Pool()
    seats = (seat("good"), seat("good", name="other"))
    with contextlib.closing(_Dismissed(pool)):
        first, second = (
            play_match(job("auction", *seats, processes="reuse"), pool).record for _ in range(2)
        )
        pids = pool.pids()
        third = play_match(job("auction", *seats, processes="reuse"), pool).record
        assert pool.pids() == pids
        assert len(pids) == 2
    fresh = play_match(job("auction", *seats)).record
    assert first.actions == second.actions == third.actions == fresh.actions
    assert [p.sent for p in third.players] == [p.sent for p in fresh.players]


class _Dismissed:
    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def close(self) -> None:
        self.pool.close()


def test_question_larger_than_the_pipe() -> None:
    """A question that does not fit into a pipe at once is written on as the bot reads it."""
    board = "...a/..ab/..ba/abb#/ab##/.bb#/.#aa/.ab./.a.."  # 6,550 legal actions, 65,735 bytes
    record = play(
        seat("good"),
        seat("good", name="other"),
        game="leaves(push=any,turns=free)",
        setup=f"{board} 1 1,2 2 *",
    )
    assert (record.by, len(record.actions)) == ("rules", 2)


def test_who_waits_is_watched_while_others_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots that take their time to leave keep nobody from looking at those of the next match."""
    points: list[str] = []
    monkeypatch.setattr(match_session, "cross", points.append)
    program = tmp_path / "lingers.py"
    program.write_text(f"{SCRIPTED.read_text()}\ntime.sleep(60)\n")
    pool = Pool()
    monkeypatch.setattr(pool, "look", lambda now: points.append("look"))
    bots = (seat("good", program=program), seat("good", program=program, name="other"))
    play_match(job("pebbles(players=2)", *bots, setup="3 0,0 0"), pool)
    pool.close()
    leaving = points[points.index("goodbye") : points.index("ended")]
    assert leaving.count("look") > 1
