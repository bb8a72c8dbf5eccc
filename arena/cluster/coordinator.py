"""Chunks of matches to the hosts of a cluster, and what comes of them: as ``local.Workers``.

A chunk of matches is one future of Dask's, which any host may play that fits: who plays what, who
is lost and what is tried again is Dask's to say. A future has one result, so nothing counts twice.

Everything is done in the runner's thread: what Dask's thread finds out is put into a queue, as a
function to be called.
"""

from __future__ import annotations

import asyncio
import logging
import math
import queue
import secrets
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import distributed

from arena.cluster import host
from arena.cluster.hosts import Hosts
from arena.cluster.received import row_of
from arena.cluster.terms import ChunkAnswer, Terms, resources
from arena.values.errors import RecordError, Void, WorkerError
from arena.values.model import Match
from arena.values.tables import MatchRow
from arena.values.untrusted import show
from arena.workers.gather import LOOK_SECONDS, Lost, Source
from arena.workers.jobs import JobFactory
from engines import load_game

IN_FLIGHT = 2  # chunks of matches for each host: one being played, one waiting
CHUNK_SECONDS = 0.35  # of play in a chunk, at least
CHUNKS_A_SECOND = 100  # of all hosts together; chunks grow with their number
ASKS_A_SECOND = 200  # of all hosts together: who is there, as often as Dask's own heartbeats
CHUNK = 64  # matches in a chunk of that length at most
ENDED = 3  # host processes at a match, before Dask gives it up
FAILURES = 5  # of chunks, one after the other, before the run ends
CLOSE_SECONDS = 2.0  # to say good-bye
REASON = 4000  # characters of why a host could not play a match

log = logging.getLogger(__name__)


class _Chunk(NamedTuple):
    """Matches that are one future.

    Attributes:
        hosts: the addresses of those that may play it; ``None``: all.
    """

    future: distributed.Future[ChunkAnswer]
    matches: tuple[Match, ...]
    hosts: frozenset[str] | None


