"""What is known of how one of our own processes ended."""

from __future__ import annotations

import signal

from arena.process.stop_all import signal_name

_GUESSES: dict[int, str] = {
    signal.SIGKILL: "somebody killed it, or a bot that was not isolated",
    signal.SIGSEGV: "a fault of the interpreter, or of an engine that is not Python",
    signal.SIGBUS: "a fault of the interpreter, or of the disk",
    signal.SIGABRT: "a fault of the interpreter, or of an engine that is not Python",
}
_BY_KERNEL = "the kernel killed processes meanwhile, as memory ran out"


def how_it_ended(code: int | None, kernel_kills: int) -> str:
    """Say how a process ended, in words that follow its name.

    Args:
        code: its exit code, negative for a signal.
        kernel_kills: how many processes the kernel killed for memory since it was started.

    >>> how_it_ended(1, 0)
    'ended with exit code 1'
    >>> how_it_ended(-15, 0)
    'ended with exit code -15 (SIGTERM)'
    """
    said = f"ended with exit code {code}"
    number = -(code or 0)
    if not (name := signal_name(number)):
        return said
    guess = _BY_KERNEL if number == signal.SIGKILL and kernel_kills > 0 else _GUESSES.get(number)
    return f"{said} ({name}{f': {guess}' if guess else ''})"
