"""What a guard takes for time that a bot waited for a CPU, with a kernel made up for it."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from arena.match.charging import Sample
from arena.process.memory import Usage
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
    tree = SimpleNamespace(group=None)
    bot: Any = SimpleNamespace(meter=kernel, write=lambda block: True, tree=tree)
    guard = Guard(bot, None, ponder=False)
    asked = kernel.now
    guard.ask(b"go 1\n")
    kernel.waits(119)
    # the listener wakes now, and looks after others first
    kernel.waits(170)
    guard.thinks()
    kernel.works(200)
    took = guard.spent(kernel.now - asked, kernel.now, 1000)
    assert (took.wall_ms, took.cpu_ms) == (489, 200)
    assert took.charged_ms == 200


class Forks:
    """A tree of processes, some of which may be new whenever one looks; and its meter."""

    group = None
    namespaced = False
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


def holder(monkeypatch: pytest.MonkeyPatch, held_ms: int = 0) -> tuple[Guard, Kernel, Forks]:
    """Return the guard of a bot that holds its pipe for so long while it is asked."""
    kernel, tree = Kernel(), Forks((1,))
    monkeypatch.setattr(time, "monotonic_ns", lambda: kernel.now)

    def write(block: bytes) -> bool:
        kernel.now += held_ms * MS
        if held_ms:
            guard.hold(held_ms * MS, asked=True)
        return True

    guard = Guard(SimpleNamespace(meter=kernel, tree=tree, write=write), None, ponder=False)  # type: ignore[arg-type]
    return guard, kernel, tree


@pytest.mark.parametrize(("held", "charged"), [(0, 0), (60, 0), (100, 0), (600, 500), (1900, 1800)])
def test_a_question_is_written_at_the_latest_after_100_ms(
    monkeypatch: pytest.MonkeyPatch, held: int, charged: int
) -> None:
    """The clock of a bot that holds the pipe of its question starts after 100 ms."""
    guard, kernel, _ = holder(monkeypatch, held)
    guard.ask(b"go 1\n")
    assert kernel.now - guard.start == guard.held_ns == charged * MS
    assert guard.excess is None


def test_what_it_held_unasked_is_charged_to_its_next_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bot that holds its pipe while it is not asked pays when it is, once."""
    guard, kernel, _ = holder(monkeypatch)
    guard.hold(300 * MS, asked=False)
    guard.ask(b"go 1\n")
    assert kernel.now - guard.start == 300 * MS
    guard.ask(b"go 2\n")
    assert kernel.now == guard.start


@pytest.mark.parametrize(
    ("calls", "flood"),
    [
        ([2000], False),
        ([2001], True),
        ([1100, 1100, 1100], False),  # 3 s without the first 100 ms of each
        ([1100, 1100, 1101], True),
        ([100] * 100, False),
    ],
)
def test_who_holds_its_pipe_for_too_long(
    monkeypatch: pytest.MonkeyPatch, calls: list[int], flood: bool
) -> None:
    """More than 2 s in one call, or more than 3 s in a match, is a flood; the bot is killed."""
    guard, _, tree = holder(monkeypatch)
    for ms in calls:
        guard.hold(ms * MS, asked=True)
    assert tree.killed is flood
    assert (guard.excess is not None) is flood
    if guard.excess is not None:
        assert (guard.excess.code, guard.excess.cause) == ("flood", "held")
        assert "held its own pipe" in guard.excess.detail


def test_a_fault_that_was_found_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a look finds later takes the place of nothing that was found before."""
    tree = Forks((1,), (1, 2), (1, 3), (1, 4), (1, 5), stops=False)
    bot: Any = SimpleNamespace(meter=tree, tree=tree, has_exited=lambda: False)
    monkeypatch.setattr("arena.session.guard.usage", lambda *words: Usage(1, 1))
    guard = Guard(bot, 1 << 20, ponder=False)
    guard.answered(MS)
    for look in range(2, 7):
        bot.next_check_ns = 0
        found = guard.look(look * 25 * MS) or guard.excess
    assert found is not None
    assert found.code == "flood"
    assert found is guard.excess


@pytest.mark.parametrize(
    ("looks", "believed"),
    [
        ([(1,), (1, 2), (1, 3), (1, 4)], 1000),
        ([(1,), (1, 2), (1,), (1, 3), (1,), (1, 4)], 1000),  # not in a row
        ([(1,), (1, 2), (1, 2), (1, 3)], None),
        ([(1, 2, 3), (1, 2), (1,), (1,)], None),
    ],
)
def test_whose_waits_are_believed(looks: list[tuple[int, ...]], believed: int | None) -> None:
    """Three looks that find a new process end the belief in all of a wait, for the whole match."""
    bot: Any = SimpleNamespace(tree=SimpleNamespace(group=None))
    guard = Guard(bot, None, ponder=False)
    for found in looks:
        guard.helpers.look(found)
    assert guard.believed_ns(300) == (None if believed is None else believed * MS)
    assert guard.believed_ns(5000) == (None if believed is None else 5000 * MS)
    bot.tree.group = object()  # a control group counts what they use
    assert guard.believed_ns(300) is None
