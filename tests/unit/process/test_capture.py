"""What a bot writes is kept within bounds, with the decision at which it was read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.process.capture import Capture
from arena.values.said import KEPT, SaidWhere

CHUNK = st.tuples(
    st.sampled_from([SaidWhere.STDERR, SaidWhere.LOG]),
    st.integers(0, 2),  # decisions that pass before it
    st.one_of(st.binary(min_size=1, max_size=9), st.integers(1, 3 * KEPT).map(bytes)),
)


SOURCES = (SaidWhere.STDERR, SaidWhere.LOG)


class Bytes:
    """Bytes with the decision and the source of each, which the second text has as a code."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.codes = bytearray()

    def add(self, decision: int, source: SaidWhere, data: bytes) -> None:
        self.data += data
        self.codes += bytes([2 * decision + SOURCES.index(source)]) * len(data)

    def head(self, size: int) -> tuple[bytes, bytes]:
        return bytes(self.data[:size]), bytes(self.codes[:size])

    def tail(self, size: int) -> tuple[bytes, bytes]:
        start = len(self.data) - size
        return bytes(self.data[start:]), bytes(self.codes[start:])


@given(st.lists(CHUNK, max_size=12))
def test_output_keeps_first_and_last_64_kib(chunks: list[tuple[SaidWhere, int, bytes]]) -> None:
    """Of a bot's output the first and last 64 KiB are kept, with how many bytes are left out."""
    decision = 0
    capture = Capture(lambda: decision)
    written, kept = Bytes(), Bytes()
    for source, more, data in chunks:
        decision += more
        capture.add(data, source)
        written.add(decision, source, data)
    pieces = list(capture.pieces())
    size = len(written.data)
    assert capture.total == size
    marks = [place for place, piece in enumerate(pieces) if piece.source is SaidWhere.REFEREE]
    for piece in pieces:
        if piece.source is not SaidWhere.REFEREE:
            kept.add(piece.decision, piece.source, piece.data)
    if size <= KEPT // 2 or not marks:
        assert kept.head(size) == written.head(size)
        assert len(kept.data) == size
    if not marks:
        return
    (place,) = marks
    head = sum(len(piece.data) for piece in pieces[:place])
    tail = len(kept.data) - head
    assert kept.head(head) == written.head(head)
    assert kept.tail(tail) == written.tail(tail)
    assert KEPT * 0.9 < head <= KEPT
    assert KEPT * 0.9 < tail <= KEPT
    assert f"{size - head - tail} bytes left out".encode() in pieces[place].data


def test_one_byte_pieces_take_bounded_memory() -> None:
    """Many one-byte outputs from changing sources are kept in at most 5000 pieces."""
    capture = Capture()
    for number in range(4 * KEPT):
        capture.add(b"x", SaidWhere.LOG if number % 2 else SaidWhere.STDERR)
    assert capture.total == 4 * KEPT
    assert 1000 < len(capture.pieces()) < 5000
