"""Bytes → lines, with the caps on what a bot may write for one decision (no I/O)."""

from __future__ import annotations

from collections.abc import Callable

from arena.match.protocol import MAX_DECISION_BYTES, MAX_DECISION_LINES, MAX_LINE
from arena.values.model import Cause


class Flood(Exception):
    """The bot wrote more than it may; ``str(error)`` says how much, ``cause`` on which stream.

    ``line`` is the one that was too long, or too much, as far as it has come.
    """

    def __init__(self, detail: str, cause: Cause = Cause.OUTPUT, line: bytes = b"") -> None:
        super().__init__(detail)
        self.cause = cause
        self.line = line


class Lines:
    """What was read of one bot's output and not judged yet.

    Where the bytes were cut into pieces changes nothing: lines come out in order, and a flood is
    raised after all complete lines before it were taken. So the bytes are counted as they are
    taken: of what was read in one piece, a line beyond the cap is as much of a flood as by itself.

    Attributes:
        partial: the beginning of a line whose line feed has not come.
        hide: takes out of a line what nobody is to see.
    """

    __slots__ = ("_bytes", "_count", "_taken", "_waiting", "hide", "partial")

    def __init__(self) -> None:
        self.partial = b""
        self.hide: Callable[[bytes], bytes] | None = None
        self._waiting: list[bytes] = []  # complete lines, the next one last
        self._bytes = 0  # that were read for this decision
        self._taken = 0  # of complete lines that were taken for it
        self._count = 0

    def feed(self, data: bytes) -> None:
        """Take bytes as they were read."""
        self._bytes += len(data)
        if b"\n" not in data:
            self.partial += data
            return
        lines = (self.partial + data).split(b"\n") if self.partial else data.split(b"\n")
        self.partial = lines.pop()
        lines.reverse()
        self._waiting[:0] = lines

    def __bool__(self) -> bool:
        """Whether anything waits to be judged."""
        return bool(self._waiting or self.partial)

    def take(self) -> bytes | None:
        """Take the next complete line without its line feed, ``None`` if there is none.

        Raises:
            Flood: the line is too long or one too many, or what has come of the next one is, or all
                together is too much.
        """
        room = MAX_DECISION_BYTES - self._taken
        if not self._waiting:
            _measure(self.partial, len(self.partial), room)
            return None
        line = self._waiting.pop()
        size = len(line) + 1
        if size > MAX_LINE or size > room:
            _measure(line, size, room)
        self._taken += size
        self._count += 1
        if self._count > MAX_DECISION_LINES:
            raise Flood(f"more than {MAX_DECISION_LINES} lines for one decision", line=line)
        return line if self.hide is None else self.hide(line)

    def next_decision(self) -> None:
        """Begin to count for another decision; what waits to be judged still waits."""
        self._bytes = 0
        self._taken = 0
        self._count = 0

    def forget(self) -> None:
        """Throw away what was not judged; the counts go on."""
        self._waiting.clear()
        self.partial = b""

    def too_much(self) -> bool:
        """Return whether more bytes were read for this decision than are allowed."""
        return self._bytes > MAX_DECISION_BYTES


def _measure(line: bytes, size: int, room: int) -> None:
    """Raise ``Flood`` if a line is too long, or more than there is room for: what comes first.

    Args:
        line: as far as it has come.
        size: its length, with its line feed if that has come.
        room: how many bytes may come.
    """
    if len(line) > MAX_LINE and room >= MAX_LINE:
        raise Flood(f"a line of more than {MAX_LINE} bytes", line=line)
    if size > room:
        raise Flood(f"more than {MAX_DECISION_BYTES} bytes for one decision", line=line)
