"""A host that takes matches and never answers, beside one that plays slowly; both are real."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import as_json, messages, tournament
from support.bot_programs import program
from support.dask_hosts import SECONDS, client, host, scheduler

# what `dask worker --preload` makes a host of, whose matches never end
SILENT_HOST = """\
import time
from arena.cluster import host, signs
from arena.cluster.host import dask_setup, dask_teardown
host.Host.play = lambda *words: time.sleep(3600)
signs.STILL_SECONDS = 4.0
"""
# uses 95 % of its limit, and notes each match that it is started for
SLOW = """\
if decision == "1": open({notes!r}, "a").write("a match\\n")
time.sleep(0.475)
"""


@pytest.mark.slow
def test_a_silent_host_and_a_slow_one(tmp_path: Path) -> None:
    """The run ends and names the silent one; a bot that uses its time plays each match once."""
    notes, folder = tmp_path / "notes", tmp_path / "certificates"
    (tmp_path / "slow.py").write_text(program(asked=SLOW.format(notes=str(notes))))
    (tmp_path / "silent.py").write_text(SILENT_HOST)
    bots = "[random, random-sh, {name: slow, run: slow.py}]"
    keys = {"game": "connect_four", "rounds": 1, "seed": 11, "sandbox": "none"}
    keys |= {"clock": "{move: 500ms, first: 5s}"}
    file = tournament(tmp_path, bots, name="grove", **keys)
    with (
        scheduler(folder) as (_, address, key),
        host(address, key, tmp_path / "one"),
        host(address, key, tmp_path / "two", tmp_path / "silent.py"),
        client(address, key) as there,
    ):
        there.wait_for_workers(2, timeout=SECONDS)
        where = ("--certificates", folder)
        words = ("run", file, "--allow-unsafe", "--cluster", address, *where)
        said = messages(tmp_path / "home", *words)
        [named] = [line for line in said.splitlines() if "did not answer" in line]
        assert "no sign of it" in named
        rows = as_json(tmp_path, "cluster", "status", address, *where)["rows"]
        assert "no sign of it" in rows[0]["wrong"]
    assert notes.read_text().count("a match") == 4, "the slow bot was started once a match"
