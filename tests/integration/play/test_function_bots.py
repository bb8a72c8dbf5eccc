"""Functions of a program as bots, by ``arena.play``: each is the kit's ``choose``, in a thread."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest

import arena
from arena.values.model import Termination


def first(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
    return str(match.legal[0])


def test_function_plays_as_bot() -> None:
    """A function is asked with the match as the kit has it, and its answers are in the record."""
    asked = []

    def noting(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
        asked.append((match.seat, match.game, len(match.legal)))
        return first(match, left_ms, limit_ms)

    record = arena.play("leaves", noting, "random", seed=1).record
    mine = [action for player, action in record.actions if player == 0]
    assert [seat for seat, _, _ in asked] == [0] * len(mine)
    assert all(game == "leaves" and count for _, game, count in asked)
    assert record.by == "rules"
    assert record.players[0].bot == "noting"


def test_the_same_seed_gives_the_same_match() -> None:
    """A match of functions has the id, deal and actions of its seed."""
    once, again = [arena.play("leaves", first, first, seed=7).record for _ in range(2)]
    assert (once.id, once.actions) == (again.id, again.actions)
    assert [player.bot for player in once.players] == ["first", "first#2"]


def test_function_that_raises_has_crashed(capfd: pytest.CaptureFixture[str]) -> None:
    """A function that raises loses by crash, with the traceback on stderr."""

    def wrong(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
        raise RuntimeError("no\nidea")

    record = arena.play("leaves", wrong, "random", seed=1).record
    (fault,) = record.faults
    assert (fault.player, fault.code) == (0, Termination.CRASH)
    assert "RuntimeError: no idea" in fault.detail
    assert "Traceback" in capfd.readouterr().err


@pytest.mark.slow
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


@pytest.mark.slow
def test_functions_leave_no_thread_or_descriptor() -> None:
    """After matches of functions no open file and no thread is left."""
    arena.play("leaves", first, first, seed=1)
    before = len(os.listdir("/proc/self/fd"))
    for seed in range(3):
        arena.play("leaves", first, first, seed=seed)
    assert len(os.listdir("/proc/self/fd")) == before
    assert [thread.name for thread in threading.enumerate() if "_speak" in thread.name] == []


def test_invalid_bot_is_refused() -> None:
    """A value that is no bot is refused with its place and what may be one."""
    with pytest.raises(TypeError, match=r"bots\[1\].*function"):
        arena.play("leaves", first, 5, seed=1)  # type: ignore[arg-type]
