"""Bots that need more than usual: threads, memory, a long start, packages, a large folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.bot_programs import program

import arena
from arena.record.record import parse_record
from arena.store import open_store
from arena.values.model import Record

LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
SAY = f"""
import os
print("info", *[f"{{name.lower()}}={{os.environ[name + '_NUM_THREADS']}}" for name in {LIBRARIES}])
"""


def records_in(home: Path) -> list[Record]:
    """Return the records of the tournaments in a home."""
    with open_store(home, create=False) as store:
        return [parse_record(text) for text in store.matches.texts()]


def said(record: Record, bot: str) -> dict[str, object]:
    """Return what a bot said by ``info`` with its first decision."""
    seats = [player.bot for player in record.players]
    pairs = zip(record.actions, record.decisions, strict=True)
    return dict(next(found.info for (who, _), found in pairs if seats[who] == bot))


@pytest.mark.parametrize("level", ["bwrap", "landlock", "limits", "none"])
@pytest.mark.parametrize("pin", [True, False])
def test_libraries_start_no_more_threads_than_cores(level: str, pin: bool, tmp_path: Path) -> None:
    """The usual variables are the cores of the match, except where the entrant has its own."""
    (tmp_path / "counts.py").write_text(program(asked=SAY))
    bots = [
        {"name": "usual", "run": tmp_path / "counts.py"},
        {"name": "own", "run": tmp_path / "counts.py", "env": {"OMP_NUM_THREADS": "7"}},
    ]
    played = arena.tournament(game="leaves", bots=bots, sandbox=level, pin=pin, workers=1)
    arena.run_tournament(played, tmp_path / "home")
    cores = 1 if pin else min(32, len(os.sched_getaffinity(0)))
    usual = dict.fromkeys(map(str.lower, LIBRARIES), cores)
    for record in records_in(tmp_path / "home"):
        assert said(record, "usual") == usual
        assert said(record, "own") == usual | {"omp": 7}
