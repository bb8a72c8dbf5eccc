"""Connections of readers: they count as readers once they have asked for something."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_SILENT = 256  # connections without a complete request
ASKING_SECONDS = 10.0  # for a whole request to come
LARGEST_HEAD = 16 * 1024  # bytes of a request


class Connection(H11Protocol):
    """A connection to one reader; until its request is complete it has a place in a room.

    When the room is full the oldest one is closed. The server's limit counts those who have left.
    """

    def __init__(self, *args: Any, room: dict[Connection, asyncio.TimerHandle], **named: Any):
        super().__init__(*args, **named)
        self._room = room

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place in the room."""
        super().connection_made(transport)
        self.connections.discard(self)
        if len(self._room) >= MOST_SILENT:
            next(iter(self._room)).refuse()
        self._room[self] = self.loop.call_later(ASKING_SECONDS, self.refuse)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the room, or the readers."""
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Leave the room for the readers when the request has come to its end."""
        super().data_received(data)
        if self in self._room and self.cycle is not None and not self.cycle.more_body:
            self._leave()
            self.connections.add(self)

    def refuse(self) -> None:
        """Close the connection without an answer."""
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        timer = self._room.pop(self, None)
        if timer is not None:
            timer.cancel()
