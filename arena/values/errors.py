"""What a person got wrong: each error says what was found, where, and what was expected."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

OURS = ("arena.", "engines.")  # modules
NAMED = 20  # of what there is, where something else was asked for


class ArenaError(Exception):
    """The parent of all; ``str(error)`` is the sentence a person reads, ``exit_code`` the answer.

    Exit codes are those of the command line: 1 the answer is no, 2 usage or a bad file, 3 the arena
    failed.
    """

    exit_code = 2


class UsageError(ArenaError):
    """A command was asked for something that does not exist or does not fit."""


class TournamentFileError(ArenaError):
    """A tournament file is wrong; every mistake found stands on a line of its own."""


class TournamentChanged(ArenaError):
    """The file differs from the tournament of that name in the store; the difference is shown."""


class BotError(ArenaError):
    """A bot cannot be found or has a bad ``bot.yaml``.

    ``remedy`` says what to do about it, where there is more to say than the message does.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


class BotBuildError(BotError):
    """A bot's build step failed or its toolchain is missing."""


class BotRetired(BotError):
    """What was handed in is not taken, since its name or this very content is retired.

    ``reason`` says in a few words what brings it back.
    """

    exit_code = 1

    def __init__(self, message: str, restored: str) -> None:
        super().__init__(message)
        self.reason = f"retired; arena bots restore {restored}"


class RecordError(ArenaError):
    """A record cannot be read or names a match that is not there."""


class BundleError(ArenaError):
    """A bundle cannot be read or used; the message names the bundle, and the entry in it."""


class BundleDiffers(BundleError):
    """A bundle says something that the rules or this home contradict: a line for each of it."""

    exit_code = 1


class CheckFailed(ArenaError):
    """A bot broke the protocol in the check at submission; the message names the step.

    ``reason`` is what the bot did, in a line; ``before``, that this is known from an earlier check.
    """

    exit_code = 1

    def __init__(self, message: str, reason: str, before: str = "") -> None:
        super().__init__(message)
        self.reason, self.before = reason, before


def near_miss(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean "x"?`` for the nearest of ``known``, or nothing if none is near."""
    from engines.core import errors  # which takes 2 ms, spent on mistakes only

    return errors.near_miss(word, known)


def hint(word: str, known: Sequence[str]) -> str:
    """Return the end of a sentence about an unknown word: a near miss, or what there is.

    >>> hint("oka", ["elm", "oak"]), hint("xyz", ["elm", "oak"]), hint("oak", [])
    ('; did you mean "oak"?', ': there are elm, oak', '')
    >>> hint("xyz", ["elm"])
    ': there is only elm'
    """
    are = "is only" if len(known) == 1 else "are"
    named = f": there {are} {', '.join(known[:NAMED])}" if known else ""
    return near_miss(word, known) or named


class Lack(StrEnum):
    """What a machine may have too little of for a while; the words are for a person."""

    SLOTS = "users for bots"
    PROCESSES = "processes"
    DESCRIPTORS = "descriptors"
    MEMORY = "memory"
    WATCHES = "epoll watches"
    PIPES = "memory for pipes"
    DISK = "free space on the disk"


_LACKS = {
    errno.EUSERS: Lack.SLOTS,
    errno.EAGAIN: Lack.PROCESSES,
    errno.EMFILE: Lack.DESCRIPTORS,
    errno.ENFILE: Lack.DESCRIPTORS,
    errno.ENOMEM: Lack.MEMORY,
}


def lack_of(error: BaseException) -> Lack | None:
    """Return what was too little, ``None`` if the error has another cause.

    >>> lack_of(OSError(errno.EMFILE, "Too many open files"))
    <Lack.DESCRIPTORS: 'descriptors'>
    """
    if isinstance(error, MemoryError):
        return Lack.MEMORY
    return _LACKS.get(error.errno or 0) if isinstance(error, OSError) else None


@contextlib.contextmanager
def doing(what: str) -> Iterator[None]:
    """Return a block that does ``what``: an error of the system in it says so if it names no file.

    >>> try:
    ...     with doing("start a worker"):
    ...         raise OSError(errno.EMFILE, "Too many open files")
    ... except OSError as error:
    ...     system_error(error)
    'cannot start a worker: Too many open files'
    """
    try:
        yield
    except OSError as error:
        if not error.filename:
            error.add_note(what)
        raise


def system_error(error: OSError) -> str:
    """Return what this machine refused: with which file, or in doing what, or where in the arena.

    >>> system_error(FileNotFoundError(errno.ENOENT, "No such file or directory", "oak.py"))
    'oak.py: No such file or directory'
    """
    said = error.strerror or str(error)
    if error.filename:
        return f"{error.filename}: {said}"
    if notes := getattr(error, "__notes__", ()):
        return f"cannot {notes[0]}: {said}"
    from traceback import walk_tb  # which takes 2 ms

    ours = [
        f"{said}, in {frame.f_code.co_name} ({frame.f_globals['__name__']}, line {line})"
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").startswith(OURS)
    ]
    return ours[-1] if ours else said


class MachineLacks(ArenaError):
    """Something could not be done because this machine has too little of something for a while.

    Attributes:
        lack: what it has too little of.
    """

    exit_code = 3

    def __init__(self, what: str, lack: Lack) -> None:
        super().__init__(
            f"{what}: this machine lacks {lack}; once there is enough, use the same command again"
        )
        self.lack = lack


class UnableSeat(NamedTuple):
    """Who lacked what a match of it needs, such as a server: a seat that asks.

    Attributes:
        entrant: its name.
        text: what it said of that.
        answered: had it answered a decision of the match?
    """

    entrant: str
    text: str
    answered: bool


class Void(NamedTuple):
    """Why a match was not played to its end, through no fault of a bot.

    Attributes:
        reason: in words.
        lack: what this machine had too little of, if that was why.
        tries: how many attempts that were.
        final: would the next attempt end like this one?
        unable: who was unable to play it; then it counts as no attempt.
    """

    reason: str
    lack: Lack | None = None
    tries: int = 1
    final: bool = False
    unable: UnableSeat | None = None


class MatchVoid(ArenaError):
    """A match could not be played to its end through no fault of a bot; ``void`` says why."""

    exit_code = 3

    def __init__(
        self, reason: str, lack: Lack | None = None, unable: UnableSeat | None = None
    ) -> None:
        super().__init__(reason)
        self.void = Void(reason, lack, unable=unable)

    @property
    def lack(self) -> Lack | None:
        """What this machine had too little of, if that was why."""
        return self.void.lack


class StoreError(ArenaError):
    """The store cannot be opened, read or written."""

    exit_code = 3


class StoreUnavailable(StoreError):
    """The store is locked or full: what was not written may be written later."""


class WorkerError(ArenaError):
    """Worker processes cannot be started."""

    exit_code = 3


class RunnerBusy(ArenaError):
    """Another runner works on this tournament; the message gives its pid."""
