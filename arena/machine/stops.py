"""Whether this process was stopped by a signal, and went on: what took long then took no time."""

from __future__ import annotations

import signal
import threading
import time

__all__ = ["continued_since", "watch_stops"]

_continued = 0  # when this process last went on, in ns of the monotonic clock


def watch_stops() -> None:
    """Have ``continued_since`` know when this process goes on; for processes that are ours."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCONT, _go_on)


def continued_since(began: int) -> bool:
    """Return whether this process was stopped and went on after ``began``, as far as is known."""
    return _continued >= began


def _go_on(number: int, frame: object) -> None:
    global _continued
    _continued = time.monotonic_ns()
