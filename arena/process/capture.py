"""What a bot wrote during one match: the beginning and the end of it, decision by decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from arena.values.said import KEPT, NOTHING_SAID, Piece, Pieces, SaidWhere
from arena.values.untrusted import show_lines

EACH = 64  # what a piece counts beside its bytes, so that there are not too many of them
TAIL_LINES = 20
TAIL_BYTES = 2000


class Capture:
    """Bounded pieces of text: takes any amount, keeps the first and the last ``KEPT`` bytes.

    Attributes:
        total: the bytes taken altogether.
    """

    __slots__ = ("_decision", "_head", "_room", "_tail", "_tail_size", "total")

    def __init__(self, decision: Callable[[], int] = int) -> None:
        """Begin; ``decision()`` returns the one that is open, or was the last that was."""
        self.total = 0
        self._decision = decision
        self._head: list[_Growing] = []
        self._room = KEPT  # in the head; once something did not fit, all that follows is tail
        self._tail: list[_Growing] = []
        self._tail_size = 0

    def add(self, data: bytes, source: SaidWhere = SaidWhere.STDERR) -> None:
        """Take some bytes."""
        self.total += len(data)
        if self._room > 0:
            first, data = data[: self._room], data[self._room :]
            self._room -= self._add_to(self._head, source, first)
        if data:
            self._tail_size += self._add_to(self._tail, source, data[-KEPT:])
            if self._tail_size > 2 * KEPT:  # not for every few bytes
                self._shorten_tail()

    def add_line(self, text: str, source: SaidWhere) -> None:
        """Take a line of text, for instance what the bot said by ``log``."""
        self.add(text.encode("utf-8", "backslashreplace") + b"\n", source)

    def pieces(self) -> Pieces:
        """Return what was kept, with a remark where bytes are left out."""
        if not self.total:
            return NOTHING_SAID
        self._shorten_tail()
        kept = [*self._head, *self._tail]
        pieces = [Piece(piece.decision, piece.source, bytes(piece.data)) for piece in kept]
        left_out = self.total - sum(len(piece.data) for piece in kept)
        if left_out:
            mark = f"\n[… {left_out} bytes left out …]\n".encode()
            after = self._tail[0] if self._tail else self._head[-1]
            pieces.insert(len(self._head), Piece(after.decision, SaidWhere.REFEREE, mark))
        return tuple(pieces)

    def text(self) -> str:
        """Return what was kept, with a mark where bytes are left out."""
        kept = b"".join([piece.data for piece in self.pieces()])
        return kept.decode("utf-8", "backslashreplace")

    def last_lines(self) -> str:
        """Return the bot's last lines, at most 20 and about 2,000 bytes, safe to be shown."""
        pieces = [*self._head, *self._tail]
        kept = b"".join([piece.data for piece in pieces if piece.source is not SaidWhere.REFEREE])
        text = show_lines(kept[-TAIL_BYTES:]).removesuffix("\n")
        return "\n".join(text.split("\n")[-TAIL_LINES:])

    def _add_to(self, pieces: list[_Growing], source: SaidWhere, data: bytes) -> int:
        """Take some bytes into the last piece, or a new one; return what they count."""
        decision, counted = self._decision(), len(data)
        if not pieces or (pieces[-1].decision, pieces[-1].source) != (decision, source):
            pieces.append(_Growing(decision, source))
            counted += EACH
        pieces[-1].data += data
        return counted

    def _shorten_tail(self) -> None:
        gone = 0
        while (excess := self._tail_size - KEPT) > 0:
            first = self._tail[gone].data
            if len(first) + EACH <= excess:
                gone += 1
                self._tail_size -= len(first) + EACH
            else:
                del first[:excess]
                self._tail_size -= excess
        del self._tail[:gone]


@dataclass(slots=True)
class _Growing:
    """A piece to which more may be added."""

    decision: int
    source: SaidWhere
    data: bytearray = field(default_factory=bytearray)
