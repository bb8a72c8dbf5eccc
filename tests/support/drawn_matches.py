"""Matches drawn from a number, between bots that do whatever they may, or may not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.match_jobs import job, seat
from support.scripted_bots import ScriptedBot, World, play_on

from arena.values.model import Clock, MatchResult

GAMES = ("pebbles", "draws", "auction", "leaves", "treeblox")
CLOCKS = (
    Clock(move_ms=400, first_ms=0, start_ms=3000),
    Clock(move_ms=None, main_ms=900, inc_ms=1, first_ms=100, start_ms=3000),
)


def play(
    monkeypatch: pytest.MonkeyPatch, number: int, *, straight: bool, **more: Any
) -> tuple[MatchResult, list[ScriptedBot]]:
    """Play a match drawn from a number; return it, and its bots.

    Args:
        monkeypatch: sets the clocks.
        number: what it is drawn from.
        straight: take the straight path where a session would.
        more: of the match's job.
    """
    rng = random.Random(number)
    game = rng.choice(GAMES)
    players = 3 if game == "pebbles" else 2
    extras = ("", ",did", ",event", ",obs,did,event")
    world = World(number, [f"legal{rng.choice(extras)}" for _ in range(players)])
    clock = rng.choice(CLOCKS)
    seats = [seat(name=f"bot{n}", clock=clock, seed=7 + n) for n in range(players)]
    more = {"seed": number, "max_decisions": 30, "sandbox": "none", **more}
    one = job(game, *seats, **more)
    with world.session(monkeypatch, one) as session:
        session.greet()
        session.begin()
        while not session.referee.over:
            play_on(session, straight)
        result = session.finish()
    return result, world.bots
