"""Where this process may make control groups: within the one it is in, if that was given to it.

Never outside of it: what limits the arena is to limit its bots as well. A group whose processes the
kernel is to limit by memory or number may hold none itself, except the root of all; so where
systemd has handed us a group of our own (``Delegate=yes``), everything in it moves into a leaf.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from arena.machine.procfs import text_of
from arena.machine.run_folder import new_word

CONTROLLERS = ("memory", "pids")  # what we limit by
BOT = "arena-bot-"  # how the names of bots' groups begin; a word of a run follows
RUNNER = "arena-runner-"  # and that of the leaf where the arena itself has moved to
NEEDED = ("cgroup.procs", "cgroup.subtree_control")
ROUNDS = 5  # of moving processes, which may start others meanwhile

_OF_ONE_COMMAND = re.compile(r"run-[-:\w.]+\.scope")  # as systemd-run calls it


class Home(NamedTuple):
    """The group in which those of bots are made.

    Attributes:
        folder: its folder.
        controllers: those of ``CONTROLLERS`` that limit groups within it.
    """

    folder: Path
    controllers: tuple[str, ...]


def find_home(root: Path = Path("/")) -> Home | None:
    """Return where groups may be made; ``None`` if nowhere. This only looks, and only once.

    Args:
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    return _look_for_home(root, os.getpid())


def own_group(root: Path = Path("/")) -> Path | None:
    """Return the folder of this process's group, if there is one of version 2.

    Args:
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    lines = [line.split(":", 2) for line in text_of(root / "proc/self/cgroup").splitlines()]
    for path in [path for number, _, path in lines if number == "0"]:  # of version 2
        for place, top in mounts(root):
            # a container may see only a part of the tree, with paths of the whole
            below = path.removeprefix(top) if top != "/" else path
            folder = place / below.lstrip("/")
            if folder.is_dir():
                return folder
    return None


def mounts(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield where the tree of version 2 is mounted, and what part of it."""
    for line in text_of(root / "proc/self/mountinfo").splitlines():
        mount, _, kind = line.partition(" - ")
        if kind.startswith("cgroup2 "):
            _, _, _, top, place, *_ = mount.split()
            yield root / place.lstrip("/"), top


def use_own_group(root: Path = Path("/")) -> None:
    """Have groups limited by memory and number, where our own was given to us for that.

    To be called by a runner before it starts anything. Other processes in the group were started
    with it; they move along. Does nothing where it cannot be done.
    """
    folder = own_group(root)
    if folder is None or folder.name.startswith(RUNNER) or (home := find_home(root)) is None:
        return
    offered = _controllers(home.folder / "cgroup.controllers")
    wanted = [name for name in offered if name not in home.controllers]
    if not wanted:
        return
    if (folder / "cgroup.type").exists():  # only the root of all has none, and may hold processes
        if not _is_given(folder):
            return
        try:
            _move_to_leaf(folder, folder / f"{RUNNER}{new_word()}")
        except OSError:
            return
    with contextlib.suppress(OSError):
        words = " ".join(f"+{name}" for name in wanted)
        (folder / "cgroup.subtree_control").write_text(words)
    _look_for_home.cache_clear()


def remove_empty(folder: Path) -> None:
    """Remove a group in which nothing runs, with those that a bot has made within, where it could.

    Raises:
        OSError: something runs there, or there is no such group.
    """
    try:
        os.rmdir(folder)
    except OSError:  # as of one that has others within
        if not folder.name.startswith(BOT):
            raise
        for above, names, _ in os.walk(folder, topdown=False):
            for name in names:
                os.rmdir(f"{above}/{name}")
        os.rmdir(folder)


@lru_cache(maxsize=1)
def _look_for_home(root: Path, pid: int) -> Home | None:  # a forked child may be elsewhere
    folder = own_group(root)
    if folder is None:
        return None
    if folder.name.startswith(RUNNER):
        folder = folder.parent
    if not all(os.access(path, os.W_OK) for path in (folder, *(folder / name for name in NEEDED))):
        return None
    return Home(folder, _controllers(folder / "cgroup.subtree_control"))


def _is_given(folder: Path) -> bool:
    """Return whether a group is there for us alone: systemd says so, or made it for one command."""
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(folder, name) == b"1":
                return True
    return bool(_OF_ONE_COMMAND.fullmatch(folder.name)) and folder.stat().st_uid == os.geteuid()


def _move_to_leaf(folder: Path, leaf: Path) -> None:
    leaf.mkdir(exist_ok=True)
    for _ in range(ROUNDS):
        pids = text_of(folder / "cgroup.procs").split()
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                (leaf / "cgroup.procs").write_text(pid)


def _controllers(file: Path) -> tuple[str, ...]:
    found = text_of(file).split()
    return tuple(name for name in CONTROLLERS if name in found)
