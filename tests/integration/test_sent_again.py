"""What a real bot read from its pipe, made again from the record of the match."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from support.match_jobs import job, seat

from arena.match.record import format_record, parse_record
from arena.match.recorded import blocks_sent
from arena.session.match_session import play_match
from arena.values.errors import RecordError
from arena.values.model import Clock, Decision, Opening, Record

LISTENER = Path(__file__).parent / "bots" / "listener.py"
LONG = Clock(move_ms=5000, first_ms=1000, margin_ms=50, start_ms=10000)
GAME = Clock(move_ms=None, main_ms=60_000, inc_ms=7, first_ms=0, start_ms=10000)
SHORT = Clock(move_ms=100, first_ms=5000, margin_ms=20, start_ms=10000)
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


def fault_codes(record: Record) -> list[tuple[int, str, int]]:
    return [(fault.player, fault.code.value, fault.decision) for fault in record.faults]


@pytest.mark.parametrize(
    ("game", "opening"),
    [
        ("leaves", 2),
        ("treeblox", 3),
        ("the_tree", 0),
        ("arborius", 4),
        ("build_your_arboretum", 0),
        ("build_your_arboretum", 5),
        ("auction", 2),
        ("draws", 0),
        ("draws", 1),
    ],
)
def test_every_game(tmp_path: Path, game: str, opening: int) -> None:
    """With whatever it wants, a bot reads the lines that follow from the record, in every game."""
    plies = Opening(plies=opening)
    wants = ("want=obs,legal,did,event", "want=legal")
    record = play(tmp_path, game, *wants, clock=GAME, opening=plies, max_decisions=40)
    assert len(record.opening) >= opening
    assert "left=" in (tmp_path / "0").read_text()
    few = "want=legal,event" if game in ("auction", "draws") else "want=obs,event"
    play(tmp_path, game, few, "want=did,legal", seed=2, max_decisions=30)


def test_three_players(tmp_path: Path) -> None:
    """A player who is dropped reads no more of a match that the others play on."""
    record = play(tmp_path, "pebbles", "want=legal,did", "illegal=2", "want=legal,event,obs")
    assert fault_codes(record) == [(1, "illegal", 2)]
    assert (tmp_path / "1").read_text().splitlines()[-2].endswith(" rank=3/3 by=illegal")
    assert record.by == "rules"
    record = play(tmp_path, "pebbles", "resign=1", "want=legal,did", "unasked=1")
    assert record.actions.count((0, None)) == 1
    assert fault_codes(record) == [(2, "protocol", 1)]


def test_drops_at_one_node(tmp_path: Path) -> None:
    """Where two bid at once and one falls or both do, each reads what was sent to it."""
    for number, hows in enumerate(
        (("illegal=2", ""), ("", "resign=1"), ("illegal=1", "illegal=1"))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        record = play(folder, "auction", *hows)
        assert [action for action in record.actions if action[1] is None]


def test_the_rules_action_is_told(tmp_path: Path) -> None:
    """Who is out of time and plays on by the rules reads why, before the next question."""
    seats = [
        seat(str(tmp_path / f"slow{n}"), *how, program=LISTENER, name=f"b{n}", clock=SHORT)
        for n, how in enumerate((("sleep=2",), ()))
    ]
    more = {"on_timeout": "published", "max_decisions": 12}
    record = play_match(job("build_your_arboretum", *seats, **more)).record
    assert any(made.forced for made in record.decisions)
    blocks = blocks_sent(parse_record(format_record(record)), 0)
    lines = [line for block in blocks for line in block.lines]
    assert lines == (tmp_path / "slow0").read_text().splitlines()
    told = [block for block in blocks if not block.exact]
    assert told[0].decision == 3
    assert all(block.lines[0].startswith("bad time ") for block in told)


def test_who_never_was_ready(tmp_path: Path) -> None:
    """A program that was never ready was greeted at most; nobody can know whether it started."""
    bad = seat("start-exit")
    good = seat(str(tmp_path / "good"), program=LISTENER)
    record = play_match(job("draws", bad, good)).record
    [block] = blocks_sent(record, 0)
    assert (block.decision, block.lines, block.exact) == (0, ("hello abp 1", "quit"), False)
    lines = [line for block in blocks_sent(record, 1) for line in block.lines]
    assert lines == (tmp_path / "good").read_text().splitlines()


def test_a_record_that_contradicts_itself() -> None:
    """From a record that the rules do not accept nothing is made."""
    record = play_match(job("draws", seat("good"), seat("good", name="b"))).record
    with pytest.raises(RecordError, match="no player 2"):
        blocks_sent(record, 2)
    with pytest.raises(RecordError, match="do not accept"):
        blocks_sent(replace(record, actions=((0, "nowhere"), *record.actions[1:])), 0)
    actions, decisions = (*record.actions, (0, "x")), (*record.decisions, Decision())
    longer = replace(record, actions=actions, decisions=decisions)
    with pytest.raises(RecordError, match="contradicts"):
        blocks_sent(longer, 0)
