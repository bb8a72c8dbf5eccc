"""Matches in, records out, over worker processes that we watch ourselves.

A worker plays one match at a time; the next one waits in its pipe. A worker that dies takes nothing
with it but the match that it had taken, which is reported as lost; what only waited is given to
another. The process that owns the workers is a subreaper, so that the bots of a dead worker become
its children and are killed. They bear a brand, by which they are told from children that a program
has which runs us. What a worker does is in ``worker.py``.
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler

from arena.crash import cross
from arena.errors import UsageError, WorkerError
from arena.logs import LogReceiver
from arena.model import MatchJob
from arena.process.bot import kill_strays
from arena.process.memory import kernel_kills
from arena.sandbox.cgroups.remains import sweep_groups
from arena.workers.endings import how_it_ended
from arena.workers.fork_server import put_off, start_fork_server, start_tracker
from arena.workers.worker import Lost, Played, Sign, new_sign, work

__all__ = ["Lost", "Played", "Workers", "refuse_import"]

IN_FLIGHT = 2  # matches a worker has: one being played, one waiting
STOP_SECONDS = 3.0  # for workers to stop their bots and end
LOOK_SECONDS = 1.0  # between looks for workers that hang
SLACK_SECONDS = 30.0  # that a worker may show no sign of life; it does so ten times a second
STARTS = 5  # attempts at starting a worker while the fork server dies
DEATHS = 5  # of workers, one after the other, none of which has taken the match that waited for it
START_PAUSE = 0.1  # before the second of them; doubled before each one after it
WORKER = "arena-worker"  # the name of its process
NO_GUARD = 96  # the exit code of a worker whose program runs a tournament when it is imported
SMALL = 16 * 1024  # a job of at most so many bytes may wait in the pipe of a worker that plays

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Silence:
    """How long a worker has shown no sign of life while somebody was looking.

    Whoever does not look, as the store is locked or the process was stopped, learns nothing of the
    worker meanwhile: of the time since the last look no more counts than what lies between looks.

    Attributes:
        seconds: how long.
    """

    seconds: float = 0.0
    _looked: float = -1.0
    _sign: float = -1.0

    def look(self, now: float, sign: float) -> None:
        """Take note of a worker's sign of life at a time of the monotonic clock."""
        if sign != self._sign:
            self.seconds = 0.0
        else:
            self.seconds += min(now - self._looked, 2 * LOOK_SECONDS)
        self._looked, self._sign = now, sign

    def end(self) -> None:
        """Begin again: the worker has spoken, or has nothing to do."""
        self.seconds, self._sign = 0.0, -1.0


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    core: int | None
    sign: Sign
    log: LogReceiver
    kernel_kills: int = field(default_factory=kernel_kills)  # of this machine, when it started
    silence: Silence = field(default_factory=Silence)
    jobs: deque[MatchJob] = field(default_factory=deque)
    answers: int = 0  # of the matches that it took


