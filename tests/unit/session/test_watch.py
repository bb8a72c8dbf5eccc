"""Who is looked at while another is asked, and who is stopped: with bots and a time made up."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from typing import Any

import pytest
from support.match_jobs import job, seat
from support.scripted_bots import MS, US, ScriptedBot, World, play_on

from arena.session.match_session import MatchSession
from arena.values.model import Clock

pytestmark = pytest.mark.usefixtures("small_games")

CLOCK = Clock(move_ms=1000, first_ms=0, start_ms=3000)


def session_of(
    monkeypatch: pytest.MonkeyPatch, world: World, **more: Any
) -> AbstractContextManager[MatchSession]:
    """Open a session for two bots of a world."""
    one = job(
        "pebbles(players=2)",
        seat(name="a", clock=CLOCK),
        seat(name="b", clock=CLOCK),
        **{"setup": "4 0,0 0", "sandbox": "none", **more},
    )
    return world.session(monkeypatch, one)


def decides(bot: ScriptedBot, *acts: tuple[Any, ...]) -> None:
    """Have a bot do this at each of its decisions; ``PLAY`` stands for its answer."""

    def decide(number: int) -> None:
        answer = f"play {bot._legal[0]} {number}\n"
        for after, text, *rest in acts:
            bot._will(after, text.replace("PLAY", answer), *rest)

    bot._decide = decide  # type: ignore[method-assign]


@pytest.mark.parametrize("ponder", [True, False])
def test_bots_start_one_after_the_other(monkeypatch: pytest.MonkeyPatch, ponder: bool) -> None:
    """While a bot starts, no other runs: a bot that is ready is stopped until it is asked."""
    world = World(1, ["legal", "legal"])
    running: list[list[int]] = []

    def start(how: object) -> ScriptedBot:
        running.append([n for n, bot in enumerate(world.bots) if not bot.stopped])
        return World.start(world, how)

    monkeypatch.setattr(world, "start", start)
    with session_of(monkeypatch, world, ponder=ponder) as session:
        session.greet()
        assert running == [[], []]
        assert [bot.stopped for bot in world.bots] == [not ponder] * 2
        session.begin()
        for bot in world.bots:
            decides(bot, (100 * US, "PLAY"))
        while not session.referee.over:
            session.play()
        assert session.finish().record.faults == ()


def test_failed_start_disturbs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that has not started in time does not run while the next one starts."""
    world = World(1, ["legal", "legal"])
    held: list[bool] = []

    def start(how: object) -> ScriptedBot:
        held.extend(bot.stopped for bot in world.bots)
        bot = World.start(world, how)
        if len(world.bots) == 1:
            bot._read = lambda: None  # type: ignore[method-assign]
        return bot

    monkeypatch.setattr(world, "start", start)
    with session_of(monkeypatch, world) as session:
        session.greet()
        assert held == [True]
        assert [str(fault.code) for fault in session.referee.faults] == ["startup"]
        assert session.referee.players[1].ready is not None


@pytest.mark.parametrize("going_straight", [True, False])
def test_bot_computing_after_its_answer_is_stopped_in_35_ms(
    monkeypatch: pytest.MonkeyPatch, going_straight: bool
) -> None:
    """A bot that computes after its answer is stopped at most 35 ms after another is asked."""
    world = World(1, ["legal", "legal"])
    with session_of(monkeypatch, world) as session:
        session.greet()
        session.begin()
        burns, thinks = world.bots
        decides(burns, (100 * US, "PLAY"), (200 * US, "", "cpu"))
        decides(thinks, (90 * MS, "PLAY"))
        stopped: list[int] = []

        def freeze() -> bool:
            stopped.append(world.now)
            return burns._stop(True)

        monkeypatch.setattr(burns.tree, "freeze", freeze)
        for _ in range(1 if going_straight else 2):
            play_on(session, going_straight)
        [at] = stopped[:1]
        asked = session.seats[1].stopwatch.start
        assert asked < at <= asked + 36 * MS
        assert session.seats[0].idle.pondered


@pytest.mark.parametrize("going_straight", [True, False])
def test_output_read_back_by_bot_is_not_counted(
    monkeypatch: pytest.MonkeyPatch, going_straight: bool
) -> None:
    """A bot that reads back its own output between poll and read has said nothing."""
    world = World(1, ["legal", "legal"])
    real, taken = os.read, list[int]()

    def read(descriptor: int, count: int) -> bytes:
        if len(taken) < 3 and descriptor in {bot.stdout for bot in world.bots}:
            taken.append(descriptor)
            raise BlockingIOError
        return real(descriptor, count)

    with session_of(monkeypatch, world) as session:
        session.greet()
        session.begin()
        for bot in world.bots:
            decides(bot, (100 * US, "PLAY"))
        monkeypatch.setattr(os, "read", read)
        while not session.referee.over:
            play_on(session, going_straight)
        assert len(taken) == 3
        assert session.finish().record.faults == ()
