"""Faults that a test asks for at crash points."""

from __future__ import annotations

import pytest
from support.crash_points import parse_faults

from arena.values.errors import UsageError


@pytest.mark.parametrize(
    "text", ["comit:1:kill9", "commit:1:kill", "commit:0:eio", "commit:x:eio", "commit"]
)
def test_misspelt_fault_is_refused(text: str) -> None:
    """An ``ARENA_FAULT`` that is misspelt is a ``UsageError``."""
    with pytest.raises(UsageError, match="ARENA_FAULT"):
        parse_faults(text)
