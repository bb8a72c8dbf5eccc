"""Crash points: named borders at which a test has the arena die, hang or meet an error.

A crossing has a name: "message 5 of match 3" is the fifth time that a bot is about to be asked in
the match of that number in the schedule, which begins with 0. A point that does not say what it is
about is of what its process crossed last. What is committed is named by the point before it:
"commit 2 after tally" is the second time that matches were written and are about to be committed;
the first time has no number.

``ARENA_FAULT=message 5 of match 3:kill9`` kills the process at that crossing; several faults stand
with commas between them. ``ARENA_FAULT_LOG=FILE`` has every crossing written to a file, a line
each, and all processes with that file count together, so that a fault happens once. ``ARMED`` is
the folder that has Python read them: as the ``PYTHONPATH`` of a command it reaches each interpreter
that the command starts, but no bot.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path

from arena.machine import crash

ARMED = str(Path(__file__).parent / "armed")

# what is done just before or behind each border; a process may cross it many times
POINTS = {
    # the process that runs a tournament, or takes a bot in
    "made": "an empty store was made",
    "tables": "the tables of a new store were made, and not committed",
    "copied": "a bot's files were copied",
    "rename": "a copy, a build or a list of files was written, and gets its name",
    "renamed": "what was written has its name",
    "submit": "a submitted bot was copied and built; the store does not know it yet",
    "forget": "a bot's name and person were removed, and that is not committed",
    "aside": "a copy of a bot has lost its name, and is not removed",
    "seed": "a tournament with its seed was written, and not committed",
    "carried": "matches of a bundle were written, and not committed",
    "extend": "matches got their new numbers, which are not committed",
    "upgrade": "another version was entered in an entrant's place, which is not committed",
    "round": "a round was planned and written, and not committed",
    "worker": "a worker is about to be started",
    "job": "a match is about to be handed to a worker",
    "result": "a result has come back from a worker",
    "record": "a record was written, and neither the match's row nor the tally",
    "said": "what the bots of a match said was written, too, and is not committed",
    "tally": "a match was written and counted, and not committed",
    "commit": "a transaction is about to be committed",
    "committed": "a transaction was committed",
    "stored": "a match is stored; nobody was told",
    "void": "a void attempt is stored; what follows from it was not decided",
    "undecided": "a match was given up, and that is not committed",
    "suspend": "who is suspended was written, and not committed",
    "stop": "where a comparison stops was written, and not committed",
    "cache": "a table was written to be kept, and not committed",
    "removal": "a tournament was marked to be removed, and that is not committed",
    "removing": "some of its matches were removed, and that is not committed",
    "remove": "the rest of it was removed, and that is not committed",
    "end": "all matches are stored; that a tournament has ended is not",
    # a worker
    "taken": "a worker has a match",
    "spawn": "a bot is about to be started",
    "spawned": "the process of a bot runs",
    "hello": "all bots of a match were greeted",
    "ready": "each of them has answered, or failed",
    "message": "a bot is about to be asked",
    "answer": "all that were asked have answered, or failed",
    "goodbye": "the last decision of a match was made",
    "ended": "the bots of a match are gone",
    "hand-over": "a result is about to be handed to the runner",
    "handed-over": "a result was handed to the runner",
}


def _fail(number: int) -> None:
    raise OSError(number, os.strerror(number))


EXIT_CODE = 99
KINDS: dict[str, Callable[[], object]] = {
    "kill9": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "exit": lambda: sys.exit(EXIT_CODE),
    "enospc": lambda: _fail(errno.ENOSPC),
    "eio": lambda: _fail(errno.EIO),
    "hang": lambda: time.sleep(1e6),
}


def parse_faults(text: str) -> dict[str, str]:
    """Read faults, ``crossing:kind`` with commas between several, by their crossings.

    >>> parse_faults("commit 2 after tally:kill9")
    {'commit 2 after tally': 'kill9'}
    """
    found = {}
    for word in filter(None, text.split(",")):
        crossing, _, kind = word.rpartition(":")
        point, number, *_ = *crossing.split(" "), "of"
        assert point in POINTS, f'ARENA_FAULT: there is no point "{point}"'
        assert kind in KINDS, f'ARENA_FAULT: there is no kind "{kind}"'
        assert re.fullmatch("of|after|[2-9]|[1-9][0-9]+", number), f"ARENA_FAULT: {crossing}"
        found[crossing] = kind
    return found


def arm(faults: str, log: str) -> None:
    """Have ``cross`` of the arena do what is asked for, before anything has imported it."""
    plans, crossed, before, owner = parse_faults(faults), set[str](), "", ""

    def cross(point: str, **of: object) -> None:
        nonlocal before, owner
        assert point in POINTS, point
        if point in ("commit", "committed"):
            where = f" after {before}"
        else:
            before, owner = point, "".join(f" of {key} {of[key]}" for key in of) or owner
            where = owner
        name = _logged(point, where, log) if log else _next(point, where, crossed)
        crossed.add(name)
        if (kind := plans.get(name)) is not None:
            if log:
                with open(log, "a", encoding="ascii") as file:
                    file.write(f"! {name}:{kind}\t{os.getpid()}\n")
            KINDS[kind]()

    crash.cross = cross


def _next(point: str, where: str, crossed: set[str]) -> str:
    """Return the name of a crossing that follows others."""
    names = (f"{point} {number}{where}" for number in count(2))
    return next(name for name in chain([point + where], names) if name not in crossed)


def _logged(point: str, where: str, log: str) -> str:
    """Write a crossing to the log, and return the name that it got there."""
    with open(log, "a+", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        name = _next(point, where, {line.partition("\t")[0] for line in file})
        file.write(f"{name}\t{os.getpid()}\n")
    return name
