"""Programs that end when the program that started them ends, however it ends.

``python -m arena.cluster.parent PID COMMAND…`` becomes a command that does, where PID starts it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != int(sys.argv[1]):  # it has ended already
        raise SystemExit(128 + signal.SIGTERM)
    os.execv(sys.argv[2], sys.argv[2:])
