"""What the kernel counts for a user, and other bots of the same user can use up.

An ordinary user's bots share these counts, and one of them can keep another from starting. Root's
bots are users of their own, so nobody else uses up what they may have.
"""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import select

from arena.values.errors import Lack

WATCHES = 16  # of epoll, which an event loop takes at its start
PIPE_PAGES = 16  # in a new pipe; once a user holds too many, the kernel makes smaller ones


def used_up() -> Lack | None:
    """Return what this process's user has too little of for the start of a bot.

    Nothing of the bot may be left, as it could have used up all by itself. Processes are no matter
    here: a bot gets its share of them on top of what there is when it starts.
    """
    ends: list[int] = []
    try:
        ends += os.pipe()
        if fcntl.fcntl(ends[0], fcntl.F_GETPIPE_SZ) < PIPE_PAGES * resource.getpagesize():
            return Lack.PIPES
        ends += (os.dup(ends[0]) for _ in range(WATCHES))
        with select.epoll() as poller:
            for end in ends:
                poller.register(end)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return Lack.WATCHES
        if error.errno == errno.ENFILE:  # so it is of pipes, if their number has a hard limit
            return Lack.PIPES
    finally:
        for end in ends:
            os.close(end)
    return None
