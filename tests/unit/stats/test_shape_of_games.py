"""What games look like, from a few matches counted by hand."""

from __future__ import annotations

from arena.stats.shape_of_games import NOBODY, Waypoints, shape_of, spread


def way(
    choices: tuple[int, ...] = (3, 1),
    leaders: tuple[int, ...] = (NOBODY, 0),
    winner: int = 0,
    *,
    margin: float | None = 2.0,
    by: str = "rules",
    first: str = "e4",
    worth: float = 1.0,
) -> Waypoints:
    return Waypoints(choices, leaders, winner, margin, by, first, worth)


def test_length_and_choices() -> None:
    """Two games of two actions and one of four; of eight actions three were forced."""
    found = shape_of([way(), way(), way((5, 4, 1, 2), (0, 0, 0, 0))])
    assert found.lengths == ((2, 2), (4, 1))
    assert found.length == spread([2, 2, 4])
    assert found.forced == 3 / 8
    assert [moment.at for moment in found.moments] == [1, 2, 3, 4]
    assert found.moments[0].choices == 11 / 3
    assert found.moments[1] == (2, 2.0, 2 / 3)


def test_leads_change_and_losers_had_led() -> None:
    """A lead that is shared for a while has not changed; a winner was behind at half, or not."""
    back = way((2,) * 4, (1, 1, NOBODY, 0))  # one change, and 1 led at half
    never = way((2,) * 4, (0, NOBODY, 0, 0))
    drawn = way((2,) * 4, (0, 1, 0, NOBODY), winner=NOBODY)
    found = shape_of([back, never, drawn])
    assert found.lead_changes == (1 + 0 + 2) / 3
    assert found.comebacks == 1 / 2


def test_margins_ends_and_first_actions() -> None:
    """A game that the rules did not end has no margin; the most frequent comes first."""
    matches = [way(worth=1.0), way(worth=0.0), way(margin=6.0, first="d4", worth=0.5)]
    found = shape_of([*matches, way(margin=None, by="maxmoves", first="")])
    assert found.margins == spread([2, 2, 6])
    assert found.ends == (("rules", 3), ("maxmoves", 1))
    assert found.first_actions == (("e4", 2, 0.5), ("d4", 1, 0.5))
