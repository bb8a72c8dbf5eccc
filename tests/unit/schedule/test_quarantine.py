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


def test_faults_in_a_row_suspend() -> None:
    """The third fault in a row suspends, and not before; it is then said once."""
    quarantine = Quarantine(3)
    assert quarantine.add(("oak", "elm"), (0,)) == ()
    assert quarantine.add(("elm", "oak"), (1,)) == ()
    assert quarantine.out == set()
    assert quarantine.add(("oak", "fir"), (0,)) == ("oak",)
    assert quarantine.out == {"oak"}
    assert quarantine.add(("fir", "oak"), (1,)) == ()


def test_a_match_without_a_fault_begins_anew() -> None:
    """A start that worked sets the count back to nothing, whatever came of the match."""
    fault, good = ("oak elm", (0,)), ("elm oak", ())
    assert after(3, fault, fault, good, fault, fault).out == set()
    assert after(3, fault, fault, good, fault, fault, fault).out == {"oak"}


def test_matches_of_who_is_out_count_neither_way() -> None:
    """Whether they were played depends on chance: they are no fault of others, and no good start.

    By hand: oak is suspended by its two faults; elm's good start against oak afterwards is none,
    and so elm's faults before and after it are two in a row; the fault against oak is none either.
    """
    gone = [("oak fir", (0,)), ("oak fir", (0,))]
    good_between = after(2, *gone, ("elm fir", (0,)), ("elm oak", ()), ("elm fir", (0,)))
    assert good_between.out == {"oak", "elm"}
    assert after(2, *gone, ("elm fir", (0,)), ("elm oak", (0,))).out == {"oak"}


def test_which_faults_count() -> None:
    """Those of the code, or of any."""
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
def test_counting(matches: list[tuple[str, Sequence[int]]], counting: bool) -> None:
    """A count is open after a fault until a good start or the suspension."""
    assert after(2, *matches).counting is counting
