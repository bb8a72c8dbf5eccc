"""Stopping a bot's processes for a while, all of them, and having them go on."""

from __future__ import annotations

import contextlib
import os
import signal

from arena.process.tree import Tree

__all__ = ["freeze", "thaw"]

ROUNDS = 5  # over a tree that keeps growing; it takes two where nothing is new


def freeze(tree: Tree) -> None:
    """Stop every process of a tree; one that is being forked meanwhile is stopped, too.

    A control group does it at one instant, and nothing in it can tell. Without one it takes
    signals. A stopped process can be killed like any other.
    """
    if tree.group is not None and tree.group.freeze():
        return
    stopped: set[int] = set()
    for _ in range(ROUNDS):
        found = set(tree.members()) - stopped
        if not found:
            return
        _signal(found, signal.SIGSTOP)
        stopped |= found


def thaw(tree: Tree) -> None:
    """Have every process of a tree go on."""
    if tree.group is not None and tree.group.frozen:
        tree.group.thaw()
        return
    _signal(set(tree.members()), signal.SIGCONT)


def _signal(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
