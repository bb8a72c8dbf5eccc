"""The bot ``human`` draws the board for the person: whose it is, and what was done last."""

from __future__ import annotations

import io

import pytest

from arena.play.human import Person


def screen_of(
    lines: list[str], typed: bytes = b"resign\n", *, color: bool = False, width: int = 80
) -> str:
    """Return what a person sees who hears these lines of the referee."""
    screen = io.StringIO()
    person = Person(io.BytesIO(typed), screen, color=color, width=width)
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


@pytest.mark.parametrize("width", [20, 80, 100])
@pytest.mark.parametrize("length", [3, 23])
def test_legal_actions_fit_the_terminal(width: int, length: int) -> None:
    """As many stand in a row as there is room for, in columns; none is broken."""
    actions = [f"{number:x}".ljust(length - number % 3, "y") for number in range(16, 56)]
    turn = ["obs #/# 0 2,2 2 *", f"legal {' '.join(actions)}", "go 1"]
    shown = screen_of([*LEAVES, *turn], b"legal\nresign\n", width=width)
    rows = shown.split("legal actions:\n")[1].split("\n> ")[0].splitlines()
    assert " ".join(rows).split() == actions
    beside = {len(row.split()) for row in rows[:-1]}
    assert beside == {max(1, width // (length + 2))}
    assert all(len(row) <= max(width, length + 2) for row in rows)
    assert len({row.index(row.split()[-1]) for row in rows[:-1]}) == 1


def test_what_is_wrong_is_broken_between_words() -> None:
    """An answer to nonsense is as wide as the terminal, and no word of it is cut."""
    turn = ["obs #/# 0 2,2 2 *", "legal N1-1", "go 1"]
    shown = screen_of([*LEAVES, *turn], b"nonsense\nresign\n", width=30)
    said = shown[shown.index('"nonsense"') :].split("\n>")[0]
    assert all(len(line) <= 30 for line in said.splitlines())
    assert "is not legal" in " ".join(said.split())
    assert "Type legal for what is" in " ".join(said.split())


def test_the_end_in_words() -> None:
    """How it ended for this person is said, and not in words of the protocol."""
    end = screen_of([*LEAVES, "end m rank=2/2 score=4,7 by=rules"])
    assert "your rank is 2 of 2, the score is 4 - 7, by rules." in end
    end = screen_of([*LEAVES, "end m rank=1/2 by=crash"])
    assert "your rank is 1 of 2, by crash." in end
