"""A worker process: it plays the matches that come through its pipe, one after the other."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import os
import signal
import socket
import time
import traceback
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.reduction import ForkingPickler
from typing import NamedTuple, Protocol

from arena.crash import cross
from arena.errors import Lack, MatchVoid
from arena.logs import log_to_runner
from arena.model import MatchJob
from arena.process.bot import become_subreaper, kill_strays
from arena.process.brand import brand
from arena.session import judge
from arena.session.judge import Owner
from arena.session.match_session import Pool, RunnerGone, play_match
from arena.store.stored_match import StoredMatch, pack
from arena.untrusted import show_lines

__all__ = ["Lost", "Played", "Sign", "new_sign", "work"]

FAILED = 97  # the exit code of a worker that this machine failed

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


class Played(NamedTuple):
    """A finished match, and what each bot wrote to stderr and by ``log``, seat 0 first.

    The logs are fit to be shown, line by line.
    """

    packed: StoredMatch
    logs: tuple[str, ...]


class Lost(NamedTuple):
    """A match that was not played to its end through no fault of a bot: it is void.

    ``lack``: what this machine had too little of, if that was why; ``slept``: was it because
    nothing ran for a while?
    """

    job: MatchJob
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
    if core is not None:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
    sender = log_to_runner(log_link, level)
    pool, owner = Pool(), Owner(connection.fileno(), sign)
    gc.freeze()
    sign.up = 1
    try:
        while True:
            data = connection.recv_bytes()
            sign.taken += 1
            sign.alive = time.monotonic()
            job: MatchJob = ForkingPickler.loads(data)
            cross("taken")
            answer = _play(job, pool, owner)
            cross("hand-over")
            connection.send(answer)
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


def _play(job: MatchJob, pool: Pool, owner: Owner) -> Played | Lost:
    """Play a match; after a failure of ours it is void."""
    owner.sign.over = 0
    try:
        result = play_match(job, pool, owner)
        return Played(pack(result), tuple(map(show_lines, result.logs)))
    except MatchVoid as void:
        return Lost(job, str(void), void.lack, void.slept)
    except OSError as error:  # of this machine, and no fault of a program
        return Lost(job, f"this machine failed: {error}")
    except Exception:
        reason = traceback.format_exc()
        log.error("match %s failed:\n%s", job.id, reason)
        return Lost(job, reason)
    finally:
        owner.sign.over = 0  # of this match: a worker lost later is nobody's fault for it
