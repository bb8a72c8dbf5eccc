"""A thousand machines of sixteen cores: the real coordinator in replayed time, no network."""

from __future__ import annotations

import heapq
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from support.cluster_world import LEVEL, FakeHost, Task, World, coordinator, jobs, schedule

from arena.cluster.recheckers import Item
from arena.cluster.terms import ChunkAnswer
from arena.packed.match import StoredMatch
from arena.values.model import Match
from arena.workers.jobs import JobFactory
from arena.workers.local import Played

MACHINES, PROCESSES = 1000, 16
SECONDS = 20  # of a match
ROUNDS = 5  # of matches that each process plays


class LargeWorld(World):
    """Hosts that take their time; each chunk goes to the one that has been idle for longest."""

    def __init__(self, record: StoredMatch) -> None:
        super().__init__()
        hosts = {
            f"tls://10.{n // 250}.{n % 250}.1:{port}": f"host{n}"
            for n in range(MACHINES)
            for port in range(PROCESSES)
        }
        self.hosts = {address: FakeHost(name) for address, name in hosts.items()}
        self.record = record
        self.idle = deque(self.hosts)
        self.busy: list[tuple[float, int, str, Task]] = []
        self.spent = 0.0  # CPU seconds of all this
        self.number = 0

    def _turn(self) -> None:
        began = time.process_time()
        self.now += self.step
        self._run()
        while self.busy and self.busy[0][0] <= self.now:
            _, _, address, task = heapq.heappop(self.busy)
            self.idle.append(address)
            if not task.done.done():
                task.end(self._answer(address, task.words[2]))
        while self.idle and self.tasks:
            task, address = self.tasks.popleft(), self.idle.popleft()
            self.number += 1
            ends = self.now + SECONDS * len(task.words[2])
            heapq.heappush(self.busy, (ends, self.number, address, task))
        self._run()
        self.spent += time.process_time() - began

    def _answer(self, address: str, matches: Sequence[Match]) -> ChunkAnswer:
        results = tuple(Played(self.record._replace(number=match.number)) for match in matches)
        host = self.hosts[address]
        return ChunkAnswer(address, host.name, LEVEL, SECONDS * len(matches), results)


class Believing:
    """Takes every record for right: rechecks are other processes' work."""

    def __init__(self, make: JobFactory) -> None:
        pass

    def give(self, items: Sequence[Item], then: Callable[[Sequence[Item], Any], None]) -> None:
        then(items, [sent.packed for _, sent in items])

    def close(self) -> None:
        pass


@pytest.mark.slow
def test_sixteen_thousand_processes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Every match ends once, nobody is called gone or silent, and few questions are asked."""
    (only,) = FakeHost("any").answer("tls://any:1", schedule(1)).results
    assert isinstance(only, Played)
    world = LargeWorld(only.packed)
    count = ROUNDS * MACHINES * PROCESSES
    left = iter(schedule(count))
    numbers: list[int] = []
    began = time.process_time()
    with caplog.at_level(logging.WARNING), coordinator(monkeypatch, world) as cluster:
        monkeypatch.setattr("arena.cluster.coordinator.Recheckers", Believing)
        for results in cluster.run(lambda _: next(left, None), jobs()):
            numbers += [one.packed.number for one in results if isinstance(one, Played)]
    elapsed = world.now - 1000.0
    spent = time.process_time() - began - world.spent
    print(f"{elapsed:.0f} s simulated, {spent:.1f} s of CPU, {1e3 * spent / count:.3f} ms a match")
    assert sorted(numbers) == list(range(count))
    ready = [record.getMessage() for record in caplog.records]
    assert ready == ["16000 host processes on 1000 machines: ready to play"]
    assert world.asked <= 2 + elapsed / (MACHINES * PROCESSES / 200)  # as seldom as heartbeats
    assert elapsed <= SECONDS * (ROUNDS + 3)
