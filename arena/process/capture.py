"""What a bot wrote during one match: the beginning and the end of it, decision by decision."""

from __future__ import annotations

from collections.abc import Callable

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
        decision = self._decision()
        if self._room:
            data = self._add_to_head(decision, source, data)
        if data:
            self._add_to_tail(decision, source, data[-KEPT:])

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

    def _add_to_head(self, decision: int, source: SaidWhere, data: bytes) -> bytes:
        """Take the beginning of some bytes, and return the rest."""
        if not self._head or not self._head[-1].is_of(decision, source):
            if self._room <= EACH:
                self._room = 0
                return data
            self._room -= EACH
            self._head.append(_Growing(decision, source))
        self._head[-1].data += data[: self._room]
        rest = data[self._room :]
        self._room = max(0, self._room - len(data))
        return rest

    def _add_to_tail(self, decision: int, source: SaidWhere, data: bytes) -> None:
        if not self._tail or not self._tail[-1].is_of(decision, source):
            self._tail_size += EACH
            self._tail.append(_Growing(decision, source))
        self._tail[-1].data += data
        self._tail_size += len(data)
        if self._tail_size > 2 * KEPT:  # not for every few bytes
            self._shorten_tail()

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


class _Growing:
    """A piece to which more may be added."""

    __slots__ = ("data", "decision", "source")

    def __init__(self, decision: int, source: SaidWhere) -> None:
        self.decision, self.source, self.data = decision, source, bytearray()

    def is_of(self, decision: int, source: SaidWhere) -> bool:
        return self.decision == decision and self.source is source
