"""Programs that end when the program that started them ends, however it ends.

``python -m arena.cluster.parent PID COMMAND…`` becomes a command that does, where PID starts it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int | None = None) -> None:
    """Have the kernel end this process by SIGTERM as soon as its parent has ended.

    Args:
        parent: the process that started it, if known; if it has ended already, so does this.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        raise SystemExit(128 + signal.SIGTERM)


if __name__ == "__main__":
    end_with_parent(int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
