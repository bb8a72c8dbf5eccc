"""Lines cut out of bytes: the same however the bytes are cut, and never too much of them."""

from __future__ import annotations

from arena.match.lines import Flood, Lines


def take_all(lines: Lines) -> list[bytes | str]:
    """Take what there is; a flood stands last, as its text."""
    taken: list[bytes | str] = []
    try:
        while (line := lines.take()) is not None:
            taken.append(line)
    except Flood as flood:
        taken.append(str(flood))
    return taken


def test_lines_wait_until_all_is_taken() -> None:
    """Something waits while a line is not taken, or has no line feed yet."""
    lines = Lines()
    assert not lines
    lines.feed(b"a\nb")
    assert lines.take() == b"a"
    assert lines
    lines.feed(b"\n")
    assert lines
    assert lines.take() == b"b"
    assert not lines


def test_more_than_mebibyte_for_decision_is_flood() -> None:
    """A bot may write 1 MiB a decision, one byte more is a flood."""
    piece = b"x" * 65535 + b"\n"
    lines = Lines()
    lines.feed(piece * 16)
    assert len(take_all(lines)) == 16
    assert not lines.too_much()
    lines.feed(b"x")
    assert lines.too_much()
    assert take_all(lines) == ["more than 1048576 bytes for one decision"]


def test_flood_does_not_depend_on_pieces() -> None:
    """The line that exceeds 1 MiB is never taken, whether it comes with others or alone."""
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


def test_flood_names_limit_that_was_passed_first() -> None:
    """Where a line and the decision are both too large, the limit that came first is named."""
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
