"""Matches in, records out, over the hosts of a cluster: with the face of ``local.Workers``.

A chunk of matches is one future of Dask's, which any host may play that fits: who plays what, who
is lost and what is tried again is Dask's to say. A future has one result, so nothing counts twice.
What comes back is rechecked in our processes before it counts.

Everything is done in the runner's thread: what Dask's and the recheckers' threads find out is put
into a queue, as a function to be called.
"""

from __future__ import annotations

import asyncio
import logging
import math
import queue
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, NamedTuple

import distributed

from arena.cluster import host
from arena.cluster.recheck import Sent
from arena.cluster.recheckers import Item, Recheckers
from arena.cluster.signs import Signs
from arena.cluster.terms import SILENT, ChunkAnswer, Terms, misfits, resources
from arena.packed.match import StoredMatch
from arena.sandbox import AUTO, LEVELS, find_level
from arena.values.errors import WorkerError
from arena.values.model import Match
from arena.values.untrusted import show
from arena.workers.gather import LOOK_SECONDS, Lost, Played, gather
from arena.workers.jobs import JobFactory
from arena.workers.patience import Patience
from engines import load_game

__all__ = ["Cluster"]

IN_FLIGHT = 2  # chunks of matches for each host: one being played, one waiting
CHUNK_SECONDS = 0.35  # of play in a chunk, at least
CHUNKS_A_SECOND = 100  # of all hosts together; chunks grow with their number
MANY = 500  # hosts; of more, a chunk is for some
SOME = 20
ASKS_A_SECOND = 200  # of all hosts together: who is there, as often as Dask's own heartbeats
CHUNK = 64  # matches in a chunk of that length at most
TOGETHER = 16  # matches that are rechecked at a time
BACKLOG = 4096  # matches that wait to be rechecked, above which nothing is handed out
QUIET_SECONDS = 5.0  # with no host that plays, before that is said
AGAIN_SECONDS = 60.0  # between such lines while a host that was given matches is silent
SILENT_SECONDS = 600.0  # with silent hosts alone, before the run ends
REFUSED_SECONDS = 10.0  # with refused hosts alone, before the run ends
ENDED = 3  # host processes at a match, before Dask gives it up
FAILURES = 5  # of chunks, one after the other, before the run ends
TRIES = 2  # at a match, alone, whose recheck ends the process
CLOSE_SECONDS = 2.0  # to say good-bye
REASON = 4000  # characters of why a host could not play a match

log = logging.getLogger(__name__)


class _Chunk(NamedTuple):
    """Matches that are one future.

    Attributes:
        place: a number that no other chunk under way has.
        hosts: the addresses of those that may play it; ``None``: all.
    """

    future: distributed.Future[ChunkAnswer]
    matches: tuple[Match, ...]
    place: int
    hosts: frozenset[str] | None


