"""Functions of a program as bots, by ``arena.play``: each is the kit's ``choose``, in a thread."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.values.model import Termination

pytestmark = pytest.mark.slow


def first(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
    return str(match.legal[0])


def test_slow_function_is_out_of_time() -> None:
    """A function past its limit loses by time, and the match does not wait for it."""
    leave = threading.Event()

    def slow(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
        leave.wait(60)
        return first(match, left_ms, limit_ms)

    clock = arena.Clock(move_ms=50, first_ms=50)
    try:
        record = arena.play("leaves", slow, "random", seed=1, clock=clock).record
    finally:
        leave.set()
    assert [(fault.player, fault.code) for fault in record.faults] == [(0, Termination.TIME)]


def test_function_in_mapping_plays_under_its_name(tmp_path: Path) -> None:
    """``play_once`` takes a function also as a mapping, and ``check_bot`` refuses it in words."""
    own = {"function": first, "name": "own"}
    record = arena.play_once("leaves", [own, "random"], tmp_path, seed=1).record
    assert [player.bot for player in record.players] == ["own", "random"]
    assert not record.faults
    with pytest.raises(arena.UsageError, match="function"):
        arena.check_bot(own, tmp_path)


def test_functions_leave_no_thread_or_descriptor() -> None:
    """After matches of functions no open file and no thread is left."""
    arena.play("leaves", first, first, seed=1)
    before = len(os.listdir("/proc/self/fd"))
    for seed in range(3):
        arena.play("leaves", first, first, seed=seed)
    assert len(os.listdir("/proc/self/fd")) == before
    assert [thread.name for thread in threading.enumerate() if "_speak" in thread.name] == []
