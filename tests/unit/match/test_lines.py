"""Lines cut out of bytes: the same however the bytes are cut, and never too much of them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.lines import Flood, Lines
from arena.match.protocol import MAX_LINE


def take_all(lines: Lines) -> list[bytes | str]:
    """Take what there is; a flood stands last, as its text."""
    taken: list[bytes | str] = []
    try:
        while (line := lines.take()) is not None:
            taken.append(line)
    except Flood as flood:
        taken.append(str(flood))
    return taken


@given(
    st.lists(st.binary(max_size=8), max_size=8).map(b"\n".join),
    st.lists(st.integers(0, 70), max_size=6),
)
def test_cuts_change_nothing(data: bytes, cuts: list[int]) -> None:
    """Bytes give the same lines and the same rest whole, in pieces, and byte by byte."""
    whole = Lines()
    whole.feed(data)
    expected = take_all(whole)
    assert b"\n".join([*(x for x in expected if isinstance(x, bytes)), whole.partial]) == data
    places = sorted({0, len(data), *(c for c in cuts if c < len(data))})
    for pieces in (
        [data[a:b] for a, b in itertools.pairwise(places)],
        [data[i : i + 1] for i in range(len(data))],
    ):
        lines = Lines()
        taken = []
        for piece in pieces:
            lines.feed(piece)
            taken += take_all(lines)
        assert (taken, lines.partial) == (expected, whole.partial)


def test_longest_line_is_allowed() -> None:
    """A line of exactly the longest size is fine, complete or not; one byte more is a flood."""
    lines = Lines()
    lines.feed(b"x" * MAX_LINE)
    assert lines.take() is None
    lines.feed(b"\n")
    assert lines.take() == b"x" * MAX_LINE
    lines.feed(b"x" * (MAX_LINE + 1))
    with pytest.raises(Flood, match="65536 bytes"):
        lines.take()


def test_lines_are_counted_by_decision() -> None:
    """A thousand lines a decision are fine, the next is a flood, a new decision starts again."""
    lines = Lines()
    lines.feed(b"\n" * 1000)
    assert take_all(lines) == [b""] * 1000
    lines.next_decision()
    lines.feed(b"\n" * 1001)
    assert take_all(lines) == [b""] * 1000 + ["more than 1000 lines for one decision"]


def test_bytes_are_counted_by_decision() -> None:
    """A mebibyte a decision is fine, what comes after it is a flood."""
    piece = b"x" * 65535 + b"\n"
    lines = Lines()
    lines.feed(piece * 16)
    assert len(take_all(lines)) == 16
    assert not lines.too_much()
    lines.feed(b"x")
    assert lines.too_much()
    assert take_all(lines) == ["more than 1048576 bytes for one decision"]


def test_a_flood_does_not_depend_on_the_cuts() -> None:
    """The line that exceeds a mebibyte is never taken, whether it came with others or alone."""
    data = b"".join([b"x" * 60_000 + b"\n"] * 18) + b"play E3\n"  # the 18th line is too much
    for size in (len(data), 65536, 60_001, 1000):
        lines = Lines()
        taken: list[bytes | str] = []
        for start in range(0, len(data), size):
            lines.feed(data[start : start + size])
            taken += take_all(lines)
            if taken and isinstance(taken[-1], str):
                break
        assert len(taken) == 18, size
        assert taken[-1] == "more than 1048576 bytes for one decision"


def test_what_comes_first_is_the_flood() -> None:
    """Where a line is too long and all together too much, the byte that comes first decides."""
    full = b"".join([b"x" * 65_535 + b"\n"] * 15)  # leaves room for 65,536 bytes
    for head, data, said in [
        (b"", b"y" * 65_537, "a line of more than 65536 bytes"),
        (b"\n", b"y" * 65_537, "more than 1048576 bytes for one decision"),
        (b"", b"y" * 65_536 + b"\n", "more than 1048576 bytes for one decision"),
    ]:
        for pieces in ([full + head + data + b"\n"], [full, head, data[:-1], data[-1:]]):
            lines = Lines()
            taken: list[bytes | str] = []
            for piece in pieces:
                lines.feed(piece)
                taken = take_all(lines)
            assert taken[-1] == said
