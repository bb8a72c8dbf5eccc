"""What a person got wrong: each error says what was found, where, and what was expected."""

from __future__ import annotations

from engines.core.errors import near_miss

__all__ = [
    "ArenaError",
    "BotBuildError",
    "BotError",
    "CheckFailed",
    "MatchVoid",
    "RecordError",
    "RunnerBusy",
    "StoreError",
    "TournamentChanged",
    "TournamentFileError",
    "UsageError",
    "near_miss",
]


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


class RecordError(ArenaError):
    """A record cannot be read or names a match that is not there."""


class CheckFailed(ArenaError):
    """A bot broke the protocol in the check at submission; the message names the step."""

    exit_code = 1


class MatchVoid(ArenaError):
    """A match could not be played to its end through no fault of a bot; the message says why."""

    exit_code = 3


class StoreError(ArenaError):
    """The store cannot be opened, read or written."""

    exit_code = 3


class RunnerBusy(ArenaError):
    """Another runner works on this tournament; the message gives its pid."""
