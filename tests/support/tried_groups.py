"""A group of this machine's kernel, tried: what bots are promised of theirs."""

from __future__ import annotations

import select

from arena.process.bot import BotProcess
from arena.sandbox import Launch
from arena.sandbox.cgroups.group import Group
from arena.sandbox.cgroups.own_group import Home

__all__ = ["problem_with_groups"]

WAIT_MS = 2000
MEMORY_BYTES = 1 << 28
PROCESSES = 8
PROGRAM = ("/bin/sh", "-c", "echo ready; read -r line; echo on; read -r line")


def problem_with_groups(home: Home) -> str | None:
    """Make a group, start a program in it, stop it, read its CPU time, kill it, remove the group.

    The program is started as bots are, by the launcher.

    Returns:
        What does not work, ``None`` if everything does.
    """
    try:
        group = Group(home, MEMORY_BYTES, PROCESSES)
    except OSError as error:
        return f"no group can be made: {error.strerror}"
    try:
        bot = BotProcess(Launch(PROGRAM, {}, "/", group=group))
        try:
            return _problem_with(bot)
        finally:
            bot.kill()
    except OSError as error:
        return f"no program can be started in one: {error.strerror}"
    finally:
        group.close()


def _problem_with(bot: BotProcess) -> str | None:
    group = bot.tree.group
    if group is None or not _says_more(bot):
        return "no program can be started in a group"
    if group.members() != (bot.pid,):
        return "a program that is started in a group is not in it"
    if not group.freeze() or not group._comes(b"frozen 1", WAIT_MS):
        return "what is in a group cannot be stopped"
    bot.write(b"\n")
    group.thaw()
    if not _says_more(bot):
        return "what was stopped in a group does not go on"
    if group.cpu_ns() <= 0:
        return "the CPU time of a group is not counted"
    if not group.kill() or not group.is_empty(WAIT_MS):
        return "what is in a group cannot be killed"
    return None


def _says_more(bot: BotProcess) -> bool:
    ready, _, _ = select.select([bot.stdout], [], [], WAIT_MS / 1000)
    return bool(ready) and bot.read() and bot.lines.take() is not None
