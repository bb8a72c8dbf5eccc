"""A round's points, worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.schedule.plan import Meeting, Plan, Planned, Points, Ranks, score
from arena.values.model import BotEntry, Tournament

PLAN = Plan(2, (4, 5), (Meeting(("oak", "elm")), Meeting(("fir", "yew")), Meeting(("ash",))))
OF = Tournament("t", ("leaves",), (BotEntry("oak", ref="oak"),), seed=1)
ONE, NONE = Fraction(1), Fraction(0)
WON: Ranks = (("oak", "elm"), (1, 2))
LOST: Ranks = (("oak", "elm"), (2, 1))
DRAWN: Ranks = (("oak", "elm"), (1, 1))


def brought(results: dict[int, Ranks], since: dict[str, int | None] | None = None) -> Points:
    return score(PLAN, list(Planned(OF, [PLAN]).of_round(0)), results, since or {})


def test_blocks_come_one_after_the_other() -> None:
    """All pairings play the first block, both ways round, before anybody plays the second."""
    found = list(Planned(OF, [PLAN]).of_round(0))
    assert [(m.number, m.k, sorted(m.seats)) for m in found[::2]] == [
        (0, 4, ["elm", "oak"]),
        (2, 4, ["fir", "yew"]),
        (4, 5, ["elm", "oak"]),
        (6, 5, ["fir", "yew"]),
    ]
    assert [m.seats for m in found[:2]] == [("elm", "oak"), ("oak", "elm")]


def test_a_meeting_is_worth_a_point() -> None:
    """Two wins, a draw and a loss are 5/8 of it; a bye is all of it; nothing decided is nothing."""
    points = brought({0: WON, 1: WON, 4: DRAWN, 5: LOST})
    assert points == ((Fraction(5, 8), Fraction(3, 8)), (NONE, NONE), (ONE,))


def test_an_undecided_match_is_left_out_of_the_mean() -> None:
    """Of three decided matches, won, won and lost, the point is shared two to one."""
    assert brought({0: WON, 1: WON, 5: LOST})[0] == (Fraction(2, 3), Fraction(1, 3))


@pytest.mark.parametrize(
    ("since", "points"),
    [
        ({"elm": None}, (ONE, NONE)),  # taken out with a match to play
        ({"elm": 4}, (ONE, NONE)),  # suspended by a match before their last, which is number 5
        ({"elm": 5}, (Fraction(1, 3), Fraction(2, 3))),  # by their last one: it was played
        ({"elm": 4, "oak": None}, (NONE, NONE)),
    ],
)
def test_who_leaves_before_the_end_gives_a_walkover(
    since: dict[str, int | None], points: tuple[Fraction, ...]
) -> None:
    """What was played before does not help; with nobody left, nobody has the point."""
    assert brought({0: LOST, 1: LOST, 4: WON}, since)[0] == points
