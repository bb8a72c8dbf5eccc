"""How the bot of a seat is started: its task, handed to an isolation level, in a control group."""

from __future__ import annotations

from arena.sandbox import find_level
from arena.sandbox.cgroups.group import take_group
from arena.sandbox.interface import Launch, Task
from arena.values.model import Seat

__all__ = ["COLOR", "PERSON", "TERMINAL", "UNGROUPED", "Launch", "launch", "launch_in_group"]

PERSON = "person"  # the origin of the bot that asks the person at the terminal
UNGROUPED = "none"  # the level whose bots have no control group
TERMINAL = "ARENA_TERMINAL"  # that bot's descriptors: the terminal's "INPUT,OUTPUT", and more
COLOR = "ARENA_COLOR"  # whether that terminal shows colours: "1" or "0"


def launch(seat: Seat, sandbox: str) -> Launch:
    """Return how to start the bot of a seat at the level called ``sandbox``, for one start.

    The program that asks the person at the terminal is ours, and is not isolated.
    """
    person = seat.bot.origin == PERSON
    how = launch_in_group(
        Task(
            argv=(*seat.bot.start, *seat.args),
            folder=seat.bot.folder,
            env=seat.env,
            memory_bytes=seat.memory_bytes,
            imports=seat.bot.imports,
            shown=seat.bot.shown,
        ),
        UNGROUPED if person else sandbox,
    )
    if person:
        terminal = tuple(int(number) for number in dict(seat.env)[TERMINAL].split(","))
        how = how._replace(inherited=terminal)
    return how


def launch_in_group(task: Task, sandbox: str) -> Launch:
    """Return how to start a task at a level, in a control group of its own where one can be had.

    At the level none it has none: it would hold nobody who can do what you can, and its starts are
    to be as quick as they can be.
    """
    how = find_level(sandbox).launch(task)
    if sandbox == UNGROUPED:
        return how
    group = take_group(task.memory_bytes, task.processes)
    if group is not None:
        how.kept.callback(group.close)
    return how._replace(group=group)
