"""What is asked of the launcher: orders, and the request that carries them.

``confine.py`` reads it. It runs by itself, so that nothing but it is imported there.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arena.machine.run_folder import VARIABLE, new_word
from arena.sandbox.confine import LENGTH_BYTES


class Isolation(NamedTuple):
    """What Landlock is to take from a program; it takes a system call filter as well.

    Attributes:
        ready: the descriptor to which ``READY`` is written once every step is done.
        ruleset: Landlock's ``struct landlock_ruleset_attr``.
        paths: Landlock's rights beneath each path, which must exist.
    """

    ready: int
    ruleset: bytes
    paths: tuple[tuple[int, bytes], ...]


class Orders(NamedTuple):
    """What is done to a program before it runs; in any case it dies with us.

    Attributes:
        limits: ``RLIMIT_…`` numbers, and what to set both limits to.
        powerless: it can gain no privileges, and its orphaned descendants become its children.
        uid: the user, and group, to become; only root can.
        keep: capabilities that it has as that user, as bits.
        session: start a session for the program. One that starts a session itself gets only a
            process group here, as each new session waits some ms for a busy core.
        filter: a system call filter, for who is ``powerless`` or isolated.
        own_pid: the number in the filter that stands for the process id, if it has one.
        isolation: makes it powerless, too; nothing runs where a part of it cannot be had.
    """

    limits: Mapping[int, int] = {}
    powerless: bool = False
    uid: int | None = None
    keep: int = 0
    session: bool = True
    filter: bytes | None = None
    own_pid: int | None = None
    isolation: Isolation | None = None


def request(
    orders: Orders,
    *,
    argv: Iterable[str],
    env: Mapping[str, str],
    folder: str,
    cores: Iterable[int],
    numbers: Iterable[int],
    grouped: bool = False,
) -> bytes:
    """Return a request to start a program as a child of ours; descriptors go with it.

    Those that it gets come in the order of ``numbers``; that of a control group may follow.

    Args:
        orders: what is done to it before.
        argv: the program, and what it gets.
        env: the whole environment, except a new word of this run.
        folder: the working directory.
        cores: the CPUs it may use.
        numbers: which descriptor each of those sent becomes; 0, 1 and 2 are among them.
        grouped: is the last descriptor that of a control group, in which the fork is born?

    Raises:
        ValueError: a word has a zero byte in it.
    """
    asked = orders._asdict() | {
        "isolation": orders.isolation and tuple(orders.isolation),
        "argv": [*map(os.fsencode, argv)],
        "env": [os.fsencode(f"{name}={value}") for name, value in (*env.items(), (VARIABLE, ""))],
        "folder": os.fsencode(folder),
        "cores": tuple(cores),
        "numbers": tuple(numbers),
        "grouped": grouped,
    }
    if any(b"\0" in word for word in (asked["folder"], *asked["argv"], *asked["env"])):
        raise ValueError("embedded null byte")
    text = marshal.dumps(asked)
    return len(text).to_bytes(LENGTH_BYTES, "little") + text + new_word().encode("ascii")
