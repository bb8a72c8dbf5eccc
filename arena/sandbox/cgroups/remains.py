"""Control groups that dead runs left behind: found by the mark in their names, emptied, removed."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from arena.machine.owner import Mark, is_dead, mark_in_name
from arena.sandbox.cgroups.own_group import BOT, RUNNER, find_home, remove_empty, trees

__all__ = ["dead_groups", "remove_group", "sweep_groups"]

END_SECONDS = 2.0  # the longest that what is killed may take to be gone
PAUSE_SECONDS = 0.001


def dead_groups(root: Path = Path("/")) -> Iterator[tuple[Path, Mark]]:
    """Yield the groups of this user's dead runs, each with the mark of its maker.

    They may be anywhere in the tree of this machine: a run may have been started from another
    login, and so in another group than this one.

    Args:
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    me = os.geteuid()
    for tree in trees(root):
        for above, names, _ in os.walk(tree):
            for name in names:
                mark = mark_in_name(name) if name.startswith((BOT, RUNNER)) else None
                if mark is None or not is_dead(mark):
                    continue
                with contextlib.suppress(OSError):
                    if os.stat(f"{above}/{name}").st_uid == me:
                        yield Path(above, name), mark


def remove_group(folder: Path) -> bool:
    """Kill what is in a group and remove it; returns whether it is gone.

    A leaf of a runner is removed only when it is empty: what runs there is more than bots.
    """
    deadline = time.monotonic() + END_SECONDS
    while True:
        if folder.name.startswith(BOT):
            with contextlib.suppress(OSError):
                (folder / "cgroup.kill").write_text("1")  # all at once
        try:
            remove_empty(folder)
        except FileNotFoundError:
            return True
        except OSError:
            if folder.name.startswith(RUNNER) or time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_SECONDS)  # the kernel takes them down, we only wait
        else:
            return True


def sweep_groups() -> None:
    """Remove what dead workers of ours left in our own group, with whatever runs in it."""
    home = find_home()
    if home is None:
        return
    for name in os.listdir(home.folder):
        mark = mark_in_name(name) if name.startswith(BOT) else None
        if mark is not None and is_dead(mark):
            remove_group(home.folder / name)
