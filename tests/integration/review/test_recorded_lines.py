"""Recorded lines: what a real bot read from its pipe is made again from the record."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from support.match_jobs import job, seat

from arena.record.record import format_record, parse_record
from arena.record.recorded import blocks_sent
from arena.session.match_session import play_match
from arena.values.model import Clock, Opening, Record

LISTENER = Path(__file__).parents[1] / "programs" / "listener.py"
LONG = Clock(move_ms=5000, first_ms=1000, margin_ms=50, start_ms=10000)
GAME = Clock(move_ms=None, main_ms=60_000, inc_ms=7, first_ms=0, start_ms=10000)
HASHED = ("setup", "did", "event", "obs", "legal")

pytestmark = pytest.mark.usefixtures("small_games", "no_process_left")


def play(folder: Path, game: str, *hows: str, clock: Clock = LONG, **more: object) -> Record:
    """Play a match of listeners; check every line that each read, and what it is hashed to."""
    seats = [
        seat(str(folder / f"{n}"), *how.split(), program=LISTENER, name=f"b{n}", clock=clock)
        for n, how in enumerate(hows)
    ]
    record = play_match(job(game, *seats, **more)).record
    written = parse_record(format_record(record))
    for number, player in enumerate(written.players):
        blocks = blocks_sent(written, number)
        lines = [line for block in blocks for line in block.lines]
        assert lines == (folder / str(number)).read_text().splitlines()
        assert all(block.exact for block in blocks)
        assert hash_of(lines) == player.sent
    return record


def hash_of(lines: list[str]) -> str:
    kept = [f"{line}\n" for line in lines if line.split(" ")[0] in HASHED]
    return "sha256:" + hashlib.sha256("".join(kept).encode()).hexdigest()


@pytest.mark.parametrize(
    ("game", "opening"),
    [
        ("leaves", 2),
        ("the_tree", 0),
        ("build_your_arboretum", 5),
        ("auction", 2),
        ("draws", 1),
    ],
)
def test_games_of_each_kind(tmp_path: Path, game: str, opening: int) -> None:
    """With whatever it wants, a bot reads the lines that follow from the record."""
    plies = Opening(plies=opening)
    wants = ("want=obs,legal,did,event", "want=legal")
    record = play(tmp_path, game, *wants, clock=GAME, opening=plies, max_decisions=40)
    assert len(record.opening) >= opening
    assert "left=" in (tmp_path / "0").read_text()
    few = "want=legal,event" if game in ("auction", "draws") else "want=obs,event"
    play(tmp_path, game, few, "want=did,legal", seed=2, max_decisions=30)
