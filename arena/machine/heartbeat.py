"""What a process that plays says of itself in shared memory, so that a silent one is understood.

The process writes before each call that may take long what it is about to do. Another process or
thread reads it at any time: no number is ever half written, and texts have a counter.
"""

from __future__ import annotations

import ctypes

LISTENING = 0  # waiting for bots, or for a match
ENGINE = -1  # in the engine of the game
WORKING = -2  # anything else
NO_PLAYER = 255  # the player of a bot that is in no match
TEXT_BYTES = 16 * 1024

_NUMBERS = ("doing", "since_ns", "taken", "decisions", "used", "over", "seen_ns", "looks")


class Heartbeat(ctypes.Structure):
    """What one process that plays matches is doing.

    Attributes:
        alive: when it last looked at all bots, in seconds of the monotonic clock.
        doing: one of the constants above, or the mark of the bot in whose pipe a call is.
        since_ns: when that call began, in ns of the monotonic clock.
        taken: how many matches it has taken from its pipe.
        decisions: how many were made in the present match.
        used: the most bytes that a bot of its matches held which did not come with the arena; 0:
            nobody has seen any.
        over: 1 + the player who was found over its memory, 0 if none was.
        seen_ns, looks: what ``since_ns`` was at the last look of who watches, and how many looks
            have found this process to wait in that very call; written by who watches.
        setup: the deal of the present match, empty where it is not known, or too long.
    """

    alive: float
    doing: int
    since_ns: int
    taken: int
    decisions: int
    used: int
    over: int
    seen_ns: int
    looks: int
    setup: bytes
    _text: bytes
    _writes: int
    _fields_ = [  # read by ctypes
        ("alive", ctypes.c_double),
        *((name, ctypes.c_int64) for name in _NUMBERS),
        ("setup", ctypes.c_char * TEXT_BYTES),
        ("_text", ctypes.c_char * TEXT_BYTES),
        ("_writes", ctypes.c_int64),  # odd while the text is written
    ]

    def begin(self, setup: str) -> None:
        """Say that a match on this deal begins."""
        text = setup.encode()
        self.setup = text if len(text) < TEXT_BYTES else b""
        self.decisions = 0

    def show(self, text: str) -> None:
        """Show a text; nothing, if it is too long."""
        data = text.encode()
        self._writes += 1
        self._text = data if len(data) < TEXT_BYTES else b""
        self._writes += 1

    def shown(self) -> str | None:
        """Return the text that is shown; ``None`` while it is written."""
        writes = self._writes
        text = self._text
        return None if writes % 2 or writes != self._writes else text.decode(errors="replace")


def mark_of(pid: int, player: int = NO_PLAYER) -> int:
    """Return what ``doing`` is during a call on the pipe of a bot.

    >>> pid_of(mark_of(1234, 3)), player_of(mark_of(1234, 3))
    (1234, 3)
    """
    return pid << 8 | min(player, NO_PLAYER)


def pid_of(mark: int) -> int:
    """Return the process id of a bot by its mark."""
    return mark >> 8


def player_of(mark: int) -> int:
    """Return the player of a bot by its mark."""
    return mark & NO_PLAYER
