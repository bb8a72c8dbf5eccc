"""The matches of one server, by their secret links; what nobody wants makes room for others."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from starlette.exceptions import HTTPException

from arena.serve.web_match import Grant, RequestRefused, WebMatch

MOST_MATCHES = 20
UNWANTED_SECONDS = 600.0  # without a request for its pages, after which a match makes room
MOST_GONE = 200  # links of matches that have made room, which still say so


class WebMatches:
    """The matches that are played and those that are over.

    Args:
        now: a clock, in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._asked: dict[WebMatch, float] = {}  # when somebody last asked for its pages
        self._gone: deque[str] = deque(maxlen=MOST_GONE)
        self._ending: set[WebMatch] = set()
        self._closed = False

    @property
    def tokens(self) -> tuple[str, ...]:
        """The links of matches, and of some that have made room."""
        return (*[token for match in self._asked for token in match.links], *self._gone)

    def playing(self) -> tuple[WebMatch, ...]:
        """Return the matches there are, those that were begun last first."""
        return (*reversed(self._asked),)

    def find(self, token: str) -> tuple[WebMatch, Grant]:
        """Return the match that a link is of and what the link allows; its pages are wanted.

        Raises:
            HTTPException: there is none (404), or it has made room (410).
        """
        for match in self._asked:
            if token in match.links:
                self._asked[match] = self._now()
                return match, match.links[token]
        raise HTTPException(410 if token in self._gone else 404)

    async def add(self, match: WebMatch) -> None:
        """Take a match in, and begin it.

        Raises:
            RequestRefused: there is no room, and none can be made.
        """
        if self._closed:
            raise RequestRefused(503, "the server is ending")
        old = self._unwanted() if len(self._asked) >= MOST_MATCHES else None
        self._asked[match] = self._now()
        match.begin()
        if old is not None:
            await self._end(old)

    async def close(self) -> None:
        """End all matches."""
        self._closed = True
        await asyncio.gather(*(match.close() for match in (*self._asked, *self._ending)))

    def _unwanted(self) -> WebMatch:
        """Return the match that nobody asked for the longest, of those that can make room."""
        before = self._now() - UNWANTED_SECONDS
        can = [m for m, asked in self._asked.items() if m.left is not None or asked <= before]
        if not can:
            raise RequestRefused(
                503,
                f"{MOST_MATCHES} matches are played here already; one makes room when it is over, "
                "or ten minutes after its last page was closed",
            )
        return min(can, key=self._asked.__getitem__)

    async def _end(self, match: WebMatch) -> None:
        del self._asked[match]
        self._gone.extend(match.links)
        self._ending.add(match)
        await match.close()
        self._ending.remove(match)
