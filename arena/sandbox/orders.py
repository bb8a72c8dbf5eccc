"""The request that carries to the launcher what is to be started, and how.

``confine.py`` reads it. It runs by itself, so that nothing but it is imported there.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterable

from arena.machine.run_folder import VARIABLE, new_word
from arena.sandbox.confine import LENGTH_BYTES
from arena.sandbox.interface import Launch


def request(how: Launch, *, cores: Iterable[int], grouped: bool = False) -> bytes:
    """Return a request to start a program as a child of ours; descriptors go with it.

    Those that it gets, 0, 1 and 2 first, come in the order of their numbers there; that of a
    control group may follow.

    Args:
        how: what to start; a new word of this run is added to its environment.
        cores: the CPUs it may use.
        grouped: is the last descriptor that of a control group, in which the fork is born?

    Raises:
        ValueError: a word has a zero byte in it.
    """
    env = ((VARIABLE, ""), *how.env.items())  # first, where a sweep looks for it
    asked = how.orders._asdict() | {
        "argv": [*map(os.fsencode, how.argv)],
        "env": [os.fsencode(f"{name}={value}") for name, value in env],
        "folder": os.fsencode(how.folder),
        "cores": tuple(cores),
        "inherited": len(how.inherited),
        "grouped": grouped,
    }
    if any(b"\0" in word for word in (asked["folder"], *asked["argv"], *asked["env"])):
        raise ValueError("embedded null byte")
    text = marshal.dumps(asked)
    return len(text).to_bytes(LENGTH_BYTES, "little") + text + new_word().encode("ascii")
