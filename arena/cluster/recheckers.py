"""Our processes that recheck what hosts sent; one that dies or hangs is replaced.

A match whose recheck ends them again and again is void: that may be this machine's fault as well,
and no host is blamed for it.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import selectors
import signal
import time
import traceback
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from arena.cluster.recheck import Sent, recheck
from arena.model import Match
from arena.packed.match import StoredMatch
from arena.workers.endings import how_it_ended
from arena.workers.fork_server import start_fork_server, start_process
from arena.workers.watched import Make

__all__ = ["Rechecked", "Recheckers"]

TOGETHER = 16  # matches that a process is given at a time
EACH = 64  # matches that wait, for each process: more of them, and one more process is started
SECONDS = 60.0  # for the matches that a process was given; it takes milliseconds for one
TRIES = 2  # at a match, alone, whose recheck ends the process

log = logging.getLogger(__name__)


class Rechecked(NamedTuple):
    """What came of a recheck: the match as it is to be stored, or why it does not stand.

    ``ended``: it was not rechecked, as the processes that were to do it ended.
    """

    match: Match
    sent: Sent
    found: StoredMatch | str
    ended: bool = False


_Item = tuple[Match, Sent]


@dataclass(slots=True, eq=False)
class _Process:
    process: BaseProcess
    connection: Connection
    make: Make | None = None  # what it was sent
    items: tuple[_Item, ...] = ()
    since: float = 0.0


class Recheckers:
    """So many processes at most, started as there is work for them; close it in the end.

    Args:
        most: how many.
        selector: where their connections are registered, each with this object as its data.
    """

    def __init__(self, most: int, selector: selectors.BaseSelector) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._most = most
        self._selector = selector
        self._processes: list[_Process] = []
        self._waiting: deque[tuple[_Item, ...]] = deque()
        self._ended: Counter[int] = Counter()  # processes, at a match that was alone

    def __len__(self) -> int:
        """Return how many matches are waiting or being rechecked."""
        under_way = sum(len(one.items) for one in self._processes)
        return under_way + sum(map(len, self._waiting))

    def give(self, items: Sequence[_Item], make: Make) -> None:
        """Have matches rechecked, under the function that makes their jobs."""
        for at in range(0, len(items), TOGETHER):
            self._waiting.append(tuple(items[at : at + TOGETHER]))
        self._hand_out(make)

    def receive(self, fileno: int, make: Make) -> list[Rechecked]:
        """Return what the process of a connection has found; it gets the next matches."""
        found: list[Rechecked] = []
        for one in self._processes:
            if one.connection.fileno() == fileno:
                try:
                    answers: list[StoredMatch | str] = one.connection.recv()
                except (EOFError, OSError):
                    found = self._bury(one)
                else:
                    pairs = zip(one.items, answers, strict=True)
                    found = [Rechecked(*item, answer) for item, answer in pairs]
                    one.items = ()
                break
        self._hand_out(make)
        return found

    def look(self) -> None:
        """Kill what hangs."""
        for one in self._processes:
            if one.items and time.monotonic() - one.since > SECONDS:
                log.warning("rechecking takes longer than %.0f s: it is killed", SECONDS)
                one.process.kill()

    def forget(self) -> None:
        """Forget the matches that wait; what is being rechecked is still found."""
        self._waiting.clear()

    def close(self) -> None:
        """End all of them."""
        for one in self._processes:
            self._selector.unregister(one.connection)
            one.connection.close()
            one.process.kill()
        for one in self._processes:
            one.process.join()
            one.process.close()
        self._processes.clear()
        self._waiting.clear()

    def _hand_out(self, make: Make) -> None:
        """Give matches to idle processes; start one more process if too many matches wait."""
        for one in [one for one in self._processes if not one.items]:
            self._give_next(one, make)
        waits = sum(map(len, self._waiting))
        if waits and len(self._processes) < self._most and waits >= EACH * len(self._processes):
            self._give_next(self._start(), make)

    def _give_next(self, one: _Process, make: Make) -> None:
        if not self._waiting:
            return
        one.items, one.since = self._waiting.popleft(), time.monotonic()
        news = None if make is one.make else make
        one.make = make
        try:
            one.connection.send((news, one.items))
        except OSError:  # it is dead, which is read there
            log.debug("a process that rechecks is gone")

    def _start(self) -> _Process:
        start_fork_server()
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs,), name="arena-recheck")
        try:
            start_process(process)
        finally:
            theirs.close()
        one = _Process(process, ours)
        self._processes.append(one)
        self._selector.register(ours, selectors.EVENT_READ, self)
        return one

    def _bury(self, one: _Process) -> list[Rechecked]:
        """Take out a process that has ended; what it had is tried again, each match alone."""
        self._processes.remove(one)
        self._selector.unregister(one.connection)
        one.connection.close()
        one.process.kill()
        one.process.join()
        how = how_it_ended(one.process.exitcode, 0)
        one.process.close()
        log.warning("a process that rechecks matches %s", how)
        if len(one.items) == 1:
            (item,) = one.items
            self._ended[item[0].number] += 1
            if self._ended[item[0].number] >= TRIES:
                return [Rechecked(*item, f"the process that rechecked it {how}", ended=True)]
        self._waiting.extendleft((item,) for item in one.items)
        return []


def _work(connection: Connection) -> None:
    """Recheck what comes until the runner hangs up."""
    os.setsid()  # signals of the terminal go to the runner, who decides
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    make: Make | None = None
    try:
        while True:
            news, items = connection.recv()
            make = news or make
            assert make is not None, "the first message says how jobs are made"
            connection.send([_found(make, *item) for item in items])
    except (EOFError, OSError):
        pass


def _found(make: Make, match: Match, sent: Sent) -> StoredMatch | str:
    try:
        return recheck(make(match), sent)
    except Exception:  # whatever the engine meets in what is none of its games
        return f"the recheck failed: {traceback.format_exc()}"