class Cluster(Source[Match]):
    """The hosts of a cluster; use as a context manager, or call ``stop``.

    Args:
        client: Dask's, connected.
        address: what the cluster is called.
        isolates: whether that level must isolate bots.
        archive: returns the archive of an entrant's bot, by its name and hash.
        running: what ends with the cluster.
        clock: see ``gather.Source``.
        events: where Dask's thread puts what is to be done.
    """

    def __init__(
        self,
        client: distributed.Client,
        *,
        address: str,
        isolates: bool,
        archive: Callable[[str, str], bytes],
        running: ExitStack | None = None,
        clock: Callable[[], float] = time.monotonic,
        events: queue.SimpleQueue[Callable[[], None]] | None = None,
    ) -> None:
        super().__init__(clock)
        self._client, self._address = client, address
        self._isolates, self._archive = isolates, archive
        self._running = running or ExitStack()
        self._events = events or queue.SimpleQueue()
        self._make: JobFactory | None = None
        self._terms: Terms | None = None
        self._needs: dict[str, float] = {}
        self._carried: dict[str, distributed.Future[Any]] = {}  # terms and bots
        self._chunks: dict[int, _Chunk] = {}
        self._cut: set[int] = set()  # numbers of chunks that are being cancelled
        self._number = 0
        self._waiting: deque[Match] = deque()  # to be handed out again
        self._suspects: deque[Match] = deque()  # that may have ended hosts, to be sent alone
        self._suspect = 0  # the number of the last chunk of such a match
        self._failures = 0
        self._pace, self._last = 0.0, 0  # seconds a match takes a host; matches in a chunk
        self._hosts = Hosts(address, clock)
        self._asked: Future[Any] | None = None  # who is there
        self._ask_again = 0.0

    def stop(self) -> None:
        """Close the connection, which stops all matches; end what ends with the cluster."""
        with self._running, suppress(Exception):  # Dask may fail while it reconnects
            self._client.close(CLOSE_SECONDS)

    def begin(self, make: JobFactory) -> None:
        """Forget what an earlier call has left behind; make new terms, if jobs are others.

        Hosts hear nothing of entrants who ask: what those are given is not for other machines.

        Raises:
            WorkerError: no host may play, or the scheduler is lost.
        """
        self._take_back([*self._chunks])
        for left in (self._chunks, self._cut, self._waiting, self._suspects, self.results):
            left.clear()
        if make is not self._make:
            self._make, self._ask_again = make, 0.0
            entrants = {name: one for name, one in make.entrants.items() if not one.bot.asks}
            games = make.tournament.games
            self._terms = terms = Terms(
                key=secrets.token_hex(8),
                jobs=replace(make, entrants=entrants),
                rules=tuple((game, load_game(game).rules_version) for game in games),
                isolates=self._isolates,
            )
            self._hosts.begin(terms)
            self._needs = resources(terms.environments, isolates=self._isolates)
            self._carried.clear()
        self.check()

    def busy(self) -> bool:
        """Return whether anything is to come, or to be handed out again."""
        return bool(self._waiting or self._suspects or self._chunks)

    def wait(self, seconds: float) -> None:
        """Wait for results of hosts."""
        with suppress(queue.Empty):
            self._events.get(timeout=min(LOOK_SECONDS, seconds))()
            while True:
                self._events.get_nowait()()

    def _soon(self, doing: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Have something done by Dask's thread."""
        loop: Any = self._client.loop
        return asyncio.run_coroutine_threadsafe(doing, loop.asyncio_loop)

    # what goes out

    def hand_out(self, matches: Callable[[int], Match | float | None]) -> float | None:
        """Give Dask what hosts have room for; return when ``matches`` is to be asked again."""
        ready = self._hosts.ready()
        while len(self._chunks) < IN_FLIGHT * len(ready):
            if self._suspects and self._suspect not in self._chunks:
                self._play([self._suspects.popleft()], ready)
                self._suspect = self._number
                continue
            chunk, asked = self._chunk(matches)
            if not chunk:
                return asked
            self._play(chunk, ready)
        if not ready and not self.busy():  # is there anything to wait for hosts for?
            found = matches(0)
            if not isinstance(found, Match):
                return found
            self._waiting.append(found)
        return None

    def _chunk(
        self, matches: Callable[[int], Match | float | None]
    ) -> tuple[list[Match], float | None]:
        """Return the next matches for a host; if there are none, when to ask again."""
        chunk: list[Match] = []
        growth = max(1.0, len(self._hosts.fit) / CHUNKS_A_SECOND / CHUNK_SECONDS)
        size = int(CHUNK_SECONDS * growth / self._pace) if self._pace else 1
        size = max(1, min(size, 2 * self._last, int(CHUNK * growth)))
        while len(chunk) < size:
            found = self._waiting.popleft() if self._waiting else matches(0)
            if not isinstance(found, Match):
                return chunk, found
            chunk.append(found)
        return chunk, None

    def _play(self, matches: Sequence[Match], ready: Sequence[str]) -> None:
        """Have matches played by any host that is ready."""
        terms = self._terms
        assert terms is not None, "run has begun"
        entrants = [terms.jobs.entrants[name] for match in matches for name in match.seats]
        bots = {
            one.bot.hash: self._carry(f"bot-{one.bot.hash}", self._archive, one.name, one.bot.hash)
            for one in entrants
        }
        self._number += 1
        # Dask can be asked for hosts, not for all but some
        hosts = frozenset(ready) if len(ready) < len(self._hosts.fit) else None
        future = self._client.submit(
            host.play,
            self._carry(f"terms-{terms.key}", lambda: terms),
            bots,
            tuple(matches),
            key=f"arena-{terms.key}-{self._number}",
            pure=False,
            resources=self._needs if hosts is None else None,
            workers=None if hosts is None else sorted(hosts),
        )
        self._chunks[self._number] = _Chunk(future, tuple(matches), hosts)
        self._soon(self._hear(self._number, future))

    def _carry(
        self, key: str, make: Callable[..., object], *words: object
    ) -> distributed.Future[Any]:
        """Return a value as a future of Dask's, which is made again wherever it is lost."""
        future = self._carried.get(key)
        if future is None or future.status == "error":
            future = self._client.submit(
                host.carry, make(*words), key=f"arena-{key}", resources=self._needs
            )
            self._carried[key] = future
        return future

    async def _hear(self, number: int, future: distributed.Future[ChunkAnswer]) -> None:
        """Wait for the answer to a chunk."""
        found: ChunkAnswer | BaseException
        try:
            [found] = await self._client.gather([future], asynchronous=True)
        except BaseException as error:
            found = error
        self._events.put(partial(self._answered, number, found))

    def _take_back(self, numbers: Sequence[int]) -> None:
        """Have chunks cut short; once no answer to them can come, their matches go to others."""
        if numbers:
            self._cut.update(numbers)
            futures = [self._chunks[number].future for number in numbers]
            self._soon(self._client.cancel(futures, asynchronous=True))

    # what comes back

    def _answered(self, number: int, found: ChunkAnswer | BaseException) -> None:
        """Take what came of a chunk."""
        chunk = self._chunks.pop(number, None)
        if chunk is None:  # it is of an earlier call
            return
        if number in self._cut:
            self._cut.remove(number)
            self._again(chunk.matches)
            return
        if isinstance(found, ChunkAnswer):
            self._played(found, chunk.matches)
            return
        if isinstance(found, CancelledError | asyncio.CancelledError):
            raise self._lost_scheduler()
        if isinstance(found, distributed.KilledWorker):
            self._killed(chunk.matches)
            return
        self._again(chunk.matches)
        self._failures += 1
        why = show(f"{type(found).__name__}: {found}", 400)
        log.warning("a chunk of matches failed, and is tried again: %s", why)
        if self._failures >= FAILURES:
            raise WorkerError(f"{FAILURES} chunks of matches failed one after the other: {why}")

    def _again(self, matches: Sequence[Match]) -> None:
        self._waiting.extendleft(reversed(matches))

    def _killed(self, matches: Sequence[Match]) -> None:
        """Take matches whose host processes have ended, three times: one of them may be why."""
        if len(matches) > 1:
            self._suspects.extend(matches)
            return
        why = f"{ENDED} processes of the cluster that played it ended"
        self.results.append(Lost(matches[0].number, Void(why, tries=ENDED)))

    def _played(self, answer: ChunkAnswer, matches: Sequence[Match]) -> None:
        """Take the results of a chunk."""
        if answer.refusal:
            self._again(matches)
            self._hosts.refuse(answer)
            return
        found = {result.number: result for result in answer.results}
        for match in matches:
            result = found.get(match.number)
            if isinstance(result, Lost):
                self._lost(answer, match, result.void)
            else:
                self._take(answer, match, result)
        self._failures = 0
        pace = answer.seconds / len(matches)
        self._pace += (pace - self._pace) / (8 if self._pace else 1)
        self._last = max(self._last, len(matches))

    def _take(self, answer: ChunkAnswer, match: Match, played: MatchRow | None) -> None:
        """Take a match that a host has played; one with a wrong record is void."""
        assert self._terms is not None, "run has begun"
        try:
            if played is None:
                raise RecordError("it was not answered")
            packed = row_of(played, self._terms.jobs(match))
        except RecordError as error:
            self._void(answer, match, Void(str(error)))
            self._hosts.refuse_machine(answer.address, f"match number {match.number}: {error}")
            return
        self._hosts.played(answer.address)
        self.results.append(packed)

    def _lost(self, answer: ChunkAnswer, match: Match, void: Void) -> None:
        """Take a match that a host could not play; if its machine lacks something, others do."""
        if void.lack is not None and self._hosts.lacks(answer.address):
            log.info("%s lacks %s: it gets nothing for a while", answer.host, void.lack)
            self._waiting.append(match)
            return
        self._void(answer, match, void._replace(lack=None, unable=None))

    def _void(self, answer: ChunkAnswer, match: Match, void: Void) -> None:
        reason = f"{answer.host}: {void.reason}"[:REASON]
        self.results.append(Lost(match.number, void._replace(reason=reason)))

    # who is there

    def _seen(self, asked: Future[Any]) -> None:
        """Take what the scheduler knows of hosts, and take back what none of them will answer."""
        if asked.cancelled() or asked.exception() is not None or self._terms is None:
            return  # the next answer says it
        workers, held = asked.result()
        self._hosts.seen(workers)
        self._take_back(
            [
                number
                for number, chunk in self._chunks.items()
                if chunk.hosts is not None and not chunk.hosts & workers.keys()
            ]
        )
        keys = {chunk.future.key: number for number, chunk in self._chunks.items()}
        has = {keys[key]: host for host, each in held.items() for key in each if key in keys}
        self._take_back([number for number, host in has.items() if self._hosts.is_silent(host)])

    def check(self) -> None:
        """Look which hosts are there, and whether any of them plays; once a second.

        Raises:
            WorkerError: no host may play, or the scheduler is lost.
        """
        scheduler = self._client.scheduler
        if self._client.status != "running" or scheduler is None:
            raise self._lost_scheduler()
        now = self.clock()
        if now >= self._ask_again and (self._asked is None or self._asked.done()):
            # an answer of thousands of hosts is large: as seldom as their own signs of life
            self._ask_again = now + math.floor(len(self._hosts.there) / ASKS_A_SECOND)
            self._asked = self._soon(_state(scheduler))
            self._asked.add_done_callback(
                lambda asked: self._events.put(partial(self._seen, asked))
            )
        self._hosts.check()

    def _lost_scheduler(self) -> WorkerError:
        return WorkerError(
            f"the scheduler of {self._address} is lost; what was played is kept: when the "
            "scheduler is there again, the same command continues"
        )


async def _state(scheduler: Any) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return what a scheduler knows of its hosts, and the keys of the tasks that each has."""
    return (await scheduler.identity())["workers"], await scheduler.processing()
