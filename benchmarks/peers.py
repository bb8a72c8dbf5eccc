"""Other people's match runners on instant bots: cutechess and fastchess, where they are named.

The environment variables ``CUTECHESS`` and ``FASTCHESS`` name a binary each (``cutechess-cli`` and
``fastchess``). What they play is timed by their bots, from the first move to the last: fastchess
ends on whole seconds only.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.cpu import CpuMeter
from benchmarks.workshop import Workshop, read_report, run_quietly

__all__ = ["NO_PEER", "PLIES", "Rate", "cutechess", "fastchess", "has", "versions"]

NO_PEER = "no peer: {} names no binary"
PEERS = ("CUTECHESS", "FASTCHESS")
PLIES = 60  # of a game of chess, which ends there as a draw


class Rate(NamedTuple):
    """What a peer got done a second, and what its runner used a move, bots left out.

    ``cpu_us`` is 0 if it was not measured.
    """

    games: float
    moves: float
    cpu_us: float


def has(name: str) -> bool:
    """Return whether a binary of a peer is named, ``CUTECHESS`` or ``FASTCHESS``."""
    return bool(os.environ.get(name))


def versions() -> list[str]:
    """Return what the peers that are named say they are."""
    named = [os.environ[name] for name in PEERS if has(name)]
    return [run_quietly([binary, "-version"]).strip().partition("\n")[0] for binary in named]


def cutechess(shop: Workshop, games: int, *, restart: bool = False) -> Rate:
    """Play Connect Four with cutechess, two games at a time."""
    report = shop.path("report")
    each = [*_engine(shop, "one", report), *_engine(shop, "two", report)]
    clock = ["-each", "proto=uci", "tc=60+1", f"restart={'on' if restart else 'auto'}"]
    how = ["-variant", "cfour", "-concurrency", "2", "-rounds", str(games // 2), "-games", "2"]
    return _play(shop, [os.environ["CUTECHESS"], *each, *clock, *how], games, report, None)


def fastchess(
    shop: Workshop,
    games: int,
    *,
    restart: bool = False,
    cpu: CpuMeter | None = None,
    at_once: int = 2,
) -> Rate:
    """Play sixty plies of chess with fastchess, ``at_once`` games at a time, each on a core."""
    report = shop.path("report")
    words = f"args=--report {report}"
    each: list[str] = []
    for name in ("one", "two"):
        each += ["-engine", f"cmd={shop.program('uci')}", f"name={name}", words]
    clock = ["-each", "proto=uci", "tc=60+1", f"restart={'on' if restart else 'off'}"]
    how = ["-concurrency", str(at_once), "-use-affinity", "-rounds", str(games // 2), "-games", "2"]
    end = ["-maxmoves", str(PLIES // 2)]
    command = [os.environ["FASTCHESS"], *each, *clock, *how, *end]
    return _play(shop, command, games, report, cpu)


def _engine(shop: Workshop, name: str, report: Path) -> list[str]:
    words = ["arg=--report", f"arg={report}"]
    return ["-engine", f"cmd={shop.program('uci')}", f"name={name}", *words]


def _play(
    shop: Workshop,
    command: Sequence[str],
    games: int,
    report: Path,
    cpu: CpuMeter | None,
) -> Rate:
    folder = shop.path("peer")  # they leave files where they run
    folder.mkdir()
    before = 0 if cpu is None else cpu.used_ns()
    run_quietly(command if cpu is None else cpu.wrap(command), cwd=folder)
    used = 0 if cpu is None else cpu.used_ns() - before
    bots = read_report(report)
    runner_us = max(0, used - bots.cpu_ns) / bots.decisions / 1e3
    return Rate(games / bots.seconds, bots.decisions / bots.seconds, runner_us)
