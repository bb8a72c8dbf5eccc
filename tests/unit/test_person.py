"""The bot ``human`` draws the board for the person: whose it is, and what was done last."""

from __future__ import annotations

import io

import pytest

from arena.human import Person


def screen_of(lines: list[str], typed: bytes = b"resign\n", *, color: bool = False) -> str:
    """Return what a person sees who hears these lines of the referee."""
    screen = io.StringIO()
    person = Person(io.BytesIO(typed), screen, color=color)
    for line in lines:
        person.hear(line)
    return screen.getvalue()


LEAVES = ["hello arena/1", "game m leaves", "seat 1 2"]


@pytest.mark.parametrize("observed", [True, False])
def test_the_last_turn_is_marked(observed: bool) -> None:
    """Both leaves where the position before is known, else the last one; the person is "you"."""
    before = ["obs #/# 0 2,2 2 *"] if observed else []
    after = ["did 0 E1-1", "obs #./aa/.# 1 0,2 2 *", "legal N1-1", "go 1 legal=part"]
    shown = screen_of([*LEAVES, *before, *after])
    assert ("  2 *a *a\n" in shown) == observed
    assert ("  2 *a  a\n" in shown) != observed
    assert "\na player 0: " in shown
    assert "\nb you (player 1): " in shown


def test_an_action_that_is_not_known_is_no_obstacle() -> None:
    """What cannot be followed is looked up in the next observation."""
    shown = screen_of(
        [*LEAVES, "obs #/# 0 2,2 2 *", "did 0 ?", "obs #./aa/.# 1 0,2 2 *", "go 1 legal=part"]
    )
    assert "  2  a  a\n" in shown


def test_colour_where_there_is_some() -> None:
    """The terminal shows colours only if it is said to."""
    lines = [*LEAVES, "obs #./aa/.# 1 0,2 2 *", "go 1 legal=part"]
    assert "\x1b" not in screen_of(lines)
    assert "\x1b[1;32ma\x1b[0m" in screen_of(lines, color=True)
