"""Referees of Connect Four whose players are handed in line by line, without any process."""

from __future__ import annotations

from typing import Any

from support.match_jobs import job

from arena.match.opening import deal
from arena.match.referee import Referee
from arena.values.model import Seat
from engines import load_game

GAME = load_game("connect_four")


def greeted(*seats: Seat, note: Any = lambda *said: None, **more: Any) -> Referee:
    """Return a referee that has greeted both players of Connect Four; ``note`` gets its remarks."""
    one = job("connect_four", *seats, **more)
    referee = Referee(one, GAME, deal(one, GAME), note)
    for player in (0, 1):
        referee.greet(player)
    return referee


def asked(*seats: Seat, **more: Any) -> Referee:
    """Return a referee that waits for the first answer of player 0; arguments as ``greeted``."""
    referee = greeted(*seats, **more)
    for player in (0, 1):
        referee.line(player, b"ready want=legal")
    referee.begin()
    referee.open_node()
    referee.ask(0)
    return referee
