"""Every fault of a bot has a remedy, and the one that fits it best."""

from __future__ import annotations

import pytest

from arena.check.remedies import remedy
from arena.model import Cause, Fault, Termination

NO_FAULTS = ("rules", "resign", "maxmoves", "void")


@pytest.mark.parametrize("code", [code for code in Termination if code not in NO_FAULTS])
def test_every_code_has_one(code: Termination) -> None:
    """Whatever the cause is, there is something to do about it."""
    assert all(remedy(Fault(0, code, 1, "", cause=cause)) for cause in (None, *Cause))


@pytest.mark.parametrize(
    ("code", "cause", "words"),
    [
        ("startup", Cause.NOT_STARTED, "refuses"),
        ("startup", Cause.BYTE_ORDER_MARK, "byte order"),
        ("startup", Cause.UNFINISHED, "line feed"),
        ("startup", Cause.ENDED, "by hand"),
        ("startup", Cause.UPPER_CASE, "lower case"),
        ("startup", Cause.OTHER_PROTOCOL, "ready abp=1"),
        ("startup", Cause.OUTPUT, "nothing but the protocol"),
        ("protocol", None, "standard error"),
        ("protocol", Cause.NOT_UTF8, "UTF-8"),
        ("protocol", Cause.CONTROL, "plain text"),
        ("protocol", Cause.PLAY, "one space"),
        ("protocol", Cause.INFO, "key=value"),
        ("illegal", None, '"legal"'),
        ("time", None, "limit="),
        ("time", Cause.UNREAD, "whole block"),
        ("crash", None, "stderr"),
        ("crash", Cause.LEFT, "until"),
        ("crash", Cause.UNFINISHED, "line feed"),
        ("crash", Cause.ERROR, "error"),
        ("flood", None, "64 KiB"),
        ("flood", Cause.STDERR, "standard error"),
        ("flood", Cause.PROCESSES, "processes"),
    ],
)
def test_the_best_one(code: str, cause: Cause | None, words: str) -> None:
    """A remedy speaks of the cause, whatever the detail's words are."""
    assert words in remedy(Fault(0, Termination(code), 1, "", cause=cause))


def test_what_is_known_besides() -> None:
    """An answer that came late from a buffer, or with another number, is told as that."""
    late = Fault(0, Termination.TIME, 1, "")
    assert "buffer" in remedy(late, buffered=True)
    assert "that very D" in remedy(late, stale=1)
    illegal = Fault(0, Termination.ILLEGAL, 1, "")
    assert "that very D" not in remedy(illegal, stale=1)
