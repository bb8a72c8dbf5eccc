"""How the bot of a seat is started: its task, handed to an isolation level."""

from __future__ import annotations

from arena.model import Seat
from arena.referee.sandbox import find_level
from arena.referee.sandbox.interface import Launch, Task

__all__ = ["PERSON", "TERMINAL", "Launch", "launch"]

PERSON = "person"  # the origin of the bot that asks the person at the terminal
TERMINAL = "ARENA_TERMINAL"  # where that bot finds the terminal: two descriptors, "INPUT,OUTPUT"


def launch(seat: Seat, sandbox: str) -> Launch:
    """Return how to start the bot of a seat at the level called ``sandbox``, for one start.

    The program that asks the person at the terminal is ours, and is not isolated.
    """
    person = seat.bot.origin == PERSON
    level = find_level("none" if person else sandbox)
    how = level.launch(
        Task(
            argv=(*seat.bot.start, *seat.args),
            folder=seat.bot.folder,
            env=seat.env,
            memory_bytes=seat.memory_bytes,
        )
    )
    if person:
        terminal = tuple(int(number) for number in dict(seat.env)[TERMINAL].split(","))
        how = how._replace(inherited=terminal)
    return how
