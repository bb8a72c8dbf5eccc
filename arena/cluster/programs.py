"""Dask's own programs, as the arena starts them: a scheduler, and the hosts of a machine."""

from __future__ import annotations

import logging
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from arena.cluster.addresses import Scheduler
from arena.cluster.handshake import greet
from arena.cluster.host import HOME, LOG, SANDBOX
from arena.cluster.scratch import scratch_folder
from arena.cluster.settings import PRELOAD, environment
from arena.isolation.choose import choose_level
from arena.process.launcher import dismiss_launcher
from arena.process.leftovers import sweep
from arena.process.stop_all import become_subreaper, end_all
from arena.sandbox import find_level
from arena.values.errors import UsageError, WorkerError
from arena.workers.endings import how_it_ended

AGAIN_SECONDS = 2.0  # between two attempts to reach a scheduler
SOON_SECONDS = 20.0  # after its start a program that ends could not join
DEATHS = 5  # of that kind, one after the other, before it is given up
STOP_SECONDS = 15.0  # to end; then it is killed
LOOPBACK = "127.0.0.1:8787"  # for Dask's pages, which know no TLS
ANY_PORT = "127.0.0.1:0"  # on which nothing is served
PORTS, MAX_PORT = re.compile(r"(\d{1,5}):(\d{1,5})", re.ASCII), 65535

log = logging.getLogger(__name__)


def run_scheduler(where: Scheduler) -> None:
    """Be the scheduler at an address of this machine, until it is stopped.

    Raises:
        WorkerError: it has ended by itself.
    """
    words = ["scheduler", "--host", where.host, "--port", str(where.port)]
    words += ["--dashboard-address", LOOPBACK]
    with scratch_folder() as folder:
        raise WorkerError(f"the scheduler {_run(words, environment(folder, where.certificates))}")


def run_hosts(where: Scheduler, count: int, home: Path, *, sandbox: str, ports: str) -> None:
    """Play for a cluster on this machine, until it is stopped.

    It waits for its scheduler where it has to.

    Args:
        where: the cluster's scheduler.
        count: how many matches at a time.
        home: the arena's home, where bots are kept.
        sandbox: ``auto``, or the only level at which bots run here.
        ports: on which the host processes listen, ``FIRST:LAST``; empty: any.

    Raises:
        UsageError: this machine cannot isolate at the level that is named, the scheduler does not
            fit, or the ports do not.
        MachineLacks: that cannot be known now.
        WorkerError: host processes cannot be started.
    """
    first, last = map(int, found.groups()) if (found := PORTS.fullmatch(ports)) else (0, 0)
    if ports and not (first > 0 and last <= MAX_PORT and last - first + 1 >= 2 * count):
        raise UsageError(
            f'"--port {ports}" is not FIRST:LAST with {2 * count} ports from 1 to {MAX_PORT}, such '
            f"as 9000:{9000 + 2 * count - 1}"
        )
    _look_at_itself(sandbox, home)
    words = ["worker", str(where), "--nworkers", str(count), "--nthreads", "1"]
    words += ["--name", f"{socket.gethostname()}-{os.getpid()}" + "-0" * (count == 1)]
    words += ["--preload", PRELOAD, "--memory-limit", "0", "--no-dashboard"]
    words += ["--dashboard-address", ANY_PORT]
    words += ["--worker-port", ports, "--nanny-port", ports] if ports else []
    level = logging.getLevelName(logging.getLogger("arena").getEffectiveLevel())
    own = {HOME: str(home.absolute()), SANDBOX: sandbox, LOG: level}
    become_subreaper()  # what a dead one leaves comes to us, who have no other children
    deaths = 0
    while True:
        _await_scheduler(where)
        began = time.monotonic()
        with scratch_folder() as folder:
            env = environment(folder, where.certificates) | own
            how = _run([*words, "--host", _address_towards(where)], env)
        deaths = deaths + 1 if time.monotonic() - began < SOON_SECONDS else 0
        if deaths == DEATHS:
            raise WorkerError(
                f"the host processes ended {DEATHS} times as soon as they were started; the last "
                f"time Dask's program {how}"
            )
        log.warning("the cluster at %s is left: Dask's program %s; joining again", where, how)
        time.sleep(AGAIN_SECONDS)


def check_address(where: Scheduler) -> None:
    """Make sure that a scheduler can listen there.

    Raises:
        UsageError: the address is of another machine, or taken.
    """
    try:
        found = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)
        socket.create_server(found[0][4][:2], family=found[0][0]).close()
    except OSError as error:
        raise UsageError(
            f"no scheduler can listen at {where} ({error.strerror}): name an address of this "
            "machine whose port is free, or 0.0.0.0 for all of its addresses"
        ) from None


def _look_at_itself(sandbox: str, home: Path) -> None:
    """Make sure that this machine can isolate bots, and say how it does."""
    sweep(home)
    level = find_level(choose_level(sandbox))
    dismiss_launcher()  # nothing more is started in the sandbox here
    if level.isolates:
        log.info('bots are isolated by "%s"', level.name)
    else:
        log.warning(
            'bots run at the level "%s": %s; tournaments whose bots must be isolated are not '
            "played here",
            level.name,
            level.promise,
        )


def _await_scheduler(where: Scheduler) -> None:
    """Wait until a scheduler answers."""
    waits = False
    while True:
        try:
            return greet(where)
        except WorkerError as error:
            if not waits:
                log.warning("%s; trying again until it is there", error)
            waits = True
            time.sleep(AGAIN_SECONDS)


def _address_towards(where: Scheduler) -> str:
    """Return the address of this machine by which it reaches a scheduler: others reach it there."""
    family, _, _, _, place = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, socket.SOCK_DGRAM) as way:
        way.connect(place)  # nothing is sent
        return str(way.getsockname()[0])


def _run(words: Sequence[str], env: dict[str, str]) -> str:
    """Run a program of Dask's to its end, and say how it ended; it ends with this process.

    It is in a session of its own: signals of the terminal come here only.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "arena.cluster.parent", str(os.getpid()), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=env,
        start_new_session=True,
    )
    try:
        return how_it_ended(process.wait(), 0)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if end_all(os.getpid(), reap=lambda pid: os.waitpid(pid, os.WNOHANG)[0]):
            sweep()
