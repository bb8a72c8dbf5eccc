"""A brand on processes of bots, which all that they start inherits and none can take off.

The arena may run inside of another program, which has children of its own. Orphans of bots come to
that program as well, in a session of their own and with whatever environment they like. The brand
tells them apart: it is a lower limit on file locks, which Linux no longer enforces, so that it does
nothing else. Limits are inherited, and only root may raise them.
"""

from __future__ import annotations

import contextlib
import resource

from arena.machine import procfs

__all__ = ["GROUP", "brand", "brand_of", "brand_with", "is_branded"]

_LOCKS = 10  # RLIMIT_LOCKS, without effect since Linux 2.4.25; Python has no name for it
_NONE = 1 << 64  # more than any limit
GROUP = 1 << 10  # more than there are numbers of launchers: brands of workers and all below them
_FIRST = 1 << 20  # below "unlimited", with room for brands within brands
_LINE = b"Max file locks"


def brand(pid: int = 0, number: int = 0) -> int:
    """Brand a child of this process that has just been started, or this process itself.

    ``number`` tells it from those with other numbers. Returns what ``brand_of`` does.
    """
    below = brand_with(number)
    # it may have ended, or run as a user whose processes we may not touch
    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(pid, _LOCKS, (below, below))
    return below


def brand_with(number: int) -> int:
    """Return the brand with a number that this process gives to others, or to itself."""
    return max(0, min(_FIRST, _own() - 1) - number)


def is_branded(pid: int) -> bool:
    """Return whether a process, alive or dead, bears a brand that this one does not."""
    return brand_of(pid) < _own()


def brand_of(pid: int) -> int:
    """Return the brand of a process of any user; of one that is gone it is more than any."""
    try:
        return _size(resource.prlimit(pid, _LOCKS)[1])  # 1 µs, where we may
    except ProcessLookupError:
        return _NONE
    except OSError:
        pass
    with contextlib.suppress(OSError):
        for line in procfs.read(pid, "limits").splitlines():
            if line.startswith(_LINE):
                hard = line.removeprefix(_LINE).split()[1]
                return int(hard) if hard.isdigit() else _NONE
    return _NONE


def _own() -> int:
    return _size(resource.getrlimit(_LOCKS)[1])


def _size(limit: int) -> int:
    return _NONE if limit == resource.RLIM_INFINITY else limit
