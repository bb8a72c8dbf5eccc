"""What a guard takes for time that a bot waited for a CPU, with a kernel made up for it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from arena.match.charging import Sample
from arena.session.guard import Guard

MS = 1_000_000


class Kernel:
    """A clock, and the counters of one bot, which the test turns on; both also serve as a meter."""

    last_wait_ns = 0  # nobody has looked before

    def __init__(self) -> None:
        self.now = 1_000_000 * MS
        self.waited_ns = 65 * MS  # before it was asked
        self.used_ns = 25 * MS

    def waits(self, ms: int) -> None:
        self.now += ms * MS
        self.waited_ns += ms * MS

    def works(self, ms: int) -> None:
        self.now += ms * MS
        self.used_ns += ms * MS

    def cpu_ns(self, now: int) -> int:
        return self.used_ns

    def wait_ns(self) -> int:
        self.last_wait_ns = self.waited_ns
        return self.waited_ns

    def read(self, now: int) -> Sample:
        return Sample(self.used_ns, self.wait_ns())

    def begin(self) -> None:
        pass


def test_a_late_look_loses_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks long after the bot was asked takes no wait since then for one before."""
    kernel = Kernel()
    monkeypatch.setattr(time, "monotonic_ns", lambda: kernel.now)
    bot: Any = type("Bot", (), {"meter": kernel})()
    guard = Guard(bot, None, ponder=False)
    asked = kernel.now
    guard.ask(asked)
    kernel.waits(119)
    # the listener wakes now, and looks after others first
    kernel.waits(170)
    guard.thinks()
    kernel.works(200)
    took = guard.spent(kernel.now - asked, kernel.now)
    assert (took.wall_ms, took.cpu_ms) == (489, 200)
    assert took.charged_ms == 200
