"""What a coordinator asks of the way to its hosts, and what it hears from there.

The way is ``arena.cluster.dask.client``; tests have one without a network.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

__all__ = ["Answered", "Down", "Event", "Failed", "HostGone", "Link", "Seen", "Up"]


class Up(NamedTuple):
    """There is a connection to a scheduler, which knows nothing of what was asked before."""


class Down(NamedTuple):
    """The connection is lost, with all that was asked; a new one is tried again and again."""

    reason: str


class Seen(NamedTuple):
    """Which hosts are there: for each address a number that changes as long as the host lives.

    ``shared``: whether they have matches of another run.
    """

    signs: Mapping[str, float]
    shared: bool = False


class HostGone(Exception):
    """A host ended before it answered."""


class Answered(NamedTuple):
    """What a host's function returned."""

    call: int
    value: Any


class Failed(NamedTuple):
    """A host's function raised an error, or could not be called (``HostGone``, for one)."""

    call: int
    error: BaseException


Event = Up | Down | Seen | Answered | Failed


class Link(Protocol):
    """A way to the hosts of a cluster; none of its methods waits."""

    def fileno(self) -> int:
        """Return a descriptor that is readable while there are events."""
        ...

    def take(self) -> Sequence[Event]:
        """Return the events that have come."""
        ...

    def call(
        self, call: int, address: str, function: Callable[..., object], *words: object
    ) -> None:
        """Call a module's function on a host, once and nowhere else; ``call`` names the answer."""
        ...

    def drop(self, call: int) -> None:
        """Have no answer to a call: it is not begun, if it was not."""
        ...

    def close(self) -> None:
        """Hang up, which drops all calls."""
        ...
