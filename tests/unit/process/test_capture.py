"""What a bot writes is kept within bounds, with the decision at which it was read."""

from __future__ import annotations

from arena.process.capture import Capture
from arena.values.said import KEPT, SaidWhere


def test_one_byte_pieces_take_bounded_memory() -> None:
    """Many one-byte outputs from changing sources are kept in at most 5000 pieces."""
    capture = Capture()
    for number in range(4 * KEPT):
        capture.add(b"x", SaidWhere.LOG if number % 2 else SaidWhere.STDERR)
    assert capture.total == 4 * KEPT
    assert 1000 < len(capture.pieces()) < 5000
