"""A cluster without a network: hosts that play by the rules, or not, in the time of a test.

Time passes when the coordinator waits: a step each time, in which every host plays a chunk. What is
played follows from the job alone, so that all hosts play the same.
"""

from __future__ import annotations

import asyncio
import queue
import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from distributed import KilledWorker
from support.finished import entrants

from arena.cluster.coordinator import Cluster
from arena.cluster.signs import Doing, Signs
from arena.cluster.terms import ChunkAnswer, versions
from arena.match.charging import Spent
from arena.match.opening import deal
from arena.match.referee import Referee
from arena.packed.match import pack
from arena.values.model import Match, MatchJob, MatchResult, Record, Tournament
from arena.values.tables import MatchRow
from arena.workers.jobs import JobFactory
from arena.workers.local import Lost
from engines import load_game

LEVEL = "landlock"
BOTS = ("ash", "elm", "oak")


def jobs() -> JobFactory:
    """Return what makes the jobs of a tournament of three bots."""
    playing = entrants(BOTS)
    tournament = Tournament(name="open", games=("leaves",), bots=(), seed=5)
    return JobFactory(tournament, "open", {one.name: one for one in playing}, "none")


def schedule(count: int) -> list[Match]:
    """Return so many matches."""
    pairs = [("ash", "elm"), ("elm", "ash"), ("oak", "ash"), ("elm", "oak")]
    return [Match(n, "leaves", n // 4, n % 2, pairs[n % 4]) for n in range(count)]


def played_record(job: MatchJob, host: str = "") -> Record:
    """Return the record of a match in which everybody plays at random, each answer in 2 ms."""
    job, game = replace(job, sandbox=LEVEL, host=host), load_game(job.game)
    referee, rng = Referee(job, game, deal(job, game), lambda *_: None), random.Random(job.seed)
    for player in range(game.num_players):
        referee.greet(player)
        referee.line(player, b"ready")
    referee.begin()
    while not referee.over:
        for player in referee.open_node():
            action = referee.course.state.sample_action(player, rng)
            referee.ask(player)
            referee.line(player, f"play {action}".encode(), Spent(2.0, 1.0, 2.0))
        referee.close_node()
    return referee.record({}, "2026-01-01T00:00:00.000Z", 30)


@dataclass
class FakeHost:
    """One host; what it does may be replaced.

    Attributes:
        name: of its machine.
        changes: what it does to an answer before it sends it.
        deadly: numbers of matches that end it, and all others, until Dask gives their chunk up.
        takes: how many steps a chunk takes it, so that it has one meanwhile; 0: none.
        moves: how far it is, by the steps that were done in its chunk.
        played: the numbers of the matches it played, in order.
    """

    name: str
    changes: Callable[[ChunkAnswer], ChunkAnswer] = lambda answer: answer
    deadly: frozenset[int] = frozenset()
    takes: float = 0
    moves: Callable[[int], Doing] = lambda steps: Doing()
    has: Task | None = None
    steps: int = 0
    signs: Signs = field(default_factory=Signs)
    played: list[int] = field(default_factory=list)

    def report(self, now: float) -> dict[str, Any]:
        silent = self.signs.look(now, self.moves(self.steps) if self.has else None)
        words = {"host": self.name, "level": LEVEL, "isolates": True, "silent": silent}
        return {**versions(), **words}

    def answer(self, address: str, matches: Sequence[Match]) -> ChunkAnswer:
        """Play a chunk."""
        results = tuple(self.play(match) for match in matches)
        return self.changes(ChunkAnswer(address, self.name, 0.1 * len(matches), results))

    def play(self, match: Match) -> MatchRow | Lost:
        self.played.append(match.number)
        record = played_record(jobs()(match), self.name)
        return pack(MatchResult(match.number, record))


@dataclass(eq=False)
class Task:
    """What a coordinator has submitted."""

    words: tuple[Any, ...]
    key: str
    workers: Sequence[str] | None
    done: asyncio.Future[Any]
    status: str = "pending"

    def end(self, found: object) -> None:
        """Have a result, or an error."""
        if self.done.done():
            return
        if isinstance(found, BaseException):
            self.done.set_exception(found)
        else:
            self.done.set_result(found)


class World:
    """Dask's client, the hosts behind it, and their time; and the queue of what came of them.

    Attributes:
        hosts: by address.
        now: the time, in seconds.
        chunks: the matches of each chunk, in order.
        submitted: the tasks of these.
    """

    def __init__(self, *names: str) -> None:
        self.hosts = {f"tls://{name}:1": FakeHost(name) for name in names}
        self.now = 1000.0
        self.chunks: list[tuple[Match, ...]] = []
        self.plan: dict[int, Callable[[], object]] = {}
        self.status = "running"
        self.closed = self.lost = False
        self.tasks: deque[Task] = deque()
        self.submitted: list[Task] = []
        self._steps = 0
        self._events = queue.SimpleQueue[Callable[[], None]]()
        self.put, self.get_nowait = self._events.put, self._events.get_nowait
        self.loop = SimpleNamespace(asyncio_loop=asyncio.new_event_loop())
        self.scheduler = SimpleNamespace(identity=self._identity, processing=self._processing)

    def __getitem__(self, name: str) -> FakeHost:
        return self.hosts[f"tls://{name}:1"]

    def at(self, step: int, do: Callable[[], object]) -> None:
        """Have something happen."""
        self.plan[step] = do

    def kill(self, name: str) -> None:
        """Have a host end."""
        del self.hosts[f"tls://{name}:1"]

    def lose_scheduler(self) -> None:
        """Have the client lose what it has submitted, and fail when it is closed."""
        self.lost = True
        for task in self.tasks:
            task.end(asyncio.CancelledError())
        self.tasks.clear()

    # a client

    def submit(
        self,
        function: Callable[..., Any],
        *words: Any,
        key: str,
        resources: Mapping[str, float] | None,
        workers: Sequence[str] | None = None,
        pure: bool = True,
    ) -> Task:
        task = Task(words, key, workers, self.loop.asyncio_loop.create_future())
        if function.__name__ == "carry":
            return task
        self.chunks.append(words[2])
        self.submitted.append(task)
        self.tasks.append(task)
        return task

    async def gather(self, tasks: Sequence[Task], *, asynchronous: bool) -> list[Any]:
        return [await task.done for task in tasks]

    async def cancel(self, tasks: Sequence[Task], *, asynchronous: bool) -> None:
        for task in tasks:
            if task in self.tasks:
                self.tasks.remove(task)
            task.end(asyncio.CancelledError())

    def close(self, seconds: float) -> None:
        self.closed = True
        self._run()
        for left in asyncio.all_tasks(self.loop.asyncio_loop):
            left.cancel()
        self._run()
        self.loop.asyncio_loop.close()
        assert not self.lost, "IOStream is not idle; cannot convert to SSL"

    async def _identity(self) -> dict[str, Any]:
        return {
            "workers": {
                at: {"metrics": {"arena": host.report(self.now)}} for at, host in self.hosts.items()
            }
        }

    async def _processing(self) -> dict[str, list[str]]:
        return {
            at: [host.has.key]
            for at, host in self.hosts.items()
            if host.has is not None and not host.has.done.done()
        }

    # the queue

    def get(self, timeout: float) -> Callable[[], None]:
        if self._events.empty():
            self._turn()
        return self.get_nowait()

    def _turn(self) -> None:
        """Have time pass: every host plays a chunk that fits it."""
        self.now += 1.0
        self._steps += 1
        if do := self.plan.pop(self._steps, None):
            do()
        self._run()
        for address, host in list(self.hosts.items()):
            if host.has is not None:
                host.steps += 1
                if host.steps > host.takes:
                    task, host.has = host.has, None
                    task.end(host.answer(address, task.words[2]))
                continue
            fits = [task for task in self.tasks if task.workers is None or address in task.workers]
            if not fits:
                continue
            task = fits[0]
            self.tasks.remove(task)
            matches = task.words[2]
            if host.takes:
                host.has, host.steps = task, 0
                continue
            if host.deadly & {match.number for match in matches}:
                worker: Any = SimpleNamespace(address=address)
                task.end(KilledWorker("chunk", worker, 2))
            else:
                task.end(host.answer(address, matches))
        self._run()

    def _run(self) -> None:
        """Have Dask's thread do what there is to do."""
        for _ in range(5):
            self.loop.asyncio_loop.call_soon(self.loop.asyncio_loop.stop)
            self.loop.asyncio_loop.run_forever()


def coordinator(world: World) -> Cluster:
    """Return a coordinator in that world."""
    there: Any = world
    return Cluster(
        there,
        address="tls://here:1",
        isolates=True,
        archive=lambda name, digest: f"{name} {digest}".encode(),
        clock=lambda: world.now,
        events=there,
    )