class Workers:
    """A number of worker processes; use as a context manager.

    Args:
        count: how many.
        pin: keep each worker, and so its bots, on one core.
    """

    def __init__(self, count: int, *, pin: bool = True) -> None:
        self._count = count
        self._context = multiprocessing.get_context("forkserver")
        self._cores = sorted(os.sched_getaffinity(0)) if pin else []
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()
        self._looked = time.monotonic()
        self._deaths = 0  # in a row, of workers that had taken nothing

    def __enter__(self) -> Workers:
        start_fork_server()
        for index in range(self._count):
            core = self._cores[index % len(self._cores)] if self._cores else None
            self._workers.append(self._start(core))
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def run(
        self,
        jobs: Callable[[], MatchJob | float | None],
        look: Callable[[], None] = lambda: None,
    ) -> Iterator[Played | Lost]:
        """Play what ``jobs`` gives until it gives ``None`` and all is back; results as they come.

        ``jobs`` is asked only when a worker has room, and again after every result. If it gives a
        number there is no match yet, and it is asked again after so many seconds. ``look`` is
        called before results are handed over, and at least once a second.
        """
        waiting: deque[MatchJob] = deque()
        while True:
            pause = self._hand_out(waiting, jobs)
            if pause is None and not any(worker.jobs for worker in self._workers):
                return
            events = self._selector.select(min(LOOK_SECONDS, pause or LOOK_SECONDS))
            look()
            for key, _ in events:
                if isinstance(key.data, LogReceiver):
                    self._receive_log(key.data)
                elif key.data in self._workers:
                    result = self._receive(key.data) or self._replace(key.data, waiting)
                    if result is not None:
                        yield result
            # only now: whoever has delivered does not hang
            if time.monotonic() - self._looked > LOOK_SECONDS:
                self._kill_hanging()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Have the workers kill their bots and end; kill what does not end in time.

        Raises:
            KeyboardInterrupt: somebody pressed Ctrl-C meanwhile; they were killed at once.
        """
        deadline = time.monotonic() + seconds
        interrupt: KeyboardInterrupt | None = None
        while self._workers:
            try:
                self._end(deadline)
            except KeyboardInterrupt as error:
                deadline, interrupt = 0.0, error
        self._selector.close()
        if interrupt is not None:
            raise interrupt

    def _end(self, deadline: float) -> None:
        """End all workers, as far as that was not done; an interrupted call is made again."""
        for worker in self._workers:
            worker.log.receive()  # which makes room for its last words
            with contextlib.suppress(OSError):
                worker.connection.close()
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        kill_strays()
        sweep_groups()
        ended, self._workers = self._workers, []
        for worker in ended:
            worker.log.close(worker.process.pid)
            worker.process.close()

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.process.pid or 0 for worker in self._workers]

    def _start(self, core: int | None) -> _Worker:
        """Start a worker; a fork server that has died is replaced.

        Raises:
            WorkerError: it dies again and again.
        """
        cross("worker")
        pause = START_PAUSE
        for attempt in range(1, STARTS + 1):
            try:
                return self._try_start(core)
            # what its death looks like from here, in the order of what is done there
            except (ConnectionError, FileNotFoundError, EOFError) as error:
                reason = f"{type(error).__name__}: {error}"
                log.info("a worker could not be started, attempt %s: %s", attempt, reason)
                if attempt < STARTS:
                    time.sleep(pause)
                    pause *= 2
        raise WorkerError(
            f"no worker can be started: the process that forks them ended {STARTS} times "
            f"({reason}); when nothing kills it any more, use the same command again"
        )

    def _try_start(self, core: int | None) -> _Worker:
        ours, theirs = self._context.Pipe()
        # a pair without a name, of which each packet is one record
        log_ours, log_theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        sign = new_sign(self._context)
        level = logging.getLogger("arena").getEffectiveLevel()
        process = self._context.Process(
            target=work, args=(theirs, sign, core, log_theirs, level), name=WORKER
        )
        start_tracker()
        try:
            with put_off():
                process.start()
        except BaseException:
            ours.close()
            log_ours.close()
            raise
        finally:
            theirs.close()
            log_theirs.close()
        worker = _Worker(process, ours, core, sign, LogReceiver(log_ours))
        self._selector.register(ours, selectors.EVENT_READ, worker)
        self._selector.register(worker.log, selectors.EVENT_READ, worker.log)
        return worker

    def _hand_out(
        self, waiting: deque[MatchJob], jobs: Callable[[], MatchJob | float | None]
    ) -> float | None:
        """Give the workers what they have room for; return when ``jobs`` is to be asked again."""
        for depth in range(1, IN_FLIGHT + 1):
            for worker in self._workers:
                if len(worker.jobs) >= depth:
                    continue
                job = waiting.popleft() if waiting else jobs()
                if not isinstance(job, MatchJob):
                    return job
                data = ForkingPickler.dumps(job)
                if worker.jobs and len(data) > SMALL:
                    # it might not fit into the pipe, and the worker reads only between matches
                    waiting.appendleft(job)
                    return None
                cross("job")
                worker.jobs.append(job)
                with contextlib.suppress(OSError):  # its death is seen at the other end
                    worker.connection.send_bytes(data)
        return None

    def _kill_hanging(self) -> None:
        """Kill workers that have shown no sign of life for longer than any bot may take."""
        now = self._looked = time.monotonic()
        for worker in self._workers:
            if not worker.jobs or worker.connection.poll():  # an answer, or its end, is to be read
                worker.silence.end()
                continue
            worker.silence.look(now, worker.sign.alive)
            if worker.silence.seconds > SLACK_SECONDS:
                log.warning("worker %s hangs and is killed", worker.process.pid)
                worker.process.kill()

    def _receive_log(self, receiver: LogReceiver) -> None:
        """Take what a worker has logged, unless that worker has just been replaced."""
        known = any(receiver is worker.log for worker in self._workers)
        if known and not receiver.receive():
            self._selector.unregister(receiver)

    def _receive(self, worker: _Worker) -> Played | Lost | None:
        """Take a worker's answer; ``None`` if it has died."""
        try:
            answer: Played | Lost = worker.connection.recv()
        except (EOFError, OSError):
            return None
        cross("result")
        worker.jobs.popleft()
        worker.answers += 1
        self._deaths = 0
        return answer

    def _replace(self, worker: _Worker, waiting: deque[MatchJob]) -> Lost | None:
        """Put a new worker in a dead one's place; return the match it had taken, if any.

        Raises:
            UsageError: it could not start, by the program that runs us.
            WorkerError: workers die again and again before they take a match.
        """
        how = self._bury(worker)
        self._workers.append(self._start(worker.core))
        lost = None
        if worker.jobs and worker.sign.taken > worker.answers:
            lost = worker.jobs.popleft()
        elif worker.jobs:
            self._deaths += 1
            if self._deaths == DEATHS:
                raise WorkerError(
                    f"{DEATHS} workers ended before they took a match; the last {how}"
                )
        if lost is not None and worker.sign.over:
            # whoever took the memory is at fault, not we: the match is played without it
            over = (*lost.over_memory, worker.sign.over - 1)
            waiting.append(replace(lost, over_memory=over))
            lost = None
        waiting.extend(worker.jobs)
        return None if lost is None else Lost(lost, f"its worker {how}")

    def _bury(self, worker: _Worker) -> str:
        """Take a dead worker out, with all that it has left behind; say how it ended."""
        self._selector.unregister(worker.connection)
        with contextlib.suppress(KeyError):  # its end was seen there before
            self._selector.unregister(worker.log)
        worker.connection.close()
        worker.process.join(1.0)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        code = worker.process.exitcode
        worker.log.close(worker.process.pid)
        how = how_it_ended(code, kernel_kills() - worker.kernel_kills)
        log.warning("worker %s %s", worker.process.pid, how)
        worker.process.close()
        self._workers.remove(worker)
        if not worker.sign.up and code in (1, NO_GUARD):
            raise UsageError(_cannot_start(code))
        # workers whose fork server has died are our children, too
        killed = kill_strays(frozenset(self.pids()))
        sweep_groups()
        if killed:
            log.info("killed %s processes that a dead worker left behind", killed)
        return how


def refuse_import() -> None:
    """Raise ``UsageError`` where a program runs a tournament while a process of its own imports it.

    Workers import the program that started them. Without the guard it would start the tournament
    once more in each of them; a worker of ours says so by its exit code, and the runner raises.
    """
    process = multiprocessing.current_process()
    if getattr(process, "_inheriting", False):  # as multiprocessing itself asks
        if process.name == WORKER:
            os._exit(NO_GUARD)
        raise UsageError(_cannot_start(NO_GUARD))


def _cannot_start(code: int) -> str:
    """Say why a worker that ended with this code, before it was ready, did not start."""
    guard = 'belongs below a line if __name__ == "__main__":'
    if code == NO_GUARD:
        return (
            "run_tournament was called while the program was imported, as every worker process "
            f"does: the call {guard}"
        )
    return (
        "a worker process could not import the program that runs the tournament (its error is "
        f"above): what workers cannot run {guard}"
    )
