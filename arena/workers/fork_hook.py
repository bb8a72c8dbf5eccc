"""What the process that forks workers is besides: it adopts orphans, and is quiet.

The fork server imports this module first, and nothing else may: it changes what is shown. A runner
that was killed while it sent a new worker its work leaves half a message, which ``multiprocessing``
shows as a traceback though nothing is wrong; and it warns of each orphan that it waits for.
"""

from __future__ import annotations

import pickle
import sys
import warnings
from types import TracebackType

from arena.process.stop_all import become_subreaper


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, (EOFError, pickle.UnpicklingError)):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _show
warnings.filterwarnings("ignore", "forkserver: waitpid")
become_subreaper()
