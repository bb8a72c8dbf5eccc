"""Runs and stores that the benchmarks measure are what they are taken for."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.match.record import parse_record
from arena.results.standings import read_leaderboard
from arena.store import open_store
from benchmarks.cpu import GroupMeter, cpu_meter, read_ns
from benchmarks.measuring import Missing
from benchmarks.stores import BOTS, filled_home
from benchmarks.workshop import read_report, workshop
from engines.core.registry import look_again

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler (cc)")


@needs_compiler
@pytest.mark.slow
def test_a_run_is_measured() -> None:
    """What is said of a run is about the matches between its two moments."""
    with workshop() as shop:
        played = shop.play(shop.tournament(rounds=10), workers=1)
        assert played.matches == 20 - 2  # the first tenth is not measured
        assert 7 <= played.decisions <= 42  # the shortest game, and the longest
        assert 0 < played.own_ns < played.seconds * 1e9 * 2
        assert played.seconds > 0
        assert played.bot_ns > 0
        board = read_leaderboard(played.home)
        assert [row.games for row in board.rows] == [20, 20]
        assert not any(row.faults for row in board.rows)


@needs_compiler
@pytest.mark.slow
def test_bots_that_ponder_are_stopped() -> None:
    """The arena marks both, and so stops them between their decisions."""
    with workshop() as shop:
        played = shop.play(shop.tournament(rounds=10, args=["--ponder"]), workers=1)
        with open_store(played.home, create=False) as store:
            (edition,) = store.tournaments.all()
            records = [parse_record(text) for text in store.matches.texts(edition.id)]
        assert len(records) == 20
        marked = {p.bot for record in records for p in record.players if p.pondered}
        assert len(marked) == 2  # on a busy machine not in every match
        assert played.steady_us > 0


@pytest.fixture
def without_the_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget the benchmarks' game afterwards, which is found from then on otherwise."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    monkeypatch.undo()
    look_again()


@needs_compiler
@pytest.mark.slow
@pytest.mark.usefixtures("without_the_game")
def test_a_filled_store_is_whole() -> None:
    """Every match of the schedule is there once, none is damaged, and nothing is left to play."""
    with workshop() as shop:
        home, _ = filled_home(shop, 300)
        with open_store(home, create=False) as store:
            store.check()
            (edition,) = store.tournaments.all()
            assert len(list(store.matches.list(edition.id))) == BOTS * (BOTS - 1)
            assert edition.ended is not None
            assert len(list(store.matches.texts(edition.id))) == BOTS * (BOTS - 1)
        board = read_leaderboard(home)
        assert [row.games for row in board.rows] == [2 * (BOTS - 1)] * BOTS
        assert board.weightless == 0
        connection = sqlite3.connect(home / "arena.db")
        (ids,) = connection.execute("SELECT count(DISTINCT id) FROM record").fetchone()
        connection.close()
        assert ids == BOTS * (BOTS - 1)


def test_reports_of_bots_are_added_up(tmp_path: Path) -> None:
    """Sums, the time from the first answer to the last, and 10 µs for four pairs of answers."""
    file = tmp_path / "report"
    file.write_text("100 7 5000000000 6000000000 9000 3\n50 5 4000000000 5500000000 1000 1\n")
    assert read_report(file) == (150, 12, 2.0, 1.25)


def test_a_group_counts_what_children_of_children_use(tmp_path: Path) -> None:
    """What a process uses that is not our own child is in it."""
    try:
        with cpu_meter(tmp_path) as meter:
            burn = "import time\nwhile time.process_time() < 0.1: pass"
            orphan = f"{sys.executable} -c '{burn}' & wait"
            subprocess.run(meter.wrap(["sh", "-c", orphan]), check=True)
            assert meter.used_ns() > 100_000_000
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(
    ("name", "text"),
    [("cpuacct.usage", "1234567000\n"), ("cpu.stat", "usage_usec 1234567\nuser_usec 1\n")],
)
def test_both_versions_of_control_groups_are_read(tmp_path: Path, name: str, text: str) -> None:
    """Version 1 says nanoseconds, version 2 microseconds."""
    (tmp_path / name).write_text(text)
    meter = GroupMeter(tmp_path)
    assert meter.used_ns() == read_ns(meter.file) == 1_234_567_000
    assert meter.wrap(["true"])[-1] == "true"
