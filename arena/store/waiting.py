"""Tries a write again while the store is locked or its disk is full."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from arena.values.errors import StoreUnavailable, UsageError

VARIABLE = "ARENA_PATIENCE"  # of the environment: seconds, in place of these
SECONDS = 60.0  # for so long the same is tried
PAUSE = 0.5

P = ParamSpec("P")
T = TypeVar("T")


def patiently(what: str, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Write to the store; while it is locked or full, try again for a minute.

    Args:
        what: the subject of a log line: "match 0123 is not stored yet: …".
        write: writes all of it, or raises and has changed nothing; gets the other arguments.

    Raises:
        StoreUnavailable: the store is still locked or full.
        StoreError: anything else that is wrong with it, at once.
        UsageError: ``ARENA_PATIENCE`` is no number of seconds.
    """
    return patiently_done(f"{what} is not stored yet", write, *args, **kwargs)


def patiently_done(said: str, do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what needs the store; arguments and errors as for ``patiently``.

    ``said`` is the beginning of the log line.
    """
    deadline = time.monotonic() + _seconds()
    waits = False
    while True:
        try:
            return do(*args, **kwargs)
        except StoreUnavailable as error:
            if time.monotonic() > deadline:
                raise
            if not waits:
                import logging  # which takes 4 ms, and is seldom needed

                logging.getLogger(__name__).warning("%s: %s", said, error)
            waits = True
        time.sleep(PAUSE)


def _seconds() -> float:
    text = os.environ.get(VARIABLE, "")
    try:
        seconds = float(text) if text else SECONDS
        if not 0 <= seconds < float("inf"):
            raise ValueError
    except ValueError:
        raise UsageError(f'{VARIABLE}: expected seconds, 0 or more, found "{text}"') from None
    return seconds
