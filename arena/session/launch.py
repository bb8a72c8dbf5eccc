"""How an entrant's bot is started: its task, handed to an isolation level, in a control group."""

from __future__ import annotations

import os
import resource

from arena.process.launcher import CORES
from arena.sandbox import UNISOLATED, find_level
from arena.sandbox.cgroups.group import take_group
from arena.sandbox.confine import INHERITED
from arena.sandbox.environment import threads
from arena.sandbox.interface import Launch, Orders, Task
from arena.sandbox.secrets import secret_values
from arena.values.model import Entrant

__all__ = ["COLOR", "TERMINAL", "Launch", "launch", "launch_in_group"]

TERMINAL = "ARENA_TERMINAL"  # a relayed bot's descriptors: the terminal's "INPUT,OUTPUT", and more
ASKING = Orders(limits={resource.RLIMIT_CORE: 0})  # a dump would hold its secrets
ASKING_PROCESSES = 4096  # with threads, of which a network takes some for each core
COLOR = "ARENA_COLOR"  # whether that terminal shows colours: "1" or "0"


def launch(entrant: Entrant, sandbox: str) -> Launch:
    """Return how to start the bot of an entrant at the level called ``sandbox``, for one start.

    A program of ours that carries a person's or a function's words is not isolated, and neither is
    one that asks. The latter has your ``HOME``, all cores, and no limits but those on its memory
    and output.
    """
    bot = entrant.bot
    task = Task(
        argv=(*bot.start, *entrant.args),
        folder=bot.folder,
        env=entrant.env,
        memory_bytes=entrant.memory_bytes,
        imports=bot.imports,
        shown=bot.shown,
        ours=bot.asks or bot.relayed,
    )
    if bot.asks:
        task = task._replace(processes=ASKING_PROCESSES)
        how = _in_group(find_level(UNISOLATED).launch(task), task)
        own = {"HOME": os.path.expanduser("~"), **threads(len(CORES)), **dict(entrant.env)}
        secrets = secret_values(entrant.secrets)
        env = {**how.env, **own, **secrets}
        return how._replace(env=env, orders=ASKING, all_cores=True, secrets=secrets)
    how = launch_in_group(task, UNISOLATED if bot.relayed else sandbox)
    if bot.relayed:
        terminal = tuple(int(number) for number in dict(entrant.env)[TERMINAL].split(","))
        there = range(INHERITED, INHERITED + len(terminal))
        env = {**how.env, TERMINAL: ",".join(map(str, there))}
        how = how._replace(inherited=terminal, env=env, memory_bytes=None)
    return how


def launch_in_group(task: Task, sandbox: str) -> Launch:
    """Return how to start a task at a level, in a control group of its own where one can be had.

    At the level none it has none: it would hold nobody who can do what you can, and its starts are
    to be as quick as they can be.
    """
    how = find_level(sandbox).launch(task)
    return how if sandbox == UNISOLATED else _in_group(how, task)


def _in_group(how: Launch, task: Task) -> Launch:
    group = take_group(task.memory_bytes, task.processes)
    if group is not None:
        how.kept.callback(group.close)
    return how._replace(group=group)
