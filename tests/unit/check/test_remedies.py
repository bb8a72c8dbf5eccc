"""Every fault of a bot has a remedy, and the one that fits it best."""

from __future__ import annotations

import pytest

from arena.check.remedies import remedy
from arena.model import Fault, Termination

NO_FAULTS = ("rules", "resign", "maxmoves", "void")


@pytest.mark.parametrize("code", [code for code in Termination if code not in NO_FAULTS])
def test_every_code_has_one(code: Termination) -> None:
    """Whatever the detail says, there is something to do about it."""
    assert "protocol.md" not in remedy(Fault(0, code, 1, "something new"))


@pytest.mark.parametrize(
    ("code", "detail", "words"),
    [
        ("startup", "it could not be started: [Errno 8] Exec format error", "refuses"),
        ("startup", "expected a line (a UTF-8 byte order mark stands before it)", "byte order"),
        ("startup", 'no "ready" within 10 ms; an unfinished line: "ready"', "line feed"),
        ("startup", "it was killed by SIGSEGV before it said ready", "by hand"),
        ("protocol", 'the line is not UTF-8: "x"', "UTF-8"),
        ("time", "no complete answer within 5 ms; it did not read what was sent", "whole block"),
        ("crash", "it exited with status 0", "until"),
        ("flood", "more than 67108864 bytes to stderr", "standard error"),
    ],
)
def test_the_best_one(code: str, detail: str, words: str) -> None:
    """A remedy speaks of what was seen."""
    assert words in remedy(Fault(0, Termination(code), 1, detail))


def test_what_is_known_besides() -> None:
    """An answer that came late from a buffer, or with another number, is told as that."""
    late = Fault(0, Termination.TIME, 1, "no complete answer within 5 ms")
    assert "buffer" in remedy(late, buffered=True)
    assert "that very D" in remedy(late, dropped=1)
    illegal = Fault(0, Termination.ILLEGAL, 1, '"x" is not legal')
    assert "that very D" not in remedy(illegal, dropped=1)
