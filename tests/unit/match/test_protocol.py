"""ABP 1 as text: what bots say, what is malformed, and the lines of the referee."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.told import told

from arena.match import protocol
from arena.match.protocol import (
    Error,
    Info,
    Log,
    Malformed,
    Message,
    Play,
    Ready,
    Resign,
    Unknown,
    parse,
)
from arena.values.model import Clock


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", None),
        (b"  ", None),
        (b"ready", Ready()),
        (b"ready abp=1", Ready()),
        (b"ready want=legal,obs name=Oak version=1.3", Ready(("obs", "legal"))),
        (b"ready want=event,colour shoe=42", Ready(("event",))),
        (b"play E4-2", Play("E4-2")),
        (b"play E4-2 7", Play("E4-2", 7)),
        (b"play E4-2 sure=1 7", Play("E4-2", 7)),
        ("play １".encode(), Play("１")),
        (b"info score=0.12 depth=6 pv=E3", Info((("score", 0.12), ("depth", 6), ("pv", "E3")))),
        (
            b"info score=-1e3 nodes=1e999 x=nan",
            Info((("score", -1000.0), ("nodes", "1e999"), ("x", "nan"))),
        ),
        (b"info", Info(())),
        (b"log", Log("")),
        (b"log a  b\tc", Log("a  b\tc")),
        ("log größer".encode(), Log("größer")),
        (b"resign", Resign()),
        (b"error no more ideas", Error("no more ideas")),
        (b"ponder depth=3", Unknown("ponder")),
    ],
)
def test_parse(line: bytes, message: Message | None) -> None:
    """A well-formed line is the message that the protocol's page says."""
    assert parse(line) == message


@pytest.mark.parametrize(
    "line",
    [
        b"play ",
        b"play E3  7",
        b"play E3 x",
        b"play E3 07",
        b"play E3 1234567890",
        b"play E3\t7",
        b"E3",
        b"{}",
        b"[" * 60_000,
        b"play E3\x1b[0m",
        "play E3".encode("utf-16"),
        b"play \xed\xa0\x80",
        b"\xef\xbb\xbfready",
        b"ready abp=2",
        b"ready 1",
        b"ready want=",
        b"info 12",
        b"info a=",
        b"info a=\xc3\xa9",
        b"resign now",
    ],
)
def test_malformed(line: bytes) -> None:
    """A malformed line is refused with a short sentence in printable ASCII.

    What such a line costs in a match, and many more of them, is in ``verdicts.yaml``.
    """
    text = told(Malformed, parse, line)
    assert len(text) < 250
    assert text.replace("…", "").isascii()
    assert text.isprintable()


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (b"play  E3", "one space"),
        (b"play E3  7", "one space"),
        (b"play E3\t7", "not a tab"),
        (b" play E3", "not with a space"),
        (b"info a=1  b=2", "one space"),
        (b"ready want=legal, obs", "no space after a comma"),
    ],
)
def test_white_space_is_named(line: bytes, hint: str) -> None:
    """A line that is malformed by white space alone is refused with words that name it."""
    assert hint in told(Malformed, parse, line)
    assert hint not in told(Malformed, parse, b"play E3 x")


@given(st.binary(max_size=40))
def test_action_of_play_is_kept_byte_for_byte(action: bytes) -> None:
    """The action of a ``play`` line is its first token, exactly as it was written."""
    try:
        message = parse(b"play " + action.replace(b"\n", b"") + b" 12")
    except Malformed:
        return
    assert isinstance(message, Play)
    assert message.action.encode() == action.replace(b"\n", b"").split(b" ")[0]


def test_referee_lines() -> None:
    """The lines of the referee are written as the protocol's page says."""
    # the id: printf %s 'arena/1|wire|99' | sha256sum, and likewise of 7
    clock = Clock(move_ms=1000, first_ms=5000, main_ms=60000, inc_ms=100)
    assert protocol.game_lines("leaves(tree=plus)", 1, 2, clock, 99) == (
        "game 64b6f64d87a8e6f2 leaves(tree=plus)\nseat 1 2\n"
        "clock main=60000 inc=100 move=1000 first=5000\nseed 99"
    )
    no_main = Clock(move_ms=50, first_ms=0)
    assert "\nclock move=50\n" in protocol.game_lines("leaves", 0, 2, no_main, 1)
    assert protocol.go_line(3, None, 1000, part=False) == "go 3 limit=1000"
    assert protocol.go_line(3, 58210, 1000, part=True) == "go 3 left=58210 limit=1000 legal=part"
    assert protocol.end_line(99, 1, 2, (12.0, 9.5), "rules") == (
        "end 64b6f64d87a8e6f2 rank=1/2 score=12,9.5 by=rules"
    )
    assert protocol.end_line(7, 2, 2, None, "time") == ("end 852a606e70651445 rank=2/2 by=time")
    assert protocol.bad_line("illegal", "ä") == "bad illegal \\xe4"
    assert protocol.bad_line("illegal", "a\nplay b\r\x1b]0;c\x07\t\x7f") == (
        r"bad illegal a\nplay b\r\x1b]0;c\x07\t\x7f"
    )
