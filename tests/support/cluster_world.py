"""A cluster without a network: hosts that play by the rules, or not, in the time of a test.

Time passes when the coordinator listens: a step each time, in which every host answers what it was
asked first. What is played follows from the job alone, so that all hosts play the same.
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from selectors import BaseSelector
from types import SimpleNamespace
from typing import Any

import pytest
from support.finished import entrants

from arena.cluster.coordinator import Cluster
from arena.cluster.hosts import HostFunctions
from arena.cluster.link import Answered, Event, Failed, HostGone, Seen, Up
from arena.cluster.recheck import Sent, recheck
from arena.cluster.recheckers import Rechecked
from arena.cluster.terms import HostReport, Terms, UnknownTerms, versions
from arena.jobs import Jobs
from arena.match.course import Course
from arena.match.opening import deal
from arena.match.recorded import Replay
from arena.model import Decision, Match, MatchJob, MatchResult, Player, Record, Tournament
from arena.packed.match import pack
from arena.version import __version__
from arena.workers.local import Lost, Played
from engines import load_game

LEVEL = "landlock"
BOTS = ("ash", "elm", "oak")


def jobs() -> Jobs:
    """Return what makes the jobs of a tournament of three bots."""
    playing = entrants(BOTS)
    tournament = Tournament(name="open", games=("leaves",), bots=(), seed=5)
    return Jobs(tournament, "open", {one.name: one for one in playing}, "none", (0, b""))


def schedule(count: int) -> list[Match]:
    """Return so many matches."""
    pairs = [("ash", "elm"), ("elm", "ash"), ("oak", "ash"), ("elm", "oak")]
    return [Match(n, "leaves", n // 4, n % 2, pairs[n % 4]) for n in range(count)]


def played_record(job: MatchJob, level: str = LEVEL, host: str = "") -> Record:
    """Return the record of a match in which everybody plays at random, each answer in 2 ms."""
    game = load_game(job.game)
    begun = deal(job, game)
    course, rng = Course(game, begun), random.Random(job.seed)
    while True:
        course.look_for_end()
        if course.over:
            break
        for player in course.to_act:
            action = course.state.sample_action(player, rng)
            after = course.state.apply_action(player, action)
            course.act(player, action, after, Decision(2.0, 1.0, 2.0))
    players = [
        Player(seat.entrant, seat.bot.version, seat.bot.hash, seat.args, seat.seed, sent="")
        for seat in job.seats
    ]
    record = Record(
        id=job.id,
        tournament=job.tournament,
        block=job.block,
        seating=job.seating,
        game=job.game,
        rules_version=game.rules_version,
        setup=begun.setup,
        opening=begun.opening,
        seed=job.seed,
        clock=job.common_clock,
        players=tuple(players),
        actions=tuple(course.actions),
        decisions=tuple(course.decisions),
        scores=course.scores(),
        ranks=course.ranks(),
        by=course.by,
        faults=(),
        arena_version=__version__,
        sandbox=level,
        started="2026-01-01T00:00:00.000Z",
        elapsed_ms=30,
        host=host,
    )
    told = Replay(record, game).referee.players
    with_sent = [replace(one, sent=told[seat].sent()) for seat, one in enumerate(players)]
    return replace(record, players=tuple(with_sent))


@dataclass
class FakeHost:
    """One host; what it does may be replaced.

    Attributes:
        name: of its machine.
        asked: the calls that it has not answered.
        there: does the scheduler know it?
        alive: does it show signs of life, and answer?
        missing: the hashes that it asks for, until they are on its shelf.
        shelf: the hashes of the bots in its home.
        changes: what it does to an answer of ``play`` before it sends it.
        level: at which it says that it runs bots.
        played: the numbers of the matches it played, in order.
    """

    name: str
    there: bool = True
    alive: bool = True
    missing: tuple[Any, ...] = ()
    shelf: list[str] = field(default_factory=list)
    level: str = LEVEL
    refusals: tuple[str, ...] = ()
    said: dict[str, str] = field(default_factory=versions)
    changes: Callable[[list[Any]], Any] = list
    asked: deque[tuple[int, str, Sequence[Any]]] = field(default_factory=deque)
    terms: dict[str, Terms] = field(default_factory=dict)
    taken: list[bytes] = field(default_factory=list)
    played: list[int] = field(default_factory=list)

    def answer(self, function: str, words: Sequence[Any]) -> object:
        if function == "versions":
            return {**self.said, "host": self.name}
        if function == "look":
            self.terms[words[0].key] = words[0]
            missing = tuple([one for one in self.missing if one not in self.shelf])
            return HostReport(self.name, 1, (), self.level, missing, self.refusals)
        if words[0] not in self.terms:
            raise UnknownTerms(words[0])
        if function == "take_bot":
            self.taken.append(words[2])
            self.shelf.append(words[1])
            return ""
        return self.changes([self.play(match) for match in words[1]])

    def play(self, match: Match) -> Played | Lost:
        self.played.append(match.number)
        job = jobs()(match)
        return Played(pack(MatchResult(match.number, played_record(job, host=self.name))))


class World:
    """The way to some hosts, and their time.

    Attributes:
        hosts: by address.
        now: the time, in seconds.
        step: seconds that pass each time.
        plan: what happens at which step.
        dropped: the calls that were dropped.
    """

    def __init__(self, *names: str) -> None:
        self.hosts = {f"tls://{name}:1": FakeHost(name) for name in names}
        self.now = 1000.0
        self.step = 1.0
        self._steps = 0
        self.plan: dict[int, Callable[[], object]] = {}
        self.dropped: set[int] = set()
        self.closed = False
        self._events: deque[Event] = deque([Up()])
        self._bell = os.pipe()
        os.write(self._bell[1], b"!")  # something has always come

    def __getitem__(self, name: str) -> FakeHost:
        return self.hosts[f"tls://{name}:1"]

    def at(self, step: int, do: Callable[[], object]) -> None:
        """Have something happen."""
        self.plan[step] = do

    def say(self, event: Event) -> None:
        """Have the coordinator hear something."""
        self._events.append(event)

    # a link

    def fileno(self) -> int:
        return self._bell[0]

    def take(self) -> Sequence[Event]:
        self.now += self.step
        self._steps += 1
        if do := self.plan.pop(self._steps, None):
            do()
        for host in list(self.hosts.values()):
            if host.asked and host.alive:
                self.answer(host)
        signs = {
            address: self.now if host.alive else 0.0
            for address, host in self.hosts.items()
            if host.there
        }
        events = [*self._events, Seen(signs)]
        self._events.clear()
        return events

    def answer(self, host: FakeHost) -> None:
        """Have a host answer what it was asked first."""
        call, function, words = host.asked.popleft()
        try:
            event: Event = Answered(call, host.answer(function, words))
        except Exception as error:
            event = Failed(call, error)
        self._events.append(event)

    def call(
        self, call: int, address: str, function: Callable[..., object], *words: object
    ) -> None:
        if address in self.hosts:
            self.hosts[address].asked.append((call, function.__name__, words))

    def drop(self, call: int) -> None:
        self.dropped.add(call)

    def close(self) -> None:
        self.closed = True
        for end in self._bell:
            os.close(end)

    # what may happen to a host

    def kill(self, name: str) -> None:
        """Have a host end: the calls that it had fail, and it is not there."""
        host = self.hosts.pop(f"tls://{name}:1")
        self._events.extend(Failed(call, HostGone()) for call, _, _ in host.asked)

    def restart(self, name: str) -> None:
        """Have a host forget everything."""
        self[name].terms.clear()


class Inline:
    """Rechecks at once, in this process."""

    def __init__(self, most: int, selector: BaseSelector) -> None:
        self.settled: Callable[[Rechecked], None] = lambda rechecked: None

    def __len__(self) -> int:
        return 0

    def give(self, items: Sequence[tuple[Match, Sent]], make: Jobs) -> None:
        for match, sent in items:
            self.settled(Rechecked(match, sent, recheck(make(match), sent)))

    def look(self) -> None:
        pass

    def forget(self) -> None:
        pass

    def close(self) -> None:
        pass


def coordinator(monkeypatch: pytest.MonkeyPatch, world: World) -> Cluster:
    """Return a coordinator in that world."""
    clock = SimpleNamespace(monotonic=lambda: world.now)
    for module in ("hosts", "coordinator"):
        monkeypatch.setattr(f"arena.cluster.{module}.time", clock)
    monkeypatch.setattr("arena.workers.gather.time", clock)
    monkeypatch.setattr("arena.cluster.coordinator.Recheckers", Inline)
    cluster = Cluster(
        world,
        HostFunctions(*[_called(name) for name in HostFunctions._fields]),
        address="tls://here:1",
        sandbox="auto",
        isolates=True,
        archive=lambda name, digest: f"{name} {digest}".encode(),
    )
    cluster._recheckers.settled = cluster._settle  # type: ignore[attr-defined]
    return cluster


def _called(name: str) -> Any:
    """Return what stands for a function of hosts: its name is all that is looked at."""
    return type(name, (), {})
