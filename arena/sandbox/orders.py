"""What is asked of the launcher: requests, and the words of the orders in them.

``confine.py`` reads both. It runs by itself, so that nothing but it is imported there.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterable, Mapping

from arena.sandbox.confine import LENGTH_BYTES

__all__ = ["isolating", "orders", "request"]


def orders(
    parent: int,
    limits: dict[int, int],
    *,
    powerless: bool = False,
    uid: int | None = None,
    keep: int = 0,
    session: bool = True,
    program: bytes | None = None,
    isolation: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Return the words that order what is done to a program, up to and with ``--``.

    Args:
        parent: whose death is to be the program's.
        limits: ``RLIMIT_…`` numbers, and what to set both limits to.
        powerless: it can gain no privileges, and its orphaned descendants become its children.
        uid: the user, and group, to become; only root can.
        keep: capabilities that it has as that user, as bits.
        session: start a session for the program. One that starts a session itself gets only a
            process group here, as each new session waits some ms for a busy core.
        program: a system call filter for who is ``powerless`` and not isolated.
        isolation: what ``isolating`` returns; then nothing runs where a word is missing.
    """
    words = [f"parent={parent}", *(f"limit={which}:{most}" for which, most in limits.items())]
    if not isolation:
        words.append("isolation=none")
    if powerless:
        words.append("powerless=1")
    if uid is not None:
        words.append(f"uid={uid}")
    if keep:
        words.append(f"keep={keep}")
    if not session:
        words.append("session=none")
    if program is not None:
        words.append(f"filter={program.hex()}")
    return (*words, *isolation, "--")


def isolating(
    *,
    tell: int,
    ruleset: bytes,
    paths: list[tuple[int, str]],
    program: bytes,
    own_pid: int | None = None,
) -> tuple[str, ...]:
    """Return the words that order Landlock and a system call filter; all of them are needed.

    Args:
        tell: the descriptor for ``READY``.
        ruleset: Landlock's ``struct landlock_ruleset_attr``.
        paths: Landlock's rights beneath each path, which must exist.
        program: the system call filter.
        own_pid: the number in the filter that stands for the process id, if it has one.
    """
    words = [f"tell={tell}", f"ruleset={ruleset.hex()}", f"filter={program.hex()}"]
    words += [f"path={rights}:{path}" for rights, path in paths]
    return (*words, *(() if own_pid is None else (f"own_pid={own_pid}",)))


def request(
    *,
    folder: str,
    cores: Iterable[int],
    numbers: Iterable[int],
    env: Mapping[str, str],
    words: Iterable[str],
    grouped: bool = False,
) -> bytes:
    """Return a request to start a program; descriptors go with it.

    Those that it gets come in the order of ``numbers``; that of a control group may follow.

    Args:
        folder: the working directory.
        cores: the CPUs it may use.
        numbers: which descriptor each of those sent becomes; 0, 1 and 2 are among them.
        env: the whole environment.
        words: the orders, up to and with ``--``, and the program's arguments.
        grouped: is the last descriptor that of a control group, in which the fork is born?

    Raises:
        ValueError: a word has a zero byte in it.
    """
    given = (folder, *(f"{name}={value}" for name, value in env.items()), *words)
    fields = os.fsencode("\0".join(given)).split(b"\0")
    if len(fields) != len(given):
        raise ValueError("embedded null byte")
    text = marshal.dumps((fields, len(env), tuple(cores), tuple(numbers), grouped))
    return len(text).to_bytes(LENGTH_BYTES, "little") + text
