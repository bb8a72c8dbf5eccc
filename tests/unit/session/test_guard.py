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
    bot: Any = type("Bot", (), {"meter": kernel, "write": lambda self, block: True})()
    guard = Guard(bot, None, ponder=False)
    asked = kernel.now
    guard.ask(b"go 1\n")
    kernel.waits(119)
    # the listener wakes now, and looks after others first
    kernel.waits(170)
    guard.thinks()
    kernel.works(200)
    took = guard.spent(kernel.now - asked, kernel.now)
    assert (took.wall_ms, took.cpu_ms) == (489, 200)
    assert took.charged_ms == 200


class Forks:
    """A tree of processes, some of which may be new whenever one looks; and its meter."""

    group = None
    last_wait_ns = 0

    def __init__(self, *looks: tuple[int, ...], stops: bool = True) -> None:
        self._looks = list(looks)
        self._stops = stops
        self.killed = False

    def members(self) -> tuple[int, ...]:
        return self._looks.pop(0) if len(self._looks) > 1 else self._looks[0]

    def cpu_ns(self, now: int) -> int:
        return 0

    def freeze(self) -> bool:
        return self._stops

    def kill(self) -> None:
        self.killed = True


def watched(tree: Forks) -> Guard:
    """Return the guard of a bot that has answered and was looked at four times since."""
    bot: Any = type("Bot", (), {"meter": tree, "tree": tree})()
    guard = Guard(bot, None, ponder=False)
    guard.answered(MS)
    for look in range(2, 6):
        guard.check_idle(look * 25 * MS)
    return guard


@pytest.mark.parametrize(
    ("looks", "pondered"),
    [
        (((1,), (1, 2), (1, 3), (1, 4)), True),  # helpers that end before anybody counts them
        (((1, 2), (1, 2), (1, 2), (1, 2)), False),
        (((1,), (1, 2), (1, 2), (1, 2)), False),  # one process that stays is counted
        (((1, 2, 3), (1, 3), (1,), (1,)), False),  # some that end
    ],
)
def test_helpers_that_come_and_go(looks: tuple[tuple[int, ...], ...], pondered: bool) -> None:
    """A bot that starts one process after the other while it is not asked is stopped."""
    guard = watched(Forks(*looks))
    assert (guard.pondered, guard.frozen) == (pondered, pondered)
    assert guard.excess is None


def test_every_answer_begins_the_count_again() -> None:
    """What it started before its last answer is no helper of this turn."""
    bot: Any = type("Bot", (), {})()
    bot.meter = bot.tree = Forks((1,), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6))
    guard = Guard(bot, None, ponder=False)
    for turn in range(1, 4):
        guard.answered(turn * 1000 * MS)
        guard.check_idle(turn * 1000 * MS + 25 * MS)
        guard.check_idle(turn * 1000 * MS + 50 * MS)
    assert not guard.pondered


def test_who_cannot_be_stopped_is_killed() -> None:
    """Processes that multiply as fast as they are stopped are a flood, and do not go on."""
    tree = Forks((1,), (1, 2), (1, 3), (1, 4), stops=False)
    guard = watched(tree)
    assert tree.killed
    assert guard.excess is not None
    assert guard.excess.code == "flood"
