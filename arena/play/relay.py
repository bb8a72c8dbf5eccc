"""The program of a function that plays: carries the protocol to the process that has the function.

It is a process like every other bot, and the referee treats it as one. The way to the function is
two more descriptors, named in ``ARENA_TERMINAL`` as for a person.
"""

from __future__ import annotations

import os
import threading

TERMINAL = "ARENA_TERMINAL"  # two descriptor numbers: "INPUT,OUTPUT"
AT_ONCE = 1 << 16  # bytes


def _carry(source: int, target: int) -> None:
    """Write whatever comes from one descriptor to another, until either is closed."""
    try:
        while data := os.read(source, AT_ONCE):
            while data:
                data = data[os.write(target, data) :]
    except OSError:
        pass
    os.close(target)


def main() -> None:
    """Carry lines both ways until the function has ended."""
    answers, questions = (int(number) for number in os.environ[TERMINAL].split(","))
    threading.Thread(target=_carry, args=(0, questions), daemon=True).start()
    _carry(answers, 1)


if __name__ == "__main__":
    main()
