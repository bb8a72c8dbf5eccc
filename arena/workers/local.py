"""Matches in, records out, over worker processes that we watch ourselves.

A worker plays one match at a time; the next ones wait in its pipe. A worker that dies takes nothing
with it but the match that it had begun, which is reported as lost; what only waited is given to
another. Results are handed on together, at most every 50 ms, so that they can be kept together.

What a dead worker leaves behind comes to the process that forks workers, and is ended there.
``worker.py`` is the worker's side, ``watched.py`` the runner's view.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Self

from arena.machine import procfs
from arena.machine.cores import running
from arena.machine.crash import cross
from arena.machine.heartbeat import NO_PLAYER, pid_of, player_of
from arena.machine.logs import LogReceiver
from arena.process.leftovers import sweep
from arena.process.machine_memory import kernel_kills
from arena.process.silence import Hang, engine_hangs
from arena.process.stop_all import END_SECONDS, end_tree
from arena.values.errors import Void, WorkerError, doing
from arena.values.model import Match, MatchJob, Termination
from arena.values.tables import MatchRow
from arena.workers.endings import how_it_ended
from arena.workers.fork_server import end_left_behind, start_fork_server, starting
from arena.workers.gather import LOOK_SECONDS, Lost, Source
from arena.workers.shown import ShownFiles
from arena.workers.watched import Watched
from arena.workers.worker import Assignment, Make, new_heartbeat, work

__all__ = ["Lost", "Workers"]

STOP_SECONDS = 3.0  # for workers to stop their bots and end
AGAIN = 3  # times that a match is given out again at once, as bots of other matches spoilt it
STARTS = 5  # attempts at starting a worker while the fork server dies
DEATHS = 5  # of workers, one after the other, none of which has taken the match that waited for it
START_PAUSE = 0.1  # before the second of them; doubled before each one after it
REST_SECONDS = 0.025  # while all workers have more than twice this to play

log = logging.getLogger(__name__)


class Workers(Source[Match | MatchJob]):
    """A number of worker processes; use as a context manager.

    Args:
        count: how many.
        pin: keep each match, with its worker and bots, on one core.
        shown: the folder with how far their matches are, for those who look.
        ahead: have matches wait for each worker, and give it the next one before a result was
            handed on, which saves time between them.
    """

    def __init__(
        self,
        count: int,
        *,
        pin: bool = True,
        shown: Path | None = None,
        ahead: bool = True,
        secrets: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self._context = multiprocessing.get_context("forkserver")
        self._cores = _idlest_first(os.sched_getaffinity(0), running()) if pin else []
        self._most = count  # workers that are given matches
        self._shown = ShownFiles(shown)
        self._secrets = dict(secrets)
        self._ahead = ahead
        self._workers: list[Watched] = []
        self._selector = selectors.DefaultSelector()
        self._deaths = 0  # in a row, of workers that had taken nothing
        self._make: Make
        self._waiting: deque[Assignment] = deque()  # what dead workers had not begun

    def __enter__(self) -> Self:
        start_fork_server()
        self._shown.sweep()
        for _ in range(self._most):
            self._workers.append(self._start())
        return self

    def begin(self, make: Make) -> None:
        """Forget what an earlier call of ``run`` has left behind; ``make`` is as there."""
        self._waiting.clear()
        self.results = []
        self._make = make

    def busy(self) -> bool:
        """Return whether a worker has a match."""
        return any(worker.orders for worker in self._workers)

    def has_room(self) -> bool:
        """Return whether a worker has none."""
        return not all(worker.orders for worker in self._workers)

    def wait(self, seconds: float) -> None:
        """Wait for what workers say, and take the results that have come."""
        rest = min([REST_SECONDS, *(worker.ahead() / 2 for worker in self._workers)])
        if rest > 0:  # then several can be read at a time
            time.sleep(rest)
        for key, events in self._selector.select(min(LOOK_SECONDS, seconds)):
            if isinstance(key.data, LogReceiver):
                if not key.data.receive():
                    with contextlib.suppress(KeyError, ValueError):  # its worker was just replaced
                        self._selector.unregister(key.data)
                continue
            worker: Watched = key.data
            if worker not in self._workers:  # just replaced
                continue
            if events & selectors.EVENT_WRITE:
                worker.send()
                self._watch_writes(worker)
            answers = worker.receive()
            if answers is None:
                self._replace(worker)
                continue
            if answers:
                self._deaths = 0
            self.results += [
                answer if isinstance(answer, MatchRow) else Lost(order.match.number, answer)
                for order, answer in answers
            ]

    def stop(self) -> None:
        """Have the workers kill their bots and end; kill what does not end in time.

        Raises:
            KeyboardInterrupt: somebody pressed Ctrl-C meanwhile; they were killed at once.
        """
        deadline = time.monotonic() + STOP_SECONDS
        interrupt: KeyboardInterrupt | None = None
        ended = self._workers
        while self._workers:
            try:
                _end(ended, deadline)
                self._workers = []
            except KeyboardInterrupt as error:
                deadline, interrupt = 0.0, error
        for worker in ended:
            _close(worker)
        self._shown.write({})
        self._selector.close()
        if interrupt is not None:
            raise interrupt

    def use(self, most: int) -> None:
        """Play at most so many matches at a time from now on: the last workers end, with all bots.

        What they have been given they play before.
        """
        self._most = min(self._most, most)

    def _retire(self) -> None:
        while len(self._workers) > self._most and not self._workers[-1].orders:
            self._take_out(self._workers[-1], STOP_SECONDS)

    def most_used(self) -> int:
        """Return the most bytes that one bot was seen to hold, 0 if none was seen."""
        return max([worker.heartbeat.used for worker in self._workers], default=0)

    def positions(self) -> list[tuple[int | None, int]]:
        """Return for each worker the number of its match, if any, and the decisions made in it."""
        return [
            (one.orders[0].match.number if one.orders else None, one.heartbeat.decisions)
            for one in self._workers
        ]

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.process.pid or 0 for worker in self._workers]

    def _start(self) -> Watched:
        """Start a worker; a fork server that has died is replaced.

        Raises:
            WorkerError: it dies again and again.
        """
        cross("worker")
        for attempt in range(1, STARTS + 1):
            if attempt > 1:
                time.sleep(START_PAUSE * 2 ** (attempt - 2))
            try:
                with doing("start a worker"):
                    return self._try_start()
            # what its death looks like from here, in the order of what is done there
            except (ConnectionError, FileNotFoundError, EOFError) as error:
                reason = f"{type(error).__name__}: {error}"
                log.info("a worker could not be started, attempt %s: %s", attempt, reason)
        raise WorkerError(
            f"no worker can be started: the process that forks them ended {STARTS} times "
            f"({reason}); when nothing kills it any more, use the same command again"
        )

    def _try_start(self) -> Watched:
        ours, theirs = self._context.Pipe()
        # a pair without a name, of which each packet is one record
        log_ours, log_theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        heartbeat = new_heartbeat(self._context)
        level = logging.getLogger("arena").getEffectiveLevel()
        process = self._context.Process(
            target=work,
            args=(theirs, heartbeat, self._cores, log_theirs, level, self._secrets),
            name="arena-worker",
        )
        try:
            with starting() as started:
                process.start()
                started(process.pid or 0)
        except BaseException:
            ours.close()
            log_ours.close()
            raise
        finally:
            theirs.close()
            log_theirs.close()
        worker = Watched(process, ours, heartbeat, LogReceiver(log_ours))
        self._selector.register(ours, selectors.EVENT_READ, worker)
        self._selector.register(worker.log, selectors.EVENT_READ, worker.log)
        return worker

    def hand_out(self, matches: Callable[[int], Match | MatchJob | float | None]) -> float | None:
        """Give the workers what they have room for; return when ``matches`` is to be asked again.

        One after the other gets one more, those with the least first: so none waits for what
        another has in excess.
        """
        self._retire()
        if self.results and not self._ahead:  # they may say that the next match has to wait
            return None
        workers = self._workers[: self._most]
        chunks: list[list[Assignment]] = [[] for _ in workers]
        again = None
        goals = [worker.goal() if self._ahead else not worker.orders for worker in workers]
        for place in _turns([len(worker.orders) for worker in workers], goals):
            if self._waiting:
                order = self._waiting.popleft()
            else:
                match = matches(place)
                if match is None or isinstance(match, float):
                    again = match
                    break
                order = Assignment(match)
            chunks[place].append(order)
        for worker, chunk in zip(workers, chunks, strict=True):
            if chunk:
                worker.give(chunk, self._make)
                if worker.unsent:
                    self._watch_writes(worker)
        return again

    def _watch_writes(self, worker: Watched) -> None:
        """Wake up for a worker's answers, and for room in its pipe where it is needed."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if worker.unsent else 0)
        if self._selector.get_key(worker.connection).events != events:
            self._selector.modify(worker.connection, events, worker)

    def check(self) -> None:
        """Look at workers that are silent, end what they wait for, or end them."""
        now = time.monotonic()
        self._shown.write({worker.process.pid or 0: worker.heartbeat for worker in self._workers})
        for worker in self._workers:
            # an answer, or its end, may be there to be read
            if not worker.orders or worker.connection.poll():
                worker.silence.end()
                continue
            pid = worker.process.pid or 0
            finding = worker.silence.look(now, worker.heartbeat, _state(pid))
            if finding is Hang.HELD:
                end_tree(pid_of(worker.silence.doing), worker.heartbeat.since_ns)
            elif finding is not Hang.FINE:
                if worker.found is None:
                    worker.found = finding, worker.silence.doing
                    log.warning("worker %s hangs and is killed", pid)
                end_tree(pid, worker.since_ns)

    def _replace(self, worker: Watched) -> None:
        """Put a new worker in a dead one's place; the match that it had begun, if any, is lost.

        What it had not begun is given to others.

        Raises:
            WorkerError: workers die again and again before they take a match.
        """
        place = self._workers.index(worker)
        how = self._take_out(worker)
        self._workers.insert(place, self._start())
        lost = worker.undone()
        if lost is None and worker.orders:
            self._deaths += 1
            if self._deaths == DEATHS:
                raise WorkerError(
                    f"{DEATHS} workers ended before they took a match; the last {how}"
                )
        self._waiting.extend(worker.orders)
        if lost is None:
            return
        finding, doing = worker.found or (None, 0)
        if worker.heartbeat.over:  # the bot that took the memory is at fault
            self._play_without(lost, worker.heartbeat.over - 1, Termination.MEMORY)
        elif finding is Hang.STUCK and player_of(doing) != NO_PLAYER:
            self._play_without(lost, player_of(doing), Termination.FLOOD)
        elif finding is Hang.STUCK and lost.again < AGAIN:  # a bot that was kept, of another match
            self._waiting.append(lost._replace(again=lost.again + 1))
        elif finding is Hang.ENGINE:
            void = Void(engine_hangs(lost.match.game, worker.heartbeat), final=True)
            self.results.append(Lost(lost.match.number, void))
        else:
            void = Void(f"its worker {how if finding is None else 'showed no sign of life'}")
            self.results.append(Lost(lost.match.number, void))

    def _play_without(self, lost: Assignment, player: int, code: Termination) -> None:
        """Have a match played without a player whose bot cost it its worker."""
        self._waiting.append(lost._replace(lost_by=(*lost.lost_by, (player, code))))

    def _take_out(self, worker: Watched, seconds: float = 1.0) -> str:
        """Take a worker out that is dead or is to end, with all that it has left behind.

        Returns:
            How it ended.
        """
        self._selector.unregister(worker.connection)
        with contextlib.suppress(KeyError):  # its end was seen there before
            self._selector.unregister(worker.log)
        _end([worker], time.monotonic() + seconds)
        code = worker.process.exitcode
        how = how_it_ended(code, kernel_kills() - worker.kernel_kills)
        if worker.found is not None:  # by us
            how = "was killed, as it hung"
        pid = worker.process.pid or 0
        log.log(logging.WARNING if code else logging.INFO, "worker %s %s", pid, how)
        _close(worker)
        self._workers.remove(worker)
        return how


