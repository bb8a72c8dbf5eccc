"""Connections of readers: they count as readers once they have asked for something."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_SILENT = 256  # connections without a complete request
ASKING_SECONDS = 10.0  # for a whole request to come
LARGEST_HEAD = 16 * 1024  # bytes of a request
LARGEST_REQUEST = LARGEST_HEAD + 8 * 1024  # bytes; what is larger can be judged as it is


class Connection(H11Protocol):
    """A connection to one reader; until its request is complete it has a place in a room.

    When the room is full the oldest one is closed. The server's limit counts those who have left.
    """

    def __init__(self, *args: Any, room: dict[Connection, asyncio.TimerHandle], **named: Any):
        super().__init__(*args, **named)
        self._room = room
        self._parser = h11.Connection(h11.SERVER, LARGEST_HEAD)
        self._received = b""

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
        """Keep what comes until it is a request."""
        if self in self._room:
            self._received += data
            if not self._is_complete(data) and len(self._received) < LARGEST_REQUEST:
                return
            self._leave()
            self.connections.add(self)
            data = self._received
        super().data_received(data)

    def refuse(self) -> None:
        """Close the connection without an answer."""
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        timer = self._room.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _is_complete(self, data: bytes) -> bool:
        """Return whether a request has come to its end, or is none."""
        self._parser.receive_data(data)
        try:
            while (event := self._parser.next_event()) is not h11.NEED_DATA:
                if not isinstance(event, (h11.Request, h11.Data)):
                    return True
        except h11.RemoteProtocolError:
            return True
        return False
