"""A worker process: it plays the matches that come through its pipe, one after the other.

They come in chunks, each once with the function that makes jobs of them: what all matches of a
tournament have in common is in it. Each answer goes back by itself, as soon as its match is over.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import os
import pickle
import signal
import socket
import struct
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext

# what is sent of a match is whatever the function sent with it makes a job of
from typing import Any, NamedTuple, Protocol

from arena.crash import cross
from arena.errors import Lack, MatchVoid
from arena.logs import log_to_runner
from arena.model import MatchJob
from arena.process.bot import become_subreaper, kill_strays
from arena.process.brand import brand
from arena.process.launcher import use_all_files
from arena.session import judge
from arena.session.judge import Owner
from arena.session.match_session import Pool, RunnerGone, play_match
from arena.store.stored_match import StoredMatch, pack
from arena.untrusted import show_lines

__all__ = ["Order", "Played", "Sign", "Void", "messages", "new_sign", "work"]

FAILED = 97  # the exit code of a worker that this machine failed
LENGTH = struct.Struct("<I")  # before each answer

log = logging.getLogger(__name__)


class Sign(judge.Sign, Protocol):
    """What a worker says in shared memory, so that it is known however it ends.

    Attributes:
        up: 1 once it is ready to play.
        taken: how many matches it has taken from its pipe.
    """

    up: int
    taken: int


class _Sign(ctypes.Structure):  # its fields are read by ctypes
    _fields_ = [
        *(("alive", ctypes.c_double), ("over", ctypes.c_int)),
        *(("up", ctypes.c_int), ("taken", ctypes.c_int)),
    ]


def new_sign(context: ForkServerContext) -> Sign:
    """Return the sign of a worker that is about to be started."""
    sign: Sign = context.RawValue(_Sign, time.monotonic(), 0, 0, 0)
    return sign


class Order(NamedTuple):
    """A match to be played, and those in it who are over their memory (``MatchJob``)."""

    match: Any
    over_memory: tuple[int, ...] = ()


class Played(NamedTuple):
    """A finished match, and what each bot wrote to stderr and by ``log``, seat 0 first.

    The logs are fit to be shown, line by line.
    """

    packed: StoredMatch
    logs: tuple[str, ...]


class Void(NamedTuple):
    """Why a match was not played to its end, through no fault of a bot.

    ``lack``: what this machine had too little of, if that was why; ``slept``: was it because
    nothing ran for a while?
    """

    reason: str
    lack: Lack | None = None
    slept: bool = False


def work(
    connection: Connection, sign: Sign, core: int | None, log_link: socket.socket, level: int
) -> None:
    """Be a worker: play what comes until the runner hangs up."""
    brand()  # first: whatever it leaves behind is a bot's
    os.set_inheritable(connection.fileno(), False)
    os.setsid()  # signals of the terminal go to the runner, who decides
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    become_subreaper()
    use_all_files()
    if core is not None:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
    sender = log_to_runner(log_link, level)
    pool, owner = Pool(), Owner(connection.fileno(), sign)
    gc.freeze()
    make: Callable[[Any], MatchJob] = _unknown
    sign.up = 1
    try:
        while True:
            news, orders = pickle.loads(connection.recv_bytes())
            make = news or make
            for order in orders:
                sign.taken += 1
                sign.alive = time.monotonic()
                cross("taken")
                answer = _play(order, make, pool, owner)
                cross("hand-over")
                _send(connection.fileno(), answer)
                cross("handed-over")
    except (EOFError, ConnectionError, RunnerGone):
        pass
    except OSError as error:
        log.error("a worker cannot go on: this machine failed: %s", error)
        raise SystemExit(FAILED) from None
    finally:
        pool.dismiss()
        with contextlib.suppress(OSError):  # without a descriptor to look with: the runner does it
            kill_strays(alone=True)
        sender.close()


def messages(received: bytearray) -> Iterator[bytes]:
    """Yield the answers that are whole in what was received, and take them out of it."""
    at, end = 0, len(received)
    while at + LENGTH.size <= end:
        (size,) = LENGTH.unpack_from(received, at)
        if at + LENGTH.size + size > end:
            break
        at += LENGTH.size
        yield bytes(received[at : at + size])
        at += size
    del received[:at]


def _unknown(match: Any) -> MatchJob:
    raise AssertionError(f"no chunk said how to make a job of {match}")


def _send(link: int, answer: Played | Void) -> None:
    data = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    rest = memoryview(LENGTH.pack(len(data)) + data)
    while rest:
        rest = rest[os.write(link, rest) :]


def _play(order: Order, make: Callable[[Any], MatchJob], pool: Pool, owner: Owner) -> Played | Void:
    """Play a match; after a failure of ours it is void."""
    owner.sign.over = 0
    try:
        job = make(order.match)
        if order.over_memory:
            job = replace(job, over_memory=order.over_memory)
        result = play_match(job, pool, owner)
        return Played(pack(result), tuple(map(show_lines, result.logs)))
    except MatchVoid as void:
        return Void(str(void), void.lack, void.slept)
    except OSError as error:  # of this machine, and no fault of a program
        return Void(f"this machine failed: {error}")
    except Exception:
        reason = traceback.format_exc()
        log.error("match number %s failed:\n%s", order.match.number, reason)
        return Void(reason)
    finally:
        owner.sign.over = 0  # of this match: a worker lost later is nobody's fault for it
