"""Connections: one that asks for nothing is cut, and there is always a place for another one."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import NamedTuple

from arena.serve.shares import reader_of

__all__ = ["Client", "Connections"]

Client = tuple[str, int]  # an address and a port


class _Idle(NamedTuple):
    """A connection for which no answer is being made; without a timer it had its answer."""

    transport: asyncio.Transport
    timer: asyncio.TimerHandle | None = None


class Connections:
    """The connections there are; each asks once.

    Those for which an answer is being made stay; their number has limits of its own, below this
    one. When all places are taken, a new connection gets the place of another: of the reader who
    has most that wait for a request or flush an answer, the one that has done so for longest.

    Args:
        most: how many there may be.
        seconds: how long one may take to ask.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._idle: dict[Client, _Idle] = {}
        self._busy: dict[Client, asyncio.Transport] = {}

    def made(self, transport: asyncio.Transport) -> None:
        """Take in a new connection."""
        name = transport.get_extra_info("peername")
        if name is None:  # it has gone
            transport.abort()
            return
        if self._idle and len(self._idle) + len(self._busy) >= self._most:
            self._cut_one()
        timer = asyncio.get_running_loop().call_later(self._seconds, transport.abort)
        self._idle[name[0], name[1]] = _Idle(transport, timer)

    def asked(self, client: Client) -> None:
        """Take note that somebody has asked."""
        idle = self._idle.pop(client, None)
        if idle is not None:
            self._busy[client] = idle.transport
            if idle.timer is not None:
                idle.timer.cancel()

    def answered(self, client: Client) -> None:
        """Take note that an answer was made, which may not have been sent yet."""
        transport = self._busy.pop(client, None)
        if transport is not None:
            self._idle[client] = _Idle(transport)

    def lost(self, transport: asyncio.Transport) -> None:
        """Take out a connection that has ended."""
        name = transport.get_extra_info("peername")
        if name is None:
            return
        client = name[0], name[1]
        idle = self._idle.get(client)
        if idle is not None and idle.transport is transport:
            self._forget(client)
        elif self._busy.get(client) is transport:
            del self._busy[client]

    def _cut_one(self) -> None:
        have = Counter([reader_of(address) for address, _ in self._idle])
        client = max(self._idle, key=lambda client: have[reader_of(client[0])])
        self._forget(client).abort()

    def _forget(self, client: Client) -> asyncio.Transport:
        idle = self._idle.pop(client)
        if idle.timer is not None:
            idle.timer.cancel()
        return idle.transport
