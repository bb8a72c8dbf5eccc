"""Rounds of a Swiss tournament that are small enough to be paired by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from arena.schedule.plan import Past
from arena.schedule.swiss import FORMAT
from arena.values.model import BotEntry, Tournament

WON, LOST, BYE = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)), (Fraction(1),)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("result", [WON, LOST])
def test_the_lowest_of_those_without_a_bye_has_the_next(
    seed: int, result: tuple[Fraction, Fraction]
) -> None:
    """Of three, the first round's loser has the second round's bye, the winner the third's."""
    names = ("ash", "elm", "oak")
    bots = tuple(BotEntry(name, ref=name) for name in names)
    cup = Tournament("cup", ("leaves",), bots, format="swiss", seed=seed)
    cup = replace(cup, rounds=3)
    first = FORMAT.plan(cup, names, [], ())
    assert first is not None
    pair, (rested,) = (meeting.entrants for meeting in first.meetings)
    winner, loser = pair if result == WON else pair[::-1]
    past = [Past(first, (result, BYE))]
    second = FORMAT.plan(cup, names, past, ())
    assert second is not None
    assert {frozenset(meeting.entrants) for meeting in second.meetings} == {
        frozenset({winner, rested}),
        frozenset({loser}),
    }
    third = FORMAT.plan(cup, names, [*past, Past(second, (result, BYE))], ())
    assert third is not None
    assert {frozenset(meeting.entrants) for meeting in third.meetings} == {
        frozenset({loser, rested}),
        frozenset({winner}),
    }