def _end(workers: Sequence[Watched], deadline: float) -> None:
    """End workers that still run, and all processes that workers have left behind.

    A worker that runs past the deadline is killed together with its bots, as a bot may hold it in
    the kernel. We wait ``END_SECONDS`` at most for a killed worker, since a process that is in the
    kernel may outlive its SIGKILL.
    """
    for worker in workers:
        worker.log.receive()  # which makes room for its last words
        with contextlib.suppress(OSError):
            worker.connection.close()
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        if worker.process.is_alive():
            end_tree(worker.process.pid or 0, worker.since_ns)
            worker.process.kill()
            worker.process.join(END_SECONDS)
    end_left_behind([worker.process.pid or 0 for worker in workers])
    sweep()


def _close(worker: Watched) -> None:
    """Give back what a worker needed; one that does not end is left to the system."""
    worker.log.close()
    with contextlib.suppress(ValueError):
        worker.process.close()


def _state(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return procfs.stat(pid)[procfs.STATE]
    return b""


def _turns(have: Sequence[int], goals: Sequence[int]) -> Iterator[int]:
    """Yield which worker gets a match next, by its place: one of those that have the fewest.

    >>> list(_turns([0, 2, 1], [3, 3, 0]))
    [0, 0, 0, 1]
    """
    for depth in range(min(have), max(goals)):
        yield from (place for place, goal in enumerate(goals) if have[place] <= depth < goal)


def _idlest_first(cores: Collection[int], busy: Mapping[int, int]) -> list[int]:
    """Return cores in the order in which workers take them; ``busy``: how much runs on each.

    >>> _idlest_first({3, 5, 7}, {5: 2})
    [3, 7, 5]
    """
    return sorted(cores, key=lambda core: (busy.get(core, 0), core))
