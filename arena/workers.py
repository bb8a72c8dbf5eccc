"""Matches in, records out, over worker processes that we watch ourselves.

A worker plays one match at a time; the next one waits in its pipe. A worker that dies takes nothing
with it but the match it was playing, which is reported as lost; what only waited is given to
another. The process that owns the workers is a subreaper, so that the bots of a dead worker become
its children and are killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import multiprocessing
import os
import selectors
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import NamedTuple, Protocol

from arena.errors import MatchVoid
from arena.logs import log_to_parent
from arena.model import MatchJob
from arena.referee.cgroups import settle, sweep_groups
from arena.referee.driver import Bench, RunnerGone, play_match
from arena.referee.leftovers import folder_of_sockets
from arena.referee.process import become_subreaper, children, kill_strays
from arena.store.packed import Packed, pack
from arena.untrusted import show_lines

__all__ = ["Lost", "Played", "Workers"]

IN_FLIGHT = 2  # matches a worker has: one being played, one waiting
STOP_SECONDS = 3.0  # for workers to stop their bots and end
LOOK_SECONDS = 1.0  # between looks for workers that hang
SLACK_SECONDS = 30.0  # that a worker may show no sign of life; it does so ten times a second
SMALL = 16 * 1024  # a job of at most so many bytes may wait in the pipe of a worker that plays

log = logging.getLogger(__name__)


class Sign(Protocol):
    """What a worker says in shared memory, so that it is known however it ends.

    Attributes:
        until: the monotonic time by which it shows another sign of life.
        over: 1 + the player who is over its memory in the match being played, 0 if none is.
    """

    until: float
    over: int


class _Sign(ctypes.Structure):
    _fields_ = [("until", ctypes.c_double), ("over", ctypes.c_int)]  # read by ctypes


class Played(NamedTuple):
    """A finished match, and what each bot wrote to stderr and by ``log``, seat 0 first.

    The logs are fit to be shown, line by line.
    """

    packed: Packed
    logs: tuple[str, ...]


class Lost(NamedTuple):
    """A match that was not played to its end through no fault of a bot: it is void."""

    job: MatchJob
    reason: str


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    core: int | None
    sign: Sign
    jobs: deque[MatchJob] = field(default_factory=deque)


class Workers:
    """A number of worker processes; use as a context manager.

    Args:
        count: how many.
        log_path: where workers send their log records, ``None``: nowhere.
        pin: keep each worker, and so its bots, on one core.
    """

    def __init__(self, count: int, log_path: str | None = None, *, pin: bool = True) -> None:
        self._count = count
        self._log_path = log_path
        self._context = multiprocessing.get_context("forkserver")
        self._cores = sorted(os.sched_getaffinity(0)) if pin else []
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()
        self._spare: frozenset[int] = children()
        self._looked = time.monotonic()

    def __enter__(self) -> Workers:
        become_subreaper()
        settle()
        folder_of_sockets()  # where the fork server has one
        self._context.set_forkserver_preload(["arena.workers"])
        for index in range(self._count):
            core = self._cores[index % len(self._cores)] if self._cores else None
            self._workers.append(self._start(core))
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def run(
        self, jobs: Callable[[], MatchJob | None], look: Callable[[], None] = lambda: None
    ) -> Iterator[Played | Lost]:
        """Play what ``jobs`` gives until it gives ``None`` and all is back; results as they come.

        ``jobs`` is asked only when a worker has room, and again after every result; ``look`` is
        called before results are handed over, and at least once a second.
        """
        waiting: deque[MatchJob] = deque()
        while True:
            self._hand_out(waiting, jobs)
            if not any(worker.jobs for worker in self._workers):
                return
            events = self._selector.select(LOOK_SECONDS)
            look()
            if time.monotonic() - self._looked > LOOK_SECONDS:
                self._kill_hanging()
            for key, _ in events:
                worker: _Worker = key.data
                if worker not in self._workers:
                    continue
                result = self._receive(worker)
                if result is not None:
                    yield result
                    continue
                lost = self._replace(worker, waiting)
                if lost is not None:
                    yield lost

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Have the workers kill their bots and end; kill what does not end in time."""
        for worker in self._workers:
            with contextlib.suppress(OSError):
                worker.connection.close()
        deadline = time.monotonic() + seconds
        for worker in self._workers:
            try:
                worker.process.join(max(0.0, deadline - time.monotonic()))
            except KeyboardInterrupt:  # a second Ctrl-C: at once
                deadline = 0.0
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.process.close()
        if self._workers:
            self._workers.clear()
            kill_strays(self._ours())
            sweep_groups()
        self._selector.close()

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.process.pid or 0 for worker in self._workers]

    def _start(self, core: int | None) -> _Worker:
        ours, theirs = self._context.Pipe()
        sign: Sign = self._context.RawValue(_Sign, time.monotonic() + SLACK_SECONDS, 0)
        level = logging.getLogger("arena").getEffectiveLevel()
        process = self._context.Process(
            target=_work, args=(theirs, sign, core, self._log_path, level), name="arena-worker"
        )
        before = children()
        # Ctrl-C is for the runner; a fork server that is just coming up would show a traceback
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        # the fork server and multiprocessing's tracker are ours; orphaned bots are not
        self._spare |= children() - before
        theirs.close()
        worker = _Worker(process, ours, core, sign)
        self._selector.register(ours, selectors.EVENT_READ, worker)
        return worker

    def _hand_out(self, waiting: deque[MatchJob], jobs: Callable[[], MatchJob | None]) -> None:
        for depth in range(1, IN_FLIGHT + 1):
            for worker in self._workers:
                if len(worker.jobs) >= depth:
                    continue
                job = waiting.popleft() if waiting else jobs()
                if job is None:
                    return
                data = ForkingPickler.dumps(job)
                if worker.jobs and len(data) > SMALL:
                    # it might not fit into the pipe, and the worker reads only between matches
                    waiting.appendleft(job)
                    return
                worker.jobs.append(job)
                with contextlib.suppress(OSError):  # its death is seen at the other end
                    worker.connection.send_bytes(data)

    def _ours(self) -> frozenset[int]:
        """Return the processes that are no strays; workers whose fork server died are ours, too."""
        return self._spare | frozenset(self.pids())

    def _kill_hanging(self) -> None:
        """Kill workers that have shown no sign of life for longer than any bot may take."""
        now = self._looked = time.monotonic()
        for worker in self._workers:
            if worker.jobs and now > worker.sign.until:
                log.warning("worker %s hangs and is killed", worker.process.pid)
                worker.process.kill()

    def _receive(self, worker: _Worker) -> Played | Lost | None:
        """Take a worker's answer; ``None`` if it has died."""
        try:
            answer: Played | str = worker.connection.recv()
        except (EOFError, OSError):
            return None
        job = worker.jobs.popleft()
        return Lost(job, answer) if isinstance(answer, str) else answer

    def _replace(self, worker: _Worker, waiting: deque[MatchJob]) -> Lost | None:
        """Put a new worker in a dead one's place; return the match it was playing, if any."""
        self._selector.unregister(worker.connection)
        worker.connection.close()
        worker.process.join(1.0)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        code = worker.process.exitcode
        log.warning("worker %s ended with exit code %s", worker.process.pid, code)
        worker.process.close()
        self._workers.remove(worker)
        killed = kill_strays(self._ours())
        sweep_groups()
        if killed:
            log.info("killed %s processes that a dead worker left behind", killed)
        self._workers.append(self._start(worker.core))
        lost = worker.jobs.popleft() if worker.jobs else None
        if lost is not None and worker.sign.over:
            # whoever took the memory is at fault, not we: the match is played without it
            over = (*lost.over_memory, worker.sign.over - 1)
            waiting.append(replace(lost, over_memory=over))
            lost = None
        waiting.extend(worker.jobs)
        return None if lost is None else Lost(lost, f"its worker ended with exit code {code}")


