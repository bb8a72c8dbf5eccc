"""Control groups that dead runs left behind: found by the mark in their names, emptied, removed."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.referee.cgroups.home import BOT, RUNNER, Home, find_home
from arena.referee.mark import Mark, is_dead, mark_in_name

__all__ = ["DeadGroup", "dead_groups", "remove_group", "sweep_groups"]

END_SECONDS = 2.0  # the longest that what is killed may take to be gone
PAUSE_SECONDS = 0.001


class DeadGroup(NamedTuple):
    """A group whose maker is gone: its folder, and the maker's mark."""

    folder: Path
    mark: Mark


def dead_groups(home: Home | None = None) -> Iterator[DeadGroup]:
    """Yield the groups of this user's dead runs.

    Args:
        home: where; ``None``: where this process would make its own.
    """
    home = find_home() if home is None else home
    if home is None:
        return
    try:
        names = os.listdir(home.folder)
    except OSError:
        return
    for name in names:
        mark = mark_in_name(name) if name.startswith((BOT, RUNNER)) else None
        folder = home.folder / name
        with contextlib.suppress(OSError):
            if mark is not None and is_dead(mark) and folder.stat().st_uid == os.geteuid():
                yield DeadGroup(folder, mark)


def remove_group(folder: Path) -> bool:
    """Kill what is in a group and remove it; returns whether it is gone.

    A leaf of a runner is removed only when it is empty: what runs there is more than bots.
    """
    if folder.name.startswith(BOT):
        with contextlib.suppress(OSError):
            (folder / "cgroup.kill").write_text("1")
    deadline = time.monotonic() + END_SECONDS
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            if folder.name.startswith(RUNNER) or time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_SECONDS)  # the kernel takes them down, we only wait
        else:
            return True


def sweep_groups() -> int:
    """Remove all groups of dead runs, with whatever runs in them; returns how many are gone."""
    return sum(remove_group(one.folder) for one in tuple(dead_groups()))
