"""The rule of suspension, match by match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.schedule.quarantine import Quarantine, failures


def after(max_faults: int, *matches: tuple[str, Sequence[int]]) -> Quarantine:
    """Return the count after matches: names with spaces between, and the seats that failed."""
    quarantine = Quarantine(max_faults)
    for names, failed in matches:
        quarantine.add(names.split(), failed)
    return quarantine


def test_third_fault_in_a_row_suspends() -> None:
    """A bot is suspended at its third fault in a row, and that is reported once."""
    quarantine = Quarantine(3)
    assert quarantine.add(("oak", "elm"), (0,)) == ()
    assert quarantine.add(("elm", "oak"), (1,)) == ()
    assert quarantine.out == set()
    assert quarantine.add(("oak", "fir"), (0,)) == ("oak",)
    assert quarantine.out == {"oak"}
    assert quarantine.add(("fir", "oak"), (1,)) == ()


def test_match_without_fault_resets_count() -> None:
    """A match in which the bot starts without a fault sets its count back to 0."""
    fault, good = ("oak elm", (0,)), ("elm oak", ())
    assert after(3, fault, fault, good, fault, fault).out == set()
    assert after(3, fault, fault, good, fault, fault, fault).out == {"oak"}


def test_matches_against_suspended_bot_do_not_count() -> None:
    """A match against a suspended bot is neither a fault nor a good start for the other.

    By hand: oak is suspended by its two faults; elm's good start against oak afterwards is none,
    and so elm's faults before and after it are two in a row; the fault against oak is none either.
    """
    gone = [("oak fir", (0,)), ("oak fir", (0,))]
    good_between = after(2, *gone, ("elm fir", (0,)), ("elm oak", ()), ("elm fir", (0,)))
    assert good_between.out == {"oak", "elm"}
    assert after(2, *gone, ("elm fir", (0,)), ("elm oak", (0,))).out == {"oak"}


def test_only_named_fault_code_counts() -> None:
    """With a fault code only such faults count, with ``any`` all of them."""
    faults = ((0, "crash"), (1, "startup"), (2, "illegal"))
    assert failures(faults, "startup") == {1}
    assert failures(faults, "any") == {0, 1, 2}


@pytest.mark.parametrize(
    ("matches", "counting"),
    [
        ([], False),
        ([("oak elm", (0,))], True),
        ([("oak elm", (0,)), ("oak fir", ())], False),
        ([("oak elm", (0,)), ("oak fir", (0,))], False),
    ],
)
def test_count_is_open_after_fault(
    matches: list[tuple[str, Sequence[int]]], counting: bool
) -> None:
    """A bot is being counted from its first fault to a good start or its suspension."""
    assert after(2, *matches).counting is counting