def _work(
    connection: Connection, sign: Sign, core: int | None, log_path: str | None, level: int
) -> None:
    """Be a worker: play what comes until the runner hangs up."""
    os.setsid()  # signals of the terminal go to the runner, who decides
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    become_subreaper()
    if core is not None:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
    if log_path is not None:
        log_to_parent(log_path, level)
    bench = Bench()
    gc.freeze()
    try:
        while True:
            job: MatchJob = connection.recv()
            sign.until = time.monotonic() + SLACK_SECONDS
            connection.send(_play(job, bench, connection.fileno(), sign))
    except (EOFError, ConnectionError, RunnerGone):
        pass
    finally:
        bench.dismiss()
        kill_strays()


def _play(job: MatchJob, bench: Bench, lifeline: int, sign: Sign) -> Played | str:
    """Play a match; a failure of ours comes back as text, and the match is void."""

    def alive(over: int | None) -> None:
        sign.until = time.monotonic() + SLACK_SECONDS
        if over is not None:
            sign.over = 1 + over

    sign.over = 0
    try:
        result = play_match(job, bench, lifeline, alive=alive)
        return Played(pack(result), tuple(map(show_lines, result.logs)))
    except MatchVoid as void:
        return str(void)
    except Exception:
        reason = traceback.format_exc()
        log.error("match %s failed:\n%s", job.id, reason)
        return reason
    finally:
        sign.over = 0  # of this match: a worker lost later is nobody's fault for it
