"""The rule of suspension, match by match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.schedule.quarantine import Quarantine


def after(max_faults: int, *matches: tuple[str, Sequence[int]]) -> Quarantine:
    """Return the count after matches: names with spaces between, and the seats that failed."""
    quarantine = Quarantine(max_faults)
    for number, (names, failed) in enumerate(matches):
        quarantine.add(number, names.split(), failed)
    return quarantine


def test_faults_in_a_row_suspend() -> None:
    """The third fault in a row suspends, from the next number on, and not before."""
    quarantine = Quarantine(3)
    assert quarantine.add(4, ("oak", "elm"), (0,)) == ()
    assert quarantine.add(6, ("elm", "oak"), (1,)) == ()
    assert quarantine.suspended == {}
    assert quarantine.add(9, ("oak", "fir"), (0,)) == ("oak",)
    assert quarantine.suspended == {"oak": 9}
    assert quarantine.away(9, ("oak", "fir")) == ()
    assert quarantine.away(10, ("fir", "oak")) == (1,)
    assert quarantine.away(10, ("fir", "elm")) == ()


def test_a_match_without_a_fault_begins_anew() -> None:
    """A start that worked sets the count back to nothing, whatever came of the match."""
    fault, good = ("oak elm", (0,)), ("elm oak", ())
    assert after(3, fault, fault, good, fault, fault).suspended == {}
    assert after(3, fault, fault, good, fault, fault, fault).suspended == {"oak": 5}


def test_matches_of_others_count_for_nobody_else() -> None:
    """Between an entrant's faults others may play as they like."""
    quarantine = after(2, ("oak elm", (0,)), ("elm fir", ()), ("fir elm", (1,)), ("oak fir", (0,)))
    assert quarantine.suspended == {"oak": 3}


def test_both_in_one_match() -> None:
    """Two that fail together are suspended together; later matches of both have both away."""
    quarantine = after(2, ("oak elm", (0, 1)), ("elm oak", (0, 1)))
    assert quarantine.suspended == {"oak": 1, "elm": 1}
    assert quarantine.away(2, ("oak", "elm")) == (0, 1)


def test_one_fault_can_be_enough() -> None:
    """With ``max_faults: 1`` the first fault suspends."""
    assert after(1, ("oak elm", (1,))).suspended == {"elm": 0}


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
