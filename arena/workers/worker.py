"""A worker process: it plays the matches that come through its pipe, one after the other.

They come in chunks, each once with the function that makes jobs of them: what all matches of a
tournament have in common is in it. Each answer goes back by itself, as soon as its match is over.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import pickle
import signal
import socket
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext

# what is sent of a match is whatever the function sent with it makes a job of
from typing import Any, NamedTuple, TypeVar

from arena.machine.crash import cross
from arena.machine.heartbeat import Heartbeat
from arena.machine.logs import log_to_runner
from arena.machine.shared_memory import sharing
from arena.packed.match import pack
from arena.process.launcher import use_all_files
from arena.sandbox.claims import take_core
from arena.session.loop import Owner
from arena.session.match_session import Pool, RunnerGone, play_match
from arena.values.errors import MatchVoid, Void, system_error
from arena.values.model import MatchJob, Termination
from arena.values.tables import MatchRow
from arena.workers.shown import ShownMatch

FAILED = 97  # the exit code of a worker that this machine failed

log = logging.getLogger(__name__)
T = TypeVar("T")

Make = Callable[[Any], MatchJob]
"""Makes the job of what a worker was sent of a match."""


def new_heartbeat(context: ForkServerContext) -> Heartbeat:
    """Return the heartbeat of a worker that is about to be started, in memory shared with it."""
    with sharing("memory"):
        heartbeat: Heartbeat = context.RawValue(Heartbeat)
    heartbeat.alive = time.monotonic()
    return heartbeat


class Assignment(NamedTuple):
    """A match to be played.

    ``lost_by`` are those in it who cost it its worker (``MatchJob.lost_by``); ``again`` is how
    often bots of other matches did.
    """

    match: Any
    lost_by: tuple[tuple[int, Termination], ...] = ()
    again: int = 0


def work(
    connection: Connection,
    heartbeat: Heartbeat,
    cores: Sequence[int],
    log_link: socket.socket,
    level: int,
    secrets: Mapping[str, str],
) -> None:
    """Be a worker: play what comes until the runner hangs up.

    Args:
        connection: where matches come from, and where the answers go.
        heartbeat: where it is known how far this worker is.
        cores: of which it claims one for itself and its bots, as ``take_core`` does; none, or where
            nothing can be claimed: it is kept on no core.
        log_link: where log records go.
        level: of those that are sent.
        secrets: variables for bots that ask, as the runner has them now.
    """
    os.environ.update(secrets)
    os.set_inheritable(connection.fileno(), False)
    os.setsid()  # signals of the terminal go to the runner, who decides
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    use_all_files()
    sender = log_to_runner(log_link, level)
    pool, show = Pool(), ShownMatch(heartbeat)
    owner = Owner(connection.fileno(), heartbeat, show)
    taken = take_core(cores)  # held until this process ends
    if taken is not None:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {taken[0]})

    def play(order: Assignment, make: Make) -> MatchRow:
        job = make(order.match)
        if order.lost_by:
            job = replace(job, lost_by=order.lost_by)
        show.begin(job)
        return pack(play_match(job, pool, owner), job.dictionary)

    gc.freeze()
    try:
        for order, make in _given(connection):
            heartbeat.taken += 1
            heartbeat.alive = time.monotonic()
            cross("taken", match=order.match.number)
            answer = outcome_of(order.match.number, partial(play, order, make))
            show.end()
            heartbeat.over = 0  # of this match: a worker lost later is nobody's fault for it
            cross("hand-over")
            # plain tuples, as pickle looks up each class again: a third of the time at either end
            plain = answer if isinstance(answer, Void) else tuple(answer)
            connection.send_bytes(pickle.dumps(plain, pickle.HIGHEST_PROTOCOL))
            cross("handed-over")
    except (ConnectionError, RunnerGone):
        pass
    except OSError as error:
        log.error("a worker cannot go on: this machine failed: %s", system_error(error))
        raise SystemExit(FAILED) from None
    finally:
        pool.close()
        sender.close()


def _given(connection: Connection) -> Iterator[tuple[Assignment, Make]]:
    """Yield the matches that come through a connection, until the runner hangs up."""
    make: Make
    with contextlib.suppress(EOFError):
        while True:
            news, orders = connection.recv()
            if news is not None:
                make = news
            for order in orders:
                yield order, make


def outcome_of(number: int, play: Callable[[], T]) -> T | Void:
    """Play a match by its number; after a failure of ours it is void."""
    try:
        return play()
    except MatchVoid as error:
        return error.void
    except OSError as error:  # of this machine, and no fault of a program
        return Void(f"this machine failed: {system_error(error)}")
    except Exception:
        reason = traceback.format_exc()
        log.error("match number %s failed:\n%s", number, reason)
        return Void(reason)
