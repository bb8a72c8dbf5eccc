"""Who is stopped while it is not asked, and what a guard finds first; with processes made up."""

from __future__ import annotations

from typing import Any

import pytest
from support.scripted_bots import ScriptedBot, World

from arena.process.memory import Usage
from arena.session.guard import Guard
from arena.session.idle import Idle

MS = 1_000_000


def bot_of(*looks: tuple[int, ...], stops: bool = True) -> ScriptedBot:
    """Return a bot whose processes may be others whenever one looks, and may outrun a stop."""
    bot, left = World(0, [""]).start(None), list(looks)
    tree: Any = bot.tree
    tree.members = lambda: left.pop(0) if len(left) > 1 else left[0]
    tree.freeze = lambda: stops
    return bot


def watched(bot: ScriptedBot) -> Guard:
    """Return the guard of a bot that has answered and was looked at four times since."""
    bot.memory_bytes = None
    guard = Guard(bot, ponder=False)
    guard.idle.begin(MS, 0)
    for look in range(2, 6):
        guard.idle.look(look * 25 * MS)
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
def test_bot_with_changing_processes_stops(
    looks: tuple[tuple[int, ...], ...], pondered: bool
) -> None:
    """A bot is stopped if look after look finds new processes of it while it is not asked."""
    guard = watched(bot_of(*looks))
    assert (guard.idle.pondered, guard.idle.frozen) == (pondered, pondered)
    assert guard.bot.excess is None


def test_started_processes_are_counted_anew_after_answer() -> None:
    """Processes that a bot started before its last answer do not count in this turn."""
    bot = bot_of((1,), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6))
    idle = Idle(bot, ponder=False)
    for turn in range(1, 4):
        idle.begin(turn * 1000 * MS, 0)
        idle.look(turn * 1000 * MS + 25 * MS)
        idle.look(turn * 1000 * MS + 50 * MS)
    assert not idle.pondered


def test_processes_that_outrun_stopping_are_flood() -> None:
    """A bot whose processes multiply as fast as they are stopped is killed as a flood."""
    bot = bot_of((1,), (1, 2), (1, 3), (1, 4), stops=False)
    guard = watched(bot)
    assert bot.gone
    assert guard.bot.excess is not None
    assert guard.bot.excess.code == "flood"


def test_first_fault_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that was found is not replaced by one that a later look finds."""
    bot = bot_of((1,), (1, 2), (1, 3), (1, 4), (1, 5), stops=False)
    monkeypatch.setattr("arena.session.holdings.usage", lambda *words: Usage(1, 1))
    guard = Guard(bot, ponder=False)
    guard.idle.begin(MS, 0)
    for look in range(2, 7):
        bot.next_check_ns = 0
        found = guard.look(look * 25 * MS) or bot.excess
    assert found is not None
    assert found.code == "flood"
    assert found is bot.excess
