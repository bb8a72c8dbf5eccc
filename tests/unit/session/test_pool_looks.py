"""What looks at kept bots may cost those at the table: never a wait for somebody's death."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from arena.process.memory import Usage
from arena.session.pool import Pool


def test_nobody_waits_for_a_kept_bot_to_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept bot over its memory is killed at the look, and waited for only when it is buried."""
    done: list[str] = []
    bot: Any = SimpleNamespace(
        tree=SimpleNamespace(kill=lambda: done.append("killed"), group=None),
        kill=lambda: done.append("waited for"),
        look_at=0,
        meter=SimpleNamespace(cpu_ns=lambda now: 0),
        memory_bytes=8,
    )
    seat: Any = SimpleNamespace(
        entrant=0, bot=SimpleNamespace(hash=""), args=(), env=(), memory_bytes=8
    )
    ready: Any = None
    monkeypatch.setattr("arena.session.guard.usage", lambda *words: Usage(9, 1))
    pool = Pool()
    pool.give(seat, bot, ready, ponder=True)
    pool.look(1)
    assert done == ["killed"]
    assert pool.take(seat) is None
    pool.bury()
    pool.bury()
    pool.dismiss()
    assert done == ["killed", "waited for"]