class Cluster:
    """The hosts of a cluster; use as a context manager, or call ``stop``.

    Attributes:
        come, looked: see ``gather.Source``.

    Args:
        client: Dask's, connected.
        address: what the cluster is called.
        sandbox: the level at which bots run, or ``auto``.
        isolates: whether that level must isolate bots.
        archive: returns the archive of an entrant's bot, by its name and hash.
        running: what ends with the cluster.
    """

    def __init__(
        self,
        client: distributed.Client,
        *,
        address: str,
        sandbox: str,
        isolates: bool,
        archive: Callable[[str, str], bytes],
        running: ExitStack | None = None,
    ) -> None:
        self._client, self._address = client, address
        self._sandbox, self._isolates, self._archive = sandbox, isolates, archive
        self._running = running or ExitStack()
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._recheckers: Recheckers | None = None
        self._make: JobFactory | None = None
        self._terms: Terms | None = None
        self._needs: dict[str, float] = {}
        self._carried: dict[str, distributed.Future[Any]] = {}  # terms and bots
        self._chunks: dict[int, _Chunk] = {}
        self._number = 0
        self._places: list[int] = []  # free ones
        self._waiting: deque[Match] = deque()  # to be handed out again
        self._returning: dict[int, Sequence[Match]] = {}  # of chunks that are being cancelled
        self._alone: dict[int, None] = {}  # those that may have ended hosts, to be sent alone
        self._open: dict[
            int, ChunkAnswer
        ] = {}  # matches that are being rechecked, and who played them
        self._ended: Counter[int] = Counter()  # rechecking processes, at a match that was alone
        self._failures = 0
        self._pace, self._last = 0.0, 0  # seconds a match takes a host; matches in a chunk
        self._hosts: dict[str, Mapping[str, Any]] = {}  # what each says of itself, by address
        self._fit: list[str] = []
        self._refused: dict[str, str] = {}  # hosts that get nothing more, and why
        self._distrusted: dict[tuple[str, str], str] = {}  # machines, and why
        self._signs = Signs("", ())
        self._silent: dict[str, str] = {}  # hosts that did not answer, and for how long
        self._named: set[str] = set()  # those of them that were named
        self._patience: dict[str, Patience] = {}  # with hosts whose machine lacks something
        self._asked: Future[Any] | None = None  # who is there
        self._ask_again = 0.0
        self.come: list[Played | Lost] = []
        self.looked = self._plays = time.monotonic()
        self._say_again = 0.0  # that no host plays
        self._said_ready = (0, 0)  # host processes that were said to be ready, and their machines

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Close the connection, which stops all matches, and end all our processes."""
        with ExitStack() as ending:  # the last one first
            ending.callback(self._running.close)
            ending.callback(self._client.close, CLOSE_SECONDS)
            if self._recheckers is not None:
                ending.callback(self._recheckers.close)

    def run(
        self,
        matches: Callable[[int], Match | float | None],
        make: JobFactory,
        look: Callable[[], None] = lambda: None,
    ) -> Iterator[list[Played | Lost]]:
        """Play what ``matches`` gives until it gives ``None`` and all is back; as ``Workers.run``.

        Raises:
            WorkerError: no host may play, or the scheduler is lost.
        """
        self._begin(make)
        self.check()
        yield from gather(self, lambda: self._hand_out(matches), look)
        self._name_silent()

    def _begin(self, make: JobFactory) -> None:
        """Forget what an earlier call has left behind; make new terms, if jobs are others."""
        self._drop(list(self._chunks))
        for forgotten in (self._waiting, self._returning, self._alone, self._open, self.come):
            forgotten.clear()
        if make is self._make:
            return
        self._make = make
        games = make.tournament.games
        self._terms = terms = Terms(
            key=secrets.token_hex(8),
            tournament=make.tournament,
            label=make.label,
            entrants=dict(make.entrants),
            rules=tuple((game, load_game(game).rules_version) for game in games),
            dictionary=make.dictionary,
            sandbox=self._sandbox,
            isolates=self._isolates,
        )
        self._signs = Signs(terms.key, terms.clocks)
        self._needs = resources(isolates=self._isolates, python=terms.python)
        self._carried.clear()
        if self._recheckers is not None:
            self._recheckers.close()
        self._recheckers = Recheckers(make)
        self._hosts.clear()  # so that they are looked at again
        self._ask_again = 0.0

    def busy(self) -> bool:
        """Return whether anything is to come, or to be handed out again."""
        return bool(self._waiting or self._returning or self._open or self._chunks)

    def has_room(self) -> bool:
        """Return whether nothing is."""
        return not self.busy()

    def wait(self, seconds: float) -> None:
        """Wait for results of hosts and of rechecks."""
        with suppress(queue.Empty):
            self._events.get(timeout=min(LOOK_SECONDS, seconds))()
            while True:
                self._events.get_nowait()()

    def _soon(self, doing: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Have something done by Dask's thread."""
        loop: Any = self._client.loop
        return asyncio.run_coroutine_threadsafe(doing, loop.asyncio_loop)

    # what goes out

    def _hand_out(self, matches: Callable[[int], Match | float | None]) -> float | None:
        """Give Dask what hosts have room for; return when ``matches`` is to be asked again."""
        if len(self._open) > BACKLOG:
            return LOOK_SECONDS
        ready = self._ready()
        while len(self._chunks) < IN_FLIGHT * len(ready):
            place = self._places.pop() if self._places else len(self._chunks)
            chunk, asked = self._chunk(place, matches)
            if not chunk:
                self._places.append(place)
                return asked
            self._play(chunk, place, ready)
        if not ready and not self.busy():  # is there anything to wait for hosts for?
            found = matches(0)
            if not isinstance(found, Match):
                return found
            self._waiting.append(found)
        return None

    def _chunk(
        self, place: int, matches: Callable[[int], Match | float | None]
    ) -> tuple[list[Match], float | None]:
        """Return the next matches for a host; if there are none, when to ask again."""
        chunk: list[Match] = []
        growth = max(1.0, len(self._fit) / CHUNKS_A_SECOND / CHUNK_SECONDS)
        size = int(CHUNK_SECONDS * growth / self._pace) if self._pace else 1
        size = max(1, min(size, 2 * self._last, int(CHUNK * growth)))
        while len(chunk) < size:
            found = self._waiting.popleft() if self._waiting else matches(place)
            if not isinstance(found, Match):
                return chunk, found
            if found.number in self._alone:
                if not chunk and not self._is_suspect_under_way():
                    return [found], None
                self._waiting.append(found)
                if all(match.number in self._alone for match in self._waiting):
                    break
                continue
            chunk.append(found)
        return chunk, None

    def _is_suspect_under_way(self) -> bool:
        return any(chunk.matches[0].number in self._alone for chunk in self._chunks.values())

    def _play(self, matches: Sequence[Match], place: int, ready: Sequence[str]) -> None:
        """Have matches played by any host that is ready."""
        terms = self._terms
        assert terms is not None, "run has begun"
        entrants = [terms.entrants[name] for match in matches for name in match.seats]
        bots = {
            one.bot.hash: self._carry(f"bot-{one.bot.hash}", self._archive, one.name, one.bot.hash)
            for one in entrants
        }
        self._number += 1
        hosts: frozenset[str] | None = None
        if len(ready) > MANY:  # to compare all of them takes Dask 2 µs each
            first = self._number % len(ready)
            hosts = frozenset(
                [*ready[first : first + SOME], *ready[: max(0, first + SOME - len(ready))]]
            )
        elif len(ready) < len(self._fit):  # Dask can be asked for hosts, not for all but some
            hosts = frozenset(ready)
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
        self._chunks[self._number] = _Chunk(future, tuple(matches), place, hosts)
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

    def _drop(self, numbers: Sequence[int]) -> tuple[list[Match], Future[Any]]:
        """Have chunks cut short; return their matches, and when Dask has forgotten the chunks."""
        chunks = [self._chunks.pop(number) for number in numbers]
        self._places += [chunk.place for chunk in chunks]
        futures = [one.future for one in chunks]
        forgotten = self._soon(self._client.cancel(futures, asynchronous=True))
        return [match for chunk in chunks for match in chunk.matches], forgotten

    def _take_back(self, numbers: Sequence[int]) -> None:
        """Have chunks cut short; once no answer to them can count, their matches go to others."""
        if not numbers:
            return
        matches, forgotten = self._drop(numbers)
        first = numbers[0]
        self._returning[first] = matches
        forgotten.add_done_callback(lambda _: self._events.put(partial(self._returned, first)))

    def _returned(self, first: int) -> None:
        self._again(self._returning.pop(first, ()))

    # what comes back

    def _answered(self, number: int, found: ChunkAnswer | BaseException) -> None:
        """Take what came of a chunk."""
        chunk = self._chunks.pop(number, None)
        if chunk is None:  # it was taken back
            return
        self._places.append(chunk.place)
        if isinstance(found, ChunkAnswer):
            self._played(found, chunk.matches)
            return
        if isinstance(found, CancelledError | asyncio.CancelledError):
            raise self._lost_scheduler()
        self._again(chunk.matches)
        if isinstance(found, distributed.KilledWorker):
            self._killed(chunk.matches)
            return
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
            self._alone.update(dict.fromkeys(match.number for match in matches))
            return
        (match,) = matches
        self._waiting.remove(match)
        self._alone.pop(match.number, None)
        why = f"{ENDED} processes of the cluster that played it ended"
        self.come.append(Lost(match, why, tries=ENDED))

    def _played(self, answer: ChunkAnswer, matches: Sequence[Match]) -> None:
        """Take the results of a chunk."""
        assert self._recheckers is not None, "run has begun"
        missing = {match.number: match for match in matches}
        sent: list[Item] = []
        wrong = ""
        for result in answer.results:
            number = _number_of(result)
            match = missing.pop(number, None)
            if match is None:
                wrong = f"an answer to match number {number}, which it was not asked for"
            elif isinstance(result, Lost):
                self._lost(answer, result._replace(match=match))
            else:
                self._open[number] = answer
                sent.append((match, Sent(result.packed, answer.level, answer.host)))
        self._give(sent, TOGETHER)
        self._again(list(missing.values()))
        if answer.refusal:
            self._refuse(answer)
        elif missing:
            wrong = wrong or f"{len(missing)} matches of a chunk were not answered"
        if wrong or (wrong := self._wrong_level(answer)):
            self._distrust(answer, wrong)
            return
        if sent:
            self._failures = 0
            pace = answer.seconds / len(matches)
            self._pace += (pace - self._pace) / (8 if self._pace else 1)
            self._last = max(self._last, len(matches))

    def _wrong_level(self, answer: ChunkAnswer) -> str:
        """Return what is wrong with the level at which a host plays; empty if nothing is."""
        level = show(str(answer.level), 60)
        if answer.refusal:
            return ""
        if answer.level not in LEVELS or self._sandbox not in (AUTO, answer.level):
            return f"it plays at the level {level}, and is asked for {self._sandbox}"
        if self._isolates and not find_level(answer.level).isolates:
            return f"it plays at the level {level}, and bots must be isolated"
        return ""

    def _lost(self, answer: ChunkAnswer, lost: Lost) -> None:
        """Take a match that a host could not play; if its machine lacks something, others do."""
        assert isinstance(lost.match, Match), "it was taken from what was asked"
        if lost.lack is not None and self._patient(answer.address).lacked():
            log.info("%s lacks %s: it gets nothing for a while", answer.host, lost.lack)
            self._waiting.append(lost.match)
            return
        reason = f"{answer.host}: {lost.reason}"[:REASON]
        self.come.append(lost._replace(reason=reason, lack=None))

    def _give(self, items: Sequence[Item], together: int) -> None:
        """Have matches rechecked, so many at a time."""
        assert self._recheckers is not None, "run has begun"
        for at in range(0, len(items), together):
            self._recheckers.give(
                items[at : at + together],
                lambda items, found: self._events.put(partial(self._rechecked, items, found)),
            )

    def _rechecked(
        self, items: Sequence[Item], found: list[StoredMatch | str] | BaseException
    ) -> None:
        """Take what came of a recheck: a match counts, or it is played elsewhere."""
        items = [item for item in items if item[0].number in self._open]  # of this run
        if isinstance(found, BaseException):
            self._not_rechecked(items, found)
            return
        for (match, _), one in zip(items, found, strict=True):
            answer = self._open.pop(match.number)
            if isinstance(one, str):
                self._waiting.append(match)
                self._distrust(answer, f"match number {match.number}: {one}")
                continue
            self._patient(answer.address).played()
            self._alone.pop(match.number, None)
            self.come.append(Played(one))

    def _not_rechecked(self, items: Sequence[Item], error: BaseException) -> None:
        """Recheck matches again, each alone, whose processes have ended."""
        log.warning("a process that rechecks matches ended: %s", error)
        if len(items) > 1:
            self._give(items, 1)
            return
        for match, sent in items:
            self._ended[match.number] += 1
            if self._ended[match.number] < TRIES:
                self._give([(match, sent)], 1)
                continue
            del self._open[match.number]
            self.come.append(Lost(match, f"the process that rechecked it ended: {error}"))

    # who is there

    def _ready(self) -> list[str]:
        """Return the hosts that may be given matches."""
        if not self._refused and not self._patience:  # as nearly always
            return self._fit
        return [
            one
            for one in self._fit
            if one not in self._refused
            and not (one in self._patience and self._patience[one].seconds())
        ]

    def _patient(self, address: str) -> Patience:
        return self._patience.setdefault(address, Patience())

    def _machine(self, address: str) -> tuple[str, str]:
        """Return where a host runs: the network's address, and the machine's own name."""
        return address.rpartition(":")[0], str(self._hosts.get(address, {}).get("host", ""))

    def _name(self, address: str) -> str:
        """Return what a person calls a host."""
        name = self._hosts.get(address, {}).get("host")
        return f"{show(str(name), 60)} ({address})" if name else address

    def _refuse(self, answer: ChunkAnswer) -> None:
        """Give a host no more matches that says why it plays none; or none for a while."""
        if not answer.lasting and self._patient(answer.address).lacked():
            log.info("%s is asked again later: %s", answer.host, show(answer.refusal, 400))
        elif answer.address not in self._refused:
            self._refused[answer.address] = answer.refusal
            log.warning("%s plays nothing: %s", answer.host, show(answer.refusal, 400))

    def _distrust(self, answer: ChunkAnswer, why: str) -> None:
        """Give a machine nothing more: one of its hosts sent what is wrong."""
        machine = self._machine(answer.address)
        if machine in self._distrusted:  # said before; this is of what was under way
            log.info("%s sent a wrong record: %s", answer.host, why)
            return
        self._distrusted[machine] = why
        name = self._name(answer.address)
        log.error("%s sent a wrong record, and gets no more matches: %s", name, why)
        for address in self._hosts:
            if self._machine(address) == machine:
                self._refused[address] = why

    def _seen(self, asked: Future[Any]) -> None:
        """Compare the hosts that are there with those that were."""
        if asked.cancelled() or asked.exception() is not None or self._terms is None:
            return  # the next answer says it
        identity, held = asked.result()
        workers = identity["workers"]
        found = {at: one["metrics"].get("arena") or {} for at, one in workers.items()}
        for gone in [address for address in self._hosts if address not in found]:
            if gone not in self._refused:
                log.warning("%s is gone; its matches are played elsewhere", self._name(gone))
            self._refused.pop(gone, None)
            self._patience.pop(gone, None)
        new = found.keys() - self._hosts.keys()
        self._hosts = found
        for address in sorted(new):
            why = self._distrusted.get(self._machine(address)) or self._silent.get(address)
            if whys := [why] if why else misfits(found[address], self._terms):
                self._refused[address] = "\n".join(whys)
                log.warning("%s plays nothing: %s", self._name(address), show(whys[0], 400))
        self._fit = [one for one, says in found.items() if not misfits(says, self._terms)]
        stuck = [
            number
            for number, chunk in self._chunks.items()
            if chunk.hosts is not None and not chunk.hosts & found.keys()
        ]
        self._take_back(stuck)
        self._look_for_signs(workers, held)

    def _look_for_signs(
        self, workers: Mapping[str, Mapping[str, Any]], held: Mapping[str, Sequence[str]]
    ) -> None:
        """Take chunks back from hosts that are silent, which get no more; nothing is raced.

        Args:
            workers: what the scheduler knows of each host.
            held: the keys of the tasks that each has.
        """
        keys = {chunk.future.key: number for number, chunk in self._chunks.items()}
        found = {keys[key]: host for host, each in held.items() for key in each if key in keys}
        for address, why in self._signs.look(found, workers).items():
            if address not in self._silent:
                self._silent[address] = self._refused[address] = why
                log.info("%s is silent, its matches go to others: %s", self._name(address), why)
                self._tell(address, why)
        self._take_back([number for number, host in found.items() if host in self._silent])

    def _tell(self, address: str, why: str) -> None:
        """Have the scheduler keep why a host gets no more, for who asks for the cluster's state."""
        assert self._terms is not None, "run has begun"
        scheduler, label = self._client.scheduler, self._terms.label
        if scheduler is not None:
            said = f"{why}; it gets no more matches of {label}"
            self._soon(scheduler.set_metadata(keys=[SILENT, address], value=said))

    def _name_silent(self) -> None:
        """Name the hosts that did not answer, each of them once."""
        for address, why in self._silent.items():
            if address not in self._named:
                self._named.add(address)
                log.warning(
                    "%s did not answer, and others played its matches: %s", self._name(address), why
                )

    # once a second

    def check(self) -> None:
        """Look which hosts are there, and whether any of them plays.

        Raises:
            WorkerError: no host may play, or the scheduler is lost.
        """
        scheduler = self._client.scheduler
        if self._client.status != "running" or scheduler is None:
            raise self._lost_scheduler()
        now = time.monotonic()
        if now >= self._ask_again and (self._asked is None or self._asked.done()):
            # an answer of thousands of hosts is large: as seldom as their own signs of life
            self._ask_again = now + math.floor(len(self._hosts) / ASKS_A_SECOND)
            self._asked = self._soon(_state(scheduler))
            self._asked.add_done_callback(
                lambda asked: self._events.put(partial(self._seen, asked))
            )
        if self._ready():
            self._say_who_plays([one for one in self._fit if one not in self._refused])
            self._plays, self._say_again = now, 0.0
            return
        self._said_ready = (0, 0)
        quiet = now - self._plays
        silent = [address for address in self._silent if address in self._hosts]
        refused = bool(self._hosts) and self._hosts.keys() <= self._refused.keys()
        if refused and quiet > (SILENT_SECONDS if silent else REFUSED_SECONDS):
            raise self._no_host()
        if quiet > QUIET_SECONDS and now >= self._say_again:
            self._say_again = now + (AGAIN_SECONDS if silent else math.inf)
            there = "no host is ready" if self._hosts else "no host is there"
            there += "".join([f"; {self._name(one)}: {self._silent[one]}" for one in silent])
            log.warning("waiting for %s: %s (Ctrl-C stops)", self._address, there)

    def _no_host(self) -> WorkerError:
        whys = dict.fromkeys(
            f"{self._name(address)}: {why}" if address in self._silent else why
            for address, each in self._refused.items()
            for why in each.splitlines()
        )
        return WorkerError("\n  ".join([f"no host of {self._address} may play:", *whys]))

    def _lost_scheduler(self) -> WorkerError:
        return WorkerError(
            f"the scheduler of {self._address} is lost; what was played is kept: when it is there "
            "again, the same command goes on"
        )

    def _say_who_plays(self, playing: Sequence[str]) -> None:
        """Say how many host processes there are to play, whenever that has changed."""
        found = (len(playing), len({self._machine(address) for address in playing}))
        if found != self._said_ready:
            self._said_ready = found
            processes, machines = found
            log.warning(
                "%d host process%s on %d machine%s: ready to play",
                processes,
                "" if processes == 1 else "es",
                machines,
                "" if machines == 1 else "s",
            )


async def _state(scheduler: Any) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return what a scheduler knows of its hosts, and the keys of the tasks that each has."""
    return await scheduler.identity(), await scheduler.processing()


def _number_of(result: object) -> int:
    """Return the number of the match that a result is of; -1 if it is no result."""
    match result:
        case Played(packed=StoredMatch(number=int(number))) | Lost(match=Match(number=int(number))):
            return number
    return -1
