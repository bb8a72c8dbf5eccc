"""Seats that ask: programs with the organiser's rights beside opponents that stay isolated."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from support.bot_programs import program

import arena
from arena.record.record import format_record, parse_record
from arena.store import open_store
from arena.values.model import Record

LOOK = """
import socket
def tried(what):
    try:
        what()
        return "yes"
    except OSError:
        return "no"
port = int(sys.argv[1])
seen = tried(lambda: open(sys.argv[2]).close())
net = tried(lambda: socket.create_connection(("127.0.0.1", port), 2).close())
cores = len(os.sched_getaffinity(0))
"""
SAY = 'print(f"info seen={seen} net={net} cores={cores}", flush=True)'


def looking(folder: Path, name: str) -> Path:
    """Write a bot that says by ``info`` which of a file and a port it reaches."""
    path = folder / f"{name}.py"
    path.write_text(program(first=LOOK, asked=SAY))
    return path


def played_in(home: Path) -> list[Record]:
    """Return the records of the tournament in a home."""
    with open_store(home, create=False) as store:
        return [parse_record(text) for text in store.matches.texts()]


@pytest.mark.parametrize("level", ["bwrap", "landlock"])
def test_only_the_seat_that_asks_has_your_rights(level: str, tmp_path: Path) -> None:
    """It reaches a file of yours and a port of this machine, and its opponent neither."""
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    with socket.create_server(("127.0.0.1", 0)) as server:
        args = [str(server.getsockname()[1]), str(mine)]
        bots = [
            {"name": name, key: looking(tmp_path, name), "args": args}
            for name, key in (("asker", "ask"), ("closed", "run"))
        ]
        played = arena.tournament(game="leaves", bots=bots, sandbox=level)
        arena.run_tournament(played, tmp_path / "home")
    records = played_in(tmp_path / "home")
    assert len(records) == 2
    for record in records:
        assert record.sandbox == level
        levels = {player.bot: player.sandbox for player in record.players}
        assert levels == {"asker": "ask", "closed": ""}
        assert parse_record(format_record(record)) == record
        for (seat, _), decision in zip(record.actions, record.decisions, strict=True):
            said, asks = dict(decision.info), record.players[seat].bot == "asker"
            assert [said["seen"], said["net"]] == ["yes" if asks else "no"] * 2
            assert not asks or said["cores"] == len(os.sched_getaffinity(0))
