"""A store outlives its writer: what was acknowledged before kill -9 is there afterwards."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from support import finished

from arena.match.record import parse_record
from arena.store import open_store


@pytest.mark.parametrize("after", [1, 7, 40])
def test_no_acknowledged_match_is_lost(tmp_path: Path, after: int) -> None:
    """Killed while it writes, a process leaves every match it acknowledged, and a whole file."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with open_store(tmp_path, create=True) as store:
                names = ["oak", "elm"]
                edition = store.tournaments.create("open", "f", "{}", finished.entrants(names))
                number = 0
                while True:
                    store.matches.add(edition.id, finished.match(number, names, [1, 2]))
                    os.write(writing, b"%d\n" % number)
                    number += 1
        finally:
            os._exit(1)
    os.close(writing)
    seen = b""
    while seen.count(b"\n") < after:
        seen += os.read(reading, 4096)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while rest := os.read(reading, 4096):
        seen += rest
    os.close(reading)
    acknowledged = [int(line) for line in seen.split(b"\n")[:-1]]
    with open_store(tmp_path, create=True) as store:
        assert store._database.row("PRAGMA integrity_check") == ("ok",)
        edition = store.tournaments.find("open")
        numbers = [row.number for row in store.matches.list(edition.id)]
        # one more may have been committed and not acknowledged
        assert numbers[: len(acknowledged)] == acknowledged
        assert len(numbers) <= len(acknowledged) + 1
        assert [parse_record(text).seed for text in store.matches.texts()] == numbers
        store.matches.add(edition.id, finished.match(len(numbers), ["oak", "elm"], [1, 2]))
