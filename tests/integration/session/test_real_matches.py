"""Matches of real processes: what is written to them and read from them, and how they end.

What any line comes to is in tests/unit/match, what wicked programs come to in tests/hostile.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.bot_programs import program
from support.match_jobs import QUICK, job, seat

from arena.session.match_session import play_match
from arena.values.model import Record

pytestmark = pytest.mark.usefixtures("small_games", "no_process_left")


def play(*seats: object, game: str = "pebbles(players=2)", **more: object) -> Record:
    return play_match(job(game, *seats, **more)).record  # type: ignore[arg-type]


def test_program_missing() -> None:
    """A program that cannot be executed is a startup fault, not an error of ours."""
    record = play(seat(program=Path("/nowhere/bot.py")), seat("good"))
    assert record.by == "startup"


def test_lines_of_whole_game_are_as_documented(tmp_path: Path) -> None:
    """What a bot reads in a game of three players is the protocol's text."""
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


@pytest.mark.slow
def test_the_end_of_a_match_ends_no_other(tmp_path: Path) -> None:
    """A match in a thread that ends while another goes on kills only what it has started."""
    (tmp_path / "slow.py").write_text(program(asked="time.sleep(0.1)"))
    slow, good = seat(program=tmp_path / "slow.py"), seat("good")
    records = []
    with ThreadPoolExecutor() as beside:
        long = beside.submit(play, slow, good, setup="12 0,0 0")
        while not long.done():
            records.append(play(good, good, setup="3 0,0 0"))
    records.append(long.result())
    assert len(records) > 2
    assert [(record.by, record.faults) for record in records] == [("rules", ())] * len(records)
