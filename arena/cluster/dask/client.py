"""The way to a cluster's hosts: a Dask client in a thread of its own.

It is replaced as soon as its scheduler is out of reach: a client that finds its way back to a
scheduler has lost what it had asked for. All waiting is done here, so nobody else waits for a
network.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from distributed import Client, Future, KilledWorker

from arena.cluster.dask.settings import configure, security
from arena.cluster.link import Answered, Down, Event, Failed, HostGone, Seen, Up

if TYPE_CHECKING:
    from arena.cluster.certificates import Certificates

__all__ = ["DaskLink"]

CONNECT_SECONDS = 10.0  # for one attempt at a scheduler
ANSWER_SECONDS = 10.0  # for a scheduler to say which hosts are there
LOOK_SECONDS = 1.0  # between two questions of that kind
RETRY_SECONDS = 1.0  # between two attempts
CLOSE_SECONDS = 2.0  # for a connection to be closed, before it is left to the kernel

log = logging.getLogger(__name__)


class DaskLink:
    """A ``Link`` to the hosts that a scheduler knows; it is open at once.

    Args:
        address: the scheduler's.
        certificates: what TLS needs; ``None``: without it.
    """

    def __init__(self, address: str, certificates: Certificates | None) -> None:
        configure()
        self._address = address
        self._security = security(certificates)
        self._name = secrets.token_hex(8)  # part of all keys: other runs have the same scheduler
        self._events: deque[Event] = deque()
        self._bell, self._ringer = os.pipe()
        os.set_blocking(self._bell, False)
        os.set_blocking(self._ringer, False)
        self._client: Client | None = None
        self._calls: dict[int, Future[Any]] = {}
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="arena-cluster", daemon=True)
        self._thread.start()

    # what the coordinator calls, in its own thread

    def fileno(self) -> int:
        """Return a descriptor that is readable while there are events."""
        return self._bell

    def take(self) -> Sequence[Event]:
        """Return the events that have come."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._bell, 1 << 16)
        events = []
        with contextlib.suppress(IndexError):
            while True:
                events.append(self._events.popleft())
        return events

    def call(
        self, call: int, address: str, function: Callable[..., object], *words: object
    ) -> None:
        """Call a module's function on a host, once and nowhere else; ``call`` names the answer."""
        self._soon(self._submit, call, address, function, words)

    def drop(self, call: int) -> None:
        """Have no answer to a call: it is not begun, if it was not."""
        self._soon(self._release, call)

    def close(self) -> None:
        """Hang up, which drops all calls; nothing else may be called from now on."""
        self._soon(self._closing.set)
        self._thread.join(2 * CLOSE_SECONDS)

    def _soon(self, function: Callable[..., object], *words: object) -> None:
        with contextlib.suppress(RuntimeError):  # it is closed
            self._loop.call_soon_threadsafe(function, *words)

    # what happens in the thread

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._live())
        finally:
            left = asyncio.all_tasks(self._loop)  # by clients; they end before their loop does
            for task in left:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            self._loop.close()
            os.close(self._ringer)
            os.close(self._bell)

    async def _live(self) -> None:
        """Have a client as long as this is open: another one whenever its scheduler is lost."""
        while not self._closing.is_set():
            try:
                await self._attend()
            # a damaged message, too, costs a connection and nothing else
            except Exception as error:
                self._emit(Down(str(error) or type(error).__name__))
            await self._pause(RETRY_SECONDS)

    async def _attend(self) -> None:
        """Connect, and say again and again which hosts are there.

        Raises:
            Exception: the connection is lost.
        """
        client = Client(
            self._address,
            security=self._security,
            timeout=CONNECT_SECONDS,
            asynchronous=True,
            set_as_default=False,
            direct_to_workers=False,
        )
        opening = asyncio.ensure_future(_opened(client))
        try:
            await self._unless_closing(opening)
            if self._closing.is_set():
                return
            scheduler = await self._identity(client)
            self._client = client
            self._emit(Up())
            while not self._closing.is_set():
                found = await self._identity(client)
                if found["id"] != scheduler["id"]:
                    raise ConnectionError("the scheduler was started again")
                signs = {at: host["last_seen"] for at, host in found["workers"].items()}
                self._emit(Seen(signs, await self._is_shared(client)))
                await self._pause(LOOK_SECONDS)
        finally:
            self._client = None
            self._calls.clear()
            opening.cancel()
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client._close(fast=True), CLOSE_SECONDS)

    async def _unless_closing(self, opening: asyncio.Future[None]) -> None:
        """Wait until something is done, or this is to be closed."""
        closing = asyncio.ensure_future(self._closing.wait())
        both: set[asyncio.Future[Any]] = {opening, closing}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        if opening.done():
            opening.result()

    async def _identity(self, client: Client) -> dict[str, Any]:
        """Return what the scheduler says of itself and its hosts, of all of them.

        Raises:
            Exception: it says nothing.
        """
        scheduler = client.scheduler
        if client.status != "running" or scheduler is None:
            raise ConnectionError("the connection was lost")
        return await asyncio.wait_for(scheduler.identity(), ANSWER_SECONDS)

    async def _is_shared(self, client: Client) -> bool:
        """Return whether hosts have matches of another run."""
        scheduler = client.scheduler
        if scheduler is None:  # the connection is lost, which is found out soon
            return False
        under_way = await asyncio.wait_for(scheduler.processing(workers=None), ANSWER_SECONDS)
        return any(
            str(key).startswith("arena-play-") and self._name not in str(key)
            for keys in under_way.values()
            for key in keys
        )

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)

    def _submit(
        self, call: int, address: str, function: Callable[..., object], words: Sequence[object]
    ) -> None:
        client = self._client
        if client is None:  # the coordinator is about to hear that all is lost
            return
        try:
            future = client.submit(
                function,
                *words,
                key=f"arena-{function.__name__}-{self._name}-{call}",
                workers=[address],
                allow_other_workers=False,
                pure=False,
                retries=0,
            )
        except Exception as error:  # what cannot be sent
            self._emit(Failed(call, error))
            return
        self._calls[call] = future
        self._loop.create_task(self._hear(call, future))

    async def _hear(self, call: int, future: Future[Any]) -> None:
        """Wait for the answer to a call."""
        event: Event
        try:
            event = Answered(call, await future)
        except KilledWorker:
            event = Failed(call, HostGone())
        except Exception as error:
            if future.client.status != "running":
                return  # the coordinator hears that all is lost
            event = Failed(call, error)
        if self._calls.get(call) is future:  # neither dropped nor lost with its connection
            del self._calls[call]
            future.release()
            self._emit(event)

    def _release(self, call: int) -> None:
        future = self._calls.pop(call, None)
        if future is not None:
            future.release()

    def _emit(self, event: Event) -> None:
        self._events.append(event)
        with contextlib.suppress(BlockingIOError):  # then it rings already
            os.write(self._ringer, b"!")


async def _opened(client: Client) -> None:
    await client
