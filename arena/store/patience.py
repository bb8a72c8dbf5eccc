"""Patience with a store that is locked or full, and with nothing else."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from arena.errors import StoreUnavailable

__all__ = ["patiently"]

SECONDS = 60.0  # a write is tried for so long
PAUSE = 0.5

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)


def patiently(what: str, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Write to the store; while it is locked or full, try again for a minute.

    Args:
        what: the subject of a log line: "match 0123 is not stored yet: …".
        write: writes all of it, or raises and has changed nothing; gets the other arguments.

    Raises:
        StoreUnavailable: the store is still locked or full.
        StoreError: anything else that is wrong with it, at once.
    """
    deadline = time.monotonic() + SECONDS
    waits = False
    while True:
        try:
            return write(*args, **kwargs)
        except StoreUnavailable as error:
            if time.monotonic() > deadline:
                raise
            if not waits:
                log.warning("%s is not stored yet: %s", what, error)
            waits = True
        time.sleep(PAUSE)
