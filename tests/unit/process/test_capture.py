"""What a bot writes is kept within bounds, with the decision at which it was read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.process.capture import Capture
from arena.said import KEPT, Piece, Source

CHUNK = st.tuples(
    st.sampled_from([Source.STDERR, Source.LOG]),
    st.integers(0, 2),  # decisions that pass before it
    st.one_of(st.binary(min_size=1, max_size=9), st.integers(1, 3 * KEPT).map(bytes)),
)


@given(st.lists(CHUNK, max_size=12))
def test_the_beginning_and_the_end_are_kept(chunks: list[tuple[Source, int, bytes]]) -> None:
    """Up to 64 KiB all is kept; of more the first and the last bytes, and how many are left out."""
    decision = 0
    capture = Capture(lambda: decision)
    written: list[tuple[int, Source, int]] = []  # of each byte
    for source, more, data in chunks:
        decision += more
        capture.add(data, source)
        written += [(decision, source, byte) for byte in data]
    pieces = list(capture.pieces())
    assert capture.total == len(written)
    marks = [place for place, piece in enumerate(pieces) if piece.source is Source.REFEREE]
    said = [piece for piece in pieces if piece.source is not Source.REFEREE]
    kept = [(piece.decision, piece.source, byte) for piece in said for byte in piece.data]
    if len(written) <= KEPT // 2:
        assert kept == written
    if not marks:
        assert kept == written
        return
    (place,) = marks
    head = sum(len(piece.data) for piece in pieces[:place])
    assert kept[:head] == written[:head]
    assert kept[head:] == written[len(written) - (len(kept) - head) :]
    assert KEPT * 0.9 < head <= KEPT
    assert KEPT * 0.9 < len(kept) - head <= KEPT
    assert f"{len(written) - len(kept)} bytes left out".encode() in pieces[place].data


def test_pieces_are_few_however_small() -> None:
    """A million of one byte, each from another source than the one before, take bounded memory."""
    capture = Capture()
    for number in range(1_000_000):
        capture.add(b"x", Source.LOG if number % 2 else Source.STDERR)
    assert capture.total == 1_000_000
    assert 1000 < len(capture.pieces()) < 5000


def test_what_comes_together_is_one_piece() -> None:
    """Bytes of one source at one decision are put together, however they were cut."""
    capture = Capture(lambda: 3)
    for byte in b"hello":
        capture.add(bytes([byte]))
    capture.add_line("and more", Source.LOG)
    assert capture.pieces() == (
        Piece(3, Source.STDERR, b"hello"),
        Piece(3, Source.LOG, b"and more\n"),
    )
    assert capture.text() == "helloand more\n"
