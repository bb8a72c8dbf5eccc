"""Arborius for people: the text board of section 8 and the picture."""

from __future__ import annotations

import re

import pytest
from support.arborius_setups import EXAMPLES
from support.board_lines import marks
from support.engine_play import play

import engines
from engines import State


def start(line: str) -> State:
    return engines.load_game("arborius").new_initial_state(line)


# Pictures.


@pytest.mark.parametrize(
    ("line", "actions", "marked"),
    [
        ("A", ["unplay:w0"], {"w0"}),
        ("C", ["attack:w0:b0"], {"w0", "b0"}),
        ("C", ["attack:w0:b0", "give:b0:0,0"], {"b0"}),
        ("C", ["use:w2:w2"], {"w2"}),
        ("C", ["use:w2:w2", "reorder:w2:1:1"], {"w2"}),
        ("B", ["use:w0:w0", "unplay:w0", "descend:w1:1"], {"w1"}),
        ("C", ["attack:w0:b0", "give:b0:0,0", "pass"], set()),  # names nothing: the player
    ],
)
def test_the_last_action_is_marked(line: str, actions: list[str], marked: set[str]) -> None:
    """The tiles that an action was about are framed, those not in play in the list."""
    before = play(start(EXAMPLES[line]), *actions[:-1])
    (player,) = before.players_to_act()
    after = play(before, actions[-1])
    ((*found,),) = marks(after.draw(names=("oak", "elm"), last=(player, actions[-1])))
    assert {text for text in found if re.fullmatch(r"[wb]\d+", text)} == marked
    assert marked or f"{'wb'[player]}: {('oak', 'elm')[player]}" in found


@pytest.mark.parametrize("last", [None, (0, "?"), (1, "move:w99:1"), (2, "end"), (0, "use:w0")])
def test_what_cannot_be_read_marks_nothing(last: tuple[int, str] | None) -> None:
    """The picture and the text are then those without a last action."""
    state = start(EXAMPLES["C"])
    assert state.draw(last=last) == state.to_svg()
    assert state.draw_text(last=last) == str(state)
