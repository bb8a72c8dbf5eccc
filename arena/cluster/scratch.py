"""The folder in which Dask's programs keep their files: ours alone, and no place to import from.

Dask's own choice is ``/tmp/dask-scratch-space``. That belongs to the first user who ran Dask on the
machine, and every process of Dask's imports from there before it looks anywhere else.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from arena.machine.run_folder import own_folder
from arena.values.errors import UsageError

if TYPE_CHECKING:
    from distributed.core import Server

PRELOAD = "arena.cluster.scratch"  # of schedulers and nannies
NAME = "dask-scratch-space"  # Dask calls its folder so wherever it lies, or adds a user's number


@contextlib.contextmanager
def scratch_folder() -> Iterator[str]:
    """Give a new folder that only this user can enter, removed after the block."""
    with tempfile.TemporaryDirectory(
        prefix="dask-",
        dir=own_folder(),
        ignore_cleanup_errors=True,  # a host that ends late may still write to it
    ) as folder:
        yield os.path.realpath(folder)


def dask_setup(server: Server) -> None:
    """Have a process import nothing from the folder of a server in it; called by Dask.

    Raises:
        UsageError: the folder is not ours; Dask was not started by the arena.
    """
    own = server.local_directory
    places = (own, os.path.dirname(own))  # a worker inherits what its nanny imports from
    sys.path[:] = [place for place in sys.path if place not in places]
    for place in places:
        if NAME in os.path.basename(place) and os.stat(place).st_uid != os.geteuid():
            raise UsageError(
                f"{place} belongs to another user, whose modules Dask would import: start Dask "
                "with --local-directory DIR, a folder that only you can write"
            )
