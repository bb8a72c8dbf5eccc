"""Control groups that dead runs left behind: found by words in their names, emptied, removed."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from arena.machine.run_folder import is_word_of
from arena.sandbox.cgroups.own_group import BOT, RUNNER, mounts, remove_empty

END_SECONDS = 2.0  # the longest that what is killed may take to be gone
PAUSE_SECONDS = 0.001


def dead_groups(keys: Collection[bytes], root: Path = Path("/")) -> Iterator[Path]:
    """Yield the groups of this user's dead runs.

    They may be anywhere in the tree of this machine: a run may have been started from another
    login, and so in another group than this one.

    Args:
        keys: of these runs.
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    me = os.geteuid()
    places = [place for place, _ in mounts(root)] if keys else []
    for above, names, _ in itertools.chain.from_iterable(map(os.walk, places)):
        for name in names:
            kind = next((kind for kind in (BOT, RUNNER) if name.startswith(kind)), None)
            if kind is not None and is_word_of(keys, name.removeprefix(kind)):
                with contextlib.suppress(OSError):
                    if os.stat(f"{above}/{name}").st_uid == me:
                        yield Path(above, name)


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
