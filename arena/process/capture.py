"""What a bot wrote to stderr and by ``log`` during one match: the beginning and the end of it."""

from __future__ import annotations

from arena.untrusted import show

__all__ = ["Capture"]

KEPT = 64 * 1024  # bytes kept of the beginning, and again of the end
TAIL_LINES = 20
TAIL_BYTES = 2000


class Capture:
    """Bounded text: takes any amount, keeps the first and the last ``KEPT`` bytes."""

    __slots__ = ("_head", "_tail", "total")

    def __init__(self) -> None:
        self.total = 0  # bytes taken altogether
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        """Take some bytes."""
        self.total += len(data)
        room = KEPT - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data[-KEPT:]
            if len(self._tail) > 2 * KEPT:
                del self._tail[:-KEPT]

    def add_line(self, text: str) -> None:
        """Take a line of text, for instance what the bot said by ``log``."""
        self.add(text.encode("utf-8", "backslashreplace") + b"\n")

    def text(self) -> str:
        """Return what was kept, with a mark where bytes are left out."""
        tail = bytes(self._tail[-KEPT:])
        left_out = self.total - len(self._head) - len(tail)
        mark = f"\n[… {left_out} bytes left out …]\n".encode() if left_out > 0 else b""
        return (bytes(self._head) + mark + tail).decode("utf-8", "backslashreplace")

    def last_lines(self) -> str:
        """Return the last lines, at most 20 and about 2,000 bytes, safe to be shown."""
        recent = bytes(self._head if not self._tail else self._head + self._tail)[-TAIL_BYTES:]
        lines = recent.decode("utf-8", "backslashreplace").splitlines()[-TAIL_LINES:]
        return "\n".join([show(line, None) for line in lines])
