"""The rule of suspension, match by match."""

from __future__ import annotations

from arena.progress.suspensions import failures


def test_only_named_fault_code_counts() -> None:
    """With a fault code only such faults count, with ``any`` all of them."""
    faults = ((0, "crash"), (1, "startup"), (2, "illegal"))
    assert failures(faults, "startup") == {1}
    assert failures(faults, "any") == {0, 1, 2}
