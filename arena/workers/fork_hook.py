"""What the process that forks workers shows of a fork whose runner is gone.

The fork server imports this module first, and nothing else may: it changes how an uncaught error is
shown. A runner that was killed while it sent a new worker its work leaves half a message, which
``multiprocessing`` shows as a traceback though nothing is wrong.
"""

from __future__ import annotations

import pickle
import sys
from types import TracebackType

__all__: list[str] = []


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, (EOFError, pickle.UnpicklingError)):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _show
