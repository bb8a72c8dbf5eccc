"""What was said between the arena and one bot process, and a process that keeps it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from arena.check.steps import TranscriptLine
from arena.match.lines import Lines
from arena.match.protocol import MAX_DECISION_BYTES
from arena.process.bot import BotProcess
from arena.sandbox.interface import Launch
from arena.values.untrusted import show

KEPT = 40  # lines of a transcript
WIDTH = 120  # characters of a line of it
# bytes of the bot's lines that are kept as they are: all it may write at its start and two answers
HEARD = 3 * MAX_DECISION_BYTES
VERDICT = "bad "  # begins what the arena says to a bot that has lost

Change = Callable[[str], str]  # a block as the referee says it → as it is written


class Transcript:
    """The last lines that were said, up to the verdict on the bot if there is one.

    Attributes:
        heard: the first lines of the bot as they came, and ``heard_ms``, when the last line came.
    """

    def __init__(self, change: Change | None) -> None:
        """Begin; ``change`` is made to every block before it is written."""
        self.heard: list[bytes] = []
        self.heard_ms = 0.0
        self._room = HEARD
        self._change = change
        self._lines: deque[TranscriptLine] = deque(maxlen=KEPT)
        self._judged = False
        self._begin = time.monotonic()

    def start(self) -> None:
        """Count the time from now on."""
        self._begin = time.monotonic()

    def lines(self) -> tuple[TranscriptLine, ...]:
        """Return the last lines."""
        return tuple(self._lines)

    def say(self, block: bytes) -> bytes:
        """Put down what the arena says; return what is to be written."""
        text = block.decode("ascii")
        self._judged = self._judged or text.startswith(VERDICT)
        if self._change is not None:
            text = self._change(text)
        if not self._judged:
            for line in text.splitlines():
                self._put("arena", line)
        return text.encode("ascii")

    def hear(self, raw: bytes) -> None:
        """Put down a line of the bot."""
        self.heard_ms = self.ms()
        self._room -= len(raw) + 1
        if self._room >= 0:
            self.heard.append(raw)
        self._put("bot", raw)

    def remark(self, text: str) -> None:
        """Put down a remark of the arena's own."""
        self._put("note", text)

    def ms(self) -> float:
        """Return the milliseconds since the bot was started."""
        return (time.monotonic() - self._begin) * 1000

    def _put(self, who: str, text: str | bytes) -> None:
        self._lines.append(TranscriptLine(round(self.ms(), 1), who, show(text, WIDTH)))


class TranscribedBot(BotProcess):
    """A bot process that writes down what is said to it, and what it says when that is heard."""

    def __init__(self, how: Launch, transcript: Transcript) -> None:
        transcript.start()
        super().__init__(how)
        self.lines = _Heard(transcript)
        self._transcript = transcript

    def write(self, data: bytes) -> bool:
        """Offer bytes to the bot's stdin; see ``BotProcess``."""
        return super().write(self._transcript.say(data) if data else data)


class _Heard(Lines):
    """Lines that are written down as they are taken."""

    __slots__ = ("_transcript",)

    def __init__(self, transcript: Transcript) -> None:
        super().__init__()
        self._transcript = transcript

    def take(self) -> bytes | None:
        """Take the next complete line; see ``Lines``."""
        raw = super().take()
        if raw is not None:
            self._transcript.hear(raw)
        return raw
