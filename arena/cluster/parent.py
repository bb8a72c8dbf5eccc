"""Dask's programs, which end when the program that started them ends, however it ends.

``python -m arena.cluster.parent PID WORDS…`` is ``dask WORDS…`` where PID starts it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

from dask.cli import run_cli

from arena.values.untrusted import show

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != int(sys.argv.pop(1)):  # it has ended already
        raise SystemExit(128 + signal.SIGTERM)
    try:
        run_cli()
    except Exception as error:
        said, cause = str(error), error.__cause__
        while cause is not None:
            said, cause = f"{said.rstrip('.')}: {cause}", cause.__cause__
        raise SystemExit(f"arena: {show(said, 400)}") from None
