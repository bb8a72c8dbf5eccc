"""A host process: a worker of Dask that runs a coordinator's tasks, one at a time.

Dask's worker ends when it loses its scheduler; then this process makes another one, until it is
asked to end.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import tempfile
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from distributed import Status, Worker, WorkerPlugin

from arena.cluster.dask.settings import configure, security
from arena.cluster.handshake import greet
from arena.cluster.host import Host, Place, settle
from arena.errors import ArenaError
from arena.owner import name_part

if TYPE_CHECKING:
    from arena.cluster.addresses import Scheduler

__all__ = ["serve_node"]

JOIN_SECONDS = 15.0  # for one attempt to join
AGAIN_SECONDS = 1.0  # between two of them
LEAVE_SECONDS = 0.05  # between looks whether what was played has been cut short
LOOK_SECONDS = 0.2  # between looks whether there is still something to do
IDLE_SECONDS = 10.0  # after which the worker process ends, with the bots that it keeps
CLOSE_SECONDS = 2.0  # for a connection to be closed
END_SECONDS = 5.0  # for what is being played to be cut short

log = logging.getLogger(__name__)


def serve_node(scheduler: Scheduler, place: Place, parent: int) -> None:
    """Be a host process until SIGTERM, or until the program that started it ends.

    Args:
        scheduler: the cluster's.
        place: where it plays.
        parent: a descriptor that closes when the program that started it ends.
    """
    configure()
    # not by asyncio.run, which would wait for threads: for a name that is looked up, or a build
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(_Node(scheduler, place).live(parent))


class _Tasks(WorkerPlugin):
    """Knows whether a task is running that somebody waits for: Dask cannot interrupt one."""

    def __init__(self) -> None:
        self.running: set[object] = set()

    def transition(self, key: object, start: str, finish: str, **more: object) -> None:
        """Take note of a task that begins, ends, or is given up."""
        if finish == "executing":
            self.running.add(key)
        elif start == "executing":
            self.running.discard(key)


class _Node:
    def __init__(self, scheduler: Scheduler, place: Place) -> None:
        self._scheduler = scheduler
        self._place = place
        self._tasks = _Tasks()
        self._worker: Worker | None = None
        self._ending = asyncio.Event()
        self._host: Host = settle(place, self._wanted)

    async def live(self, parent: int) -> None:
        """Join, and join again, until this process is to end."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._ending.set)
        loop.add_reader(parent, self._hear, parent)
        resting = loop.create_task(self._rest_when_idle())
        with tempfile.TemporaryDirectory(prefix=f"arena-node-{name_part()}-") as scratch:
            while not self._ending.is_set():
                await self._join(scratch)
                await self._pause(AGAIN_SECONDS)
        resting.cancel()
        await asyncio.to_thread(self._host.close, END_SECONDS)

    async def _join(self, scratch: str) -> None:
        """Be a worker of the scheduler until the connection is lost, or this process is to end."""
        self._tasks.running.clear()
        try:  # first without Dask, which makes much for each attempt
            if not await self._unless_ending(asyncio.to_thread(greet, self._scheduler)):
                return
            own = _address_towards(self._scheduler)
        except (ArenaError, OSError) as error:  # there is no way to it now
            log.info("%s", error)
            return
        worker = Worker(
            str(self._scheduler),
            nthreads=1,
            memory_limit=0,
            security=security(self._scheduler.certificates),
            local_directory=scratch,
            host=own,  # and no other: it runs what it is sent
            death_timeout=JOIN_SECONDS,
            dashboard_address="127.0.0.1:0",
            plugins=(self._tasks,),
        )
        joined = False
        try:
            if not await self._unless_ending(worker.start()):
                return
            joined = True
            self._worker = worker
            self._say("joined the cluster at %s", self._scheduler)
            await self._unless_ending(worker.finished())
        except Exception as error:  # whatever it is, it may be over by the next attempt
            log.debug("cannot join %s: %s", self._scheduler, error)
        finally:
            if joined and self._ending.is_set():
                await self._leave()
            self._worker = None
            with contextlib.suppress(Exception):
                await asyncio.wait_for(
                    worker.close(timeout=CLOSE_SECONDS, executor_wait=False), 2 * CLOSE_SECONDS
                )
        if joined and not self._ending.is_set():
            self._say("the scheduler at %s is gone; trying again until it is back", self._scheduler)

    async def _leave(self) -> None:
        """Wait until what is played was cut short, and the coordinator can hear it.

        To a coordinator a host that goes without a word has crashed, and the match may be why.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                while self._tasks.running:
                    await asyncio.sleep(LEAVE_SECONDS)

    async def _unless_ending(self, doing: Awaitable[object]) -> bool:
        """Wait until something is done, or this process is to end; return whether it is done."""
        task = asyncio.ensure_future(doing)
        ending = asyncio.ensure_future(self._ending.wait())
        try:
            await asyncio.wait({task, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                task.cancel()
                return False
            task.result()
            return True
        finally:
            ending.cancel()

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._ending.wait(), seconds)

    async def _rest_when_idle(self) -> None:
        """End the worker process whenever there was nothing to do for a while."""
        loop = asyncio.get_running_loop()
        idle_since = loop.time()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self._tasks.running:
                idle_since = loop.time()
            elif loop.time() - idle_since > IDLE_SECONDS:
                idle_since = loop.time()
                await asyncio.to_thread(self._host.rest)

    def _wanted(self) -> bool:
        """Say whether somebody waits for the task that is running; asked in its thread."""
        worker = self._worker
        return bool(
            self._tasks.running
            and worker is not None
            and worker.status == Status.running
            and not self._ending.is_set()
        )

    def _hear(self, parent: int) -> None:
        """End when the program that started this process has ended; it never writes anything."""
        if not os.read(parent, 1):
            asyncio.get_running_loop().remove_reader(parent)
            self._ending.set()

    def _say(self, text: str, *words: object) -> None:
        if self._place.speaks:
            log.warning(text, *words)


def _address_towards(scheduler: Scheduler) -> str:
    """Return the address of this machine by which it reaches a scheduler.

    Raises:
        OSError: it reaches none.
    """
    found = socket.getaddrinfo(scheduler.host, scheduler.port, type=socket.SOCK_DGRAM)
    family, kind, protocol, _, place = found[0]
    with socket.socket(family, kind, protocol) as way:
        way.connect(place)  # nothing is sent
        address: str = way.getsockname()[0]
    return f"[{address}]" if family == socket.AF_INET6 else address
