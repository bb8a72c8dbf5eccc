"""A changed file, an upgrade and newcomers reach a run that goes on; a ladder follows its home."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import output, refused
from support.ash_homes import board, course, submit_bot
from support.running import Running
from support.waiting import until

LONG = 5000

pytestmark = pytest.mark.slow


def rows(home: Path) -> set[tuple[str, int]]:
    return {(row["bot"], row["version"]) for row in board(home)["rows"]}


def write(folder: Path, bots: str, rounds: int = LONG, **more: object) -> Path:
    return course(folder, bots, rounds=rounds, sandbox="none", **more)


def test_running_run_takes_up_changed_file(tmp_path: Path) -> None:
    """A running run takes up a ban, an upgrade and a newcomer, and stays the same process."""
    home = tmp_path / "home"
    for name in ("s00", "s01"):
        submit_bot(home, name)
    file = write(tmp_path, "[all, random, random-sh]")
    running = Running(home, "run", file, "--verbose", "--workers", 2)
    try:
        running.until()
        assert str(running.process.pid) in refused(home, "run", file), "nothing is new"
        write(tmp_path, "[all, random, random-sh]", without="[s01]")
        output(home, "run", file)
        assert rows(home) == {("s00", 1), ("random", 1), ("random-sh", 1)}
        submit_bot(home, "s00", "better")
        output(home, "run", file, "--upgrade", "s00")
        assert rows(home) == {("s00", 2), ("random", 1), ("random-sh", 1)}
        submit_bot(home, "s02")
        output(home, "run", file, "--extend")
        assert ("s02", 1) in rows(home)
        assert "nobody" in refused(home, "run", file, "--upgrade", "nobody")
        write(tmp_path, "[all, random]")
        assert "bots: - random-sh" in refused(home, "run", file)
        assert running.process.poll() is None
        running.until(times=3)
    finally:
        running.kill()
    # the file that was refused is not played, and all that was played is right
    write(tmp_path, "[all, random, random-sh]", without="[s01]")
    assert "all right" in output(home, "verify")


def test_upgrade_during_run_gives_same_table(tmp_path: Path) -> None:
    """An upgrade gives the same table during a run and between two runs."""
    tables = []
    for live in (True, False):
        folder = tmp_path / str(live)
        folder.mkdir()
        home, file = folder / "home", write(folder, "[s00, random, random-sh]", rounds=16)
        submit_bot(home, "s00")
        running = Running(home, "run", file, "--verbose", "--workers", 2)
        running.until()
        if not live:
            running.kill()
        submit_bot(home, "s00", "better")
        output(home, "run", file, "--upgrade", "s00")
        if live:
            assert running.end() == 0
        found = board(home)
        tables.append((found["rows"], [row["bot"] for row in found["out"]]))
    assert tables[0] == tables[1]
    assert {row["games"] for row in tables[0][0]} == {64}


def test_ladder_with_follow_takes_up_newcomers(tmp_path: Path) -> None:
    """With ``--follow`` a resting ladder takes up a newer version and a newcomer until stopped."""
    home, file = tmp_path / "home", write(tmp_path, "[all, random]", 1, format="ladder")
    submit_bot(home, "s00")
    running = Running(home, "run", file, "--follow")
    try:
        running.until("rests")
        submit_bot(home, "s00", "better")
        submit_bot(home, "s01")
        until(lambda: {("s00@2", 2), ("s01", 1)} <= rows(home) or None, 60)
        running.until("rests")
    finally:
        assert running.stopped() == 130
    assert "all right" in output(home, "verify")


def test_follow_without_ladder_is_refused(tmp_path: Path) -> None:
    """``--follow`` is refused with exit code 2 for every format but ladder."""
    file = write(tmp_path, "[random, random-sh]", 1)
    assert "ladder" in refused(tmp_path / "home", "run", file, "--follow")


def test_as_of_means_newest_versions_of_that_time(tmp_path: Path) -> None:
    """``--as-of`` a time enters the versions that were submitted by then."""
    home, file = tmp_path / "home", write(tmp_path, "[s00, random]", 1)
    submit_bot(home, "s00")
    assert "s00" in refused(home, "run", file, "--as-of", "2020-01-01")
    refused(home, "run", file, "--as-of", "sometime")
    output(home, "run", file, "--as-of", "2100-01-01T10:00Z")
    assert rows(home) == {("s00", 1), ("random", 1)}
