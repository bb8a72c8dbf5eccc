"""How a command is stopped by a signal, and the exit code that says by which."""

from __future__ import annotations

import _thread
import contextlib
import os
import shlex
import signal
import sys
import time
from types import FrameType

import click

from arena.terminal.streams import forget_hung_up

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SECOND = 2  # signal: the first stops cleanly, the second at once, more would change nothing
LAST_SECONDS = 1.0  # that a killed process may take to be gone
AGAIN_SECONDS = 0.01  # until a signal whose exception was lost is sent again
SIGNALLED = 128  # added to the signal's number, as shells do


_stops: list[int] = []  # the signals that came
_words: list[str] = []  # said of them at the end


class Stopped(KeyboardInterrupt):
    """A signal asked to stop, as Ctrl-C does."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def heed_signals() -> None:
    """Have Ctrl-C, SIGTERM and a closed terminal raise ``Stopped``; ``nohup`` is respected."""
    _stops.clear()
    _words.clear()
    for number in STOPPING:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    _raise_lost_signals()


def _raise_lost_signals() -> None:
    """Send a signal to this thread again if Python drops the exception that its handler raised.

    Python cannot pass on what is raised in a destructor or in a callback of a weak reference. It
    would print the exception and go on, for example in the middle of an import.
    """
    thread, report = _thread.get_ident(), sys.unraisablehook

    def send(number: int) -> None:
        time.sleep(AGAIN_SECONDS)
        signal.pthread_kill(thread, number)

    def hook(dropped: sys.UnraisableHookArgs) -> None:
        error = dropped.exc_value
        if not isinstance(error, Stopped):
            report(dropped)
            return
        _stops.clear()  # it is the first one still
        _thread.start_new_thread(send, (error.number,))

    sys.unraisablehook = hook


def set_last_words(words: str) -> None:
    """Set what is said of the command's work if it is stopped from now on."""
    _words[:] = [words]


def stopped(error: BaseException | None) -> int:
    """Say that a command was stopped by ``error``, if it has last words; return its exit code.

    That is 130, 143 after SIGTERM, 129 after SIGHUP.
    """
    for number in STOPPING:  # the command is over
        signal.signal(number, signal.SIG_IGN)
    with contextlib.suppress(OSError):  # the terminal may go away at any time
        for words in _words:
            click.echo(f"arena: stopped; {words}", err=True)
    forget_hung_up()
    return SIGNALLED + (error.number if isinstance(error, Stopped) else signal.SIGINT)


def to_go_on(*more: str) -> str:
    """Return the command that goes on with what this one has begun, with some more words.

    What ``--new`` and ``--extend`` ask for is done by then.
    """
    words = [word for word in sys.argv[1:] if word not in ("--new", "--extend")]
    return shlex.join(["arena", *words, *more])


def _stop(number: int, frame: FrameType | None) -> None:
    _stops.append(number)
    if len(_stops) > 1:
        if len(_stops) == SECOND:
            _leave(number)
        return
    if number == signal.SIGHUP:
        forget_hung_up()  # the terminal may be gone, and the last words must not fail for it
    raise Stopped(number)


def _leave(number: int) -> None:
    """End at once, with all processes that were started.

    Wherever we are just now, an exception might be lost, or leave processes behind.
    """
    import multiprocessing

    with contextlib.suppress(OSError):
        os.write(2, f"\narena: {'; '.join(['stopped at once', *_words])}\n".encode())
    children = multiprocessing.active_children()
    for child in children:
        child.kill()
    for child in children:
        child.join(LAST_SECONDS)
    with contextlib.suppress(OSError):
        if "arena.process.launcher" in sys.modules:
            sys.modules["arena.process.launcher"].dismiss_launcher()
        if "arena.workers.fork_server" in sys.modules:
            sys.modules["arena.workers.fork_server"].end_left_behind()
    os._exit(SIGNALLED + number)
