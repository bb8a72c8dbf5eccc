"""Homes of earlier versions become homes of today where they are, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.arena_command import arena, output
from support.old_homes import old_home, texts_of

from arena.errors import StoreError
from arena.store import open_store, pack_records
from arena.store.migrations import MIGRATIONS

HOMES = {"first_build": 2, "plain_records": 8}  # with the number of their shape
OPEN = """\
import pathlib, sys
from arena.store import open_store
open_store(pathlib.Path(sys.argv[1]), create=True).close()
"""
UNPLAYED = 3  # forfeits that nobody played, of the first build


@pytest.fixture(params=HOMES)
def name(request: pytest.FixtureRequest) -> str:
    """The name of an older home."""
    return str(request.param)


@pytest.fixture
def home(name: str, tmp_path: Path) -> Path:
    """A copy of it."""
    old_home(name, tmp_path)
    return tmp_path


def change(home: Path, sql: str) -> None:
    connection = sqlite3.connect(home / "arena.db")
    assert connection.execute(sql).rowcount == 1
    connection.commit()
    connection.close()


def test_records_stay_the_same_texts(name: str, home: Path) -> None:
    """What was stored is exported letter for letter, verified, listed and found by its id."""
    texts = texts_of(home)
    with open_store(home, create=False) as store:
        stored = list(store.matches.texts(1, counted=False))
        unplayed = list(store.matches.forfeits())
        assert sorted([*stored, *unplayed]) == sorted(texts.values())
        assert len(unplayed) == (UNPLAYED if name == "first_build" else 0)
        rows = list(store.matches.list(1))
        assert [row.started for row in rows] == [json.loads(text)["started"] for text in stored]
        assert all(store.matches.text(match) == text for match, text in texts.items())
        store.check()
    assert "all right" in output(home, "verify")
    assert output(home, "leaderboard").count("ash") == 1


def test_what_bots_said_was_not_kept(home: Path) -> None:
    """It is not said that nobody said anything; last words of the faulty stand in the records."""
    records = [json.loads(text) for text in texts_of(home).values()]
    played = [record for record in records if not record.get("unplayed")]
    for record in played:
        done = arena(home, "log", record["id"])
        assert "earlier version" in done.stderr
        assert "anything" not in done.stderr
        assert ("stderr: I do not start" in done.stdout) == any(
            fault["stderr"] == "I do not start" for fault in record["faults"]
        )
    assert any(record["faults"] for record in played)
    wire = output(home, "log", next(one["id"] for one in played if not one["faults"]), "--wire")
    answers = [line for line in wire.splitlines() if line.startswith("  < ")]
    assert answers


@pytest.mark.parametrize("kind", ["kill9", pytest.param("eio", marks=pytest.mark.slow)])
def test_a_kill_at_every_step(name: str, home: Path, kind: str, tmp_path: Path) -> None:
    """Killed or failing after any step, it is the old home; the next command makes it a new one."""
    old_home(name, other := tmp_path / "other")
    expected = output(other, "export")
    steps = len(MIGRATIONS) - HOMES[name]
    for fault in [f"migrate:{step}:{kind}" for step in range(1, steps + 1)]:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "--home", str(home), "export"],
            env={**os.environ, "ARENA_FAULT": fault},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == {"kill9": -9, "eio": 3}[kind], done.stderr
        connection = sqlite3.connect(home / "arena.db")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.close()
        assert version == HOMES[name]
    assert output(home, "export") == expected
    assert "all right" in output(home, "verify")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE record SET text = replace(text, '0', '1') WHERE number = 3",
        "UPDATE record SET text = CAST(x'ff' || text AS TEXT) WHERE number = 3",
        "UPDATE record SET text = CAST(text AS BLOB) WHERE number = 3",
        "UPDATE match SET ranks = '1,1' WHERE number = 3",
        "UPDATE match SET block = 'b' WHERE number = 3",
        "UPDATE match SET by = CAST(x'ff' AS TEXT) WHERE number = 3",
        "UPDATE match SET record = 99 WHERE number = 3",
    ],
)
def test_damage_stays_damage(damage: str, tmp_path: Path) -> None:
    """A match that was damaged before is not taken for sound, and does not keep others away."""
    old_home("plain_records", tmp_path)
    with open_store(tmp_path, create=False) as store:
        sound = list(store.matches.texts(1, counted=False))
    (tmp_path / "arena.db").unlink()
    (tmp_path / "bots").rename(tmp_path / "moved")
    old_home("plain_records", tmp_path)
    change(tmp_path, damage)
    with open_store(tmp_path, create=False) as store:
        with pytest.raises(StoreError, match="is damaged"):
            list(store.matches.texts(1))
        assert store.matches.text(json.loads(sound[0])["id"]) == sound[0]
    assert arena(tmp_path, "export").returncode == 3


def test_it_says_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A large home takes a minute, in which something is said."""
    old_home("plain_records", tmp_path)
    monkeypatch.setattr(pack_records, "REPORTED", 2)
    with open_store(tmp_path, create=False):
        pass
    said = [message for message in caplog.messages if "packed" in message]
    assert [message.split()[-3:] for message in said] == [
        ["2", "of", "6"],
        ["4", "of", "6"],
        ["6", "of", "6"],
    ]


DEEP = "replace(hex(zeroblob(100000)), '0', '[')"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entrant SET args = 'x' WHERE id = 1",
        "UPDATE entrant SET args = x'ff' WHERE id = 1",
        f"UPDATE entrant SET args = {DEEP} WHERE id = 1",
        "UPDATE entrant SET version = x'ff' WHERE id = 1",
        "UPDATE tournament SET name = x'ff41'",
        "UPDATE tournament SET name = CAST(x'ff41' AS TEXT)",
        "UPDATE tournament SET config = '[]'",
        f"UPDATE tournament SET config = {DEEP}",
        "UPDATE tournament SET config = x'ff'",
        """UPDATE tournament SET config = '{"games": 5}'""",
    ],
)
def test_a_damaged_tournament_is_an_error(name: str, home: Path, damage: str) -> None:
    """What stands in a row of a tournament or an entrant may be anything: an error is one line.

    The first build kept no hashes, so that a home of it may go on with a row that nobody needs.
    """
    change(home, damage)
    for _ in range(2):
        done = arena(home, "export")
        assert "Traceback" not in done.stderr
        assert done.returncode in ((0, 3) if name == "first_build" else (3,))
        assert done.returncode == 0 or "is damaged" in done.stderr
