"""News of a tournament for all open pages: one message, the newest, for all of them.

Nothing is queued for anybody: who reads slowly gets fewer messages. So what is held for a reader
does not grow.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator, Callable

from arena.serve.live import Live
from arena.values.errors import ArenaError

MOST_READERS = 200
LOOK_SECONDS = 1.0  # between two looks at the store
ALIVE_SECONDS = 15.0  # after which something is sent, so that a reader that is gone is noticed
BOARD_SHARE = 20  # of the time, for one part in which leaderboards are made

log = logging.getLogger(__name__)


class News:
    """Looks at the store while a page is open, and sends what it sees.

    Args:
        look: returns what is seen; gets what was seen before, and whether the leaderboard is to be
            made again.

    Attributes:
        now: what was seen last.
        version: raised whenever that is something new.
    """

    def __init__(self, look: Callable[[Live, bool], Live]) -> None:
        self.now = Live()
        self._look = look
        self._looking = asyncio.Lock()
        self._seen_at = 0.0
        self._board_mark: tuple[object, ...] | None = None
        self._board_at = 0.0
        self.version = 0
        self._message = b""
        self._changed = asyncio.Event()
        self._readers = 0
        self._failure = ""

    async def refresh(self) -> Live:
        """Look, unless that was done just now, and return what is seen."""
        async with self._looking:
            if time.monotonic() >= self._seen_at + LOOK_SECONDS or not self._seen_at:
                await self._see()
                self._seen_at = time.monotonic()
        return self.now

    async def watch(self) -> None:
        """Look for as long as the server runs, as often as is needed."""
        while True:
            if self._readers:
                await self.refresh()
            await asyncio.sleep(LOOK_SECONDS)

    async def _see(self) -> None:
        board = self.now.mark != self._board_mark and time.monotonic() >= self._board_at
        begun = time.monotonic()
        try:
            now = await asyncio.to_thread(self._look, self.now, board)
        except ArenaError as error:  # it names files, and pages may be for everybody
            if str(error) != self._failure:
                self._failure = str(error)
                log.warning("%s", error)
            return
        self._failure = ""
        if board:
            self._board_mark = now.mark
            self._board_at = time.monotonic() + BOARD_SHARE * (time.monotonic() - begun)
        if now != self.now or not self.version:
            self.now = now
            self.version += 1
            text = json.dumps(now.as_json(), separators=(",", ":"))
            self._message = f"data: {text}\n\n".encode()
            self._changed.set()
            self._changed = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """Whether there are as many readers as are answered at a time."""
        return self._readers >= MOST_READERS

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield what a reader of server-sent events is sent, for as long as it reads."""
        self._readers += 1
        try:
            await self.refresh()
            sent = 0
            while True:
                version, changed = self.version, self._changed
                yield b":\n\n" if version == sent else self._message
                sent = version
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), ALIVE_SECONDS)
        finally:
            self._readers -= 1
