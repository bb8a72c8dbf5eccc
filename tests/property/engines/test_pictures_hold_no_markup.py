"""No setup, however it is spelt, puts markup of its own into a picture."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from functools import lru_cache

from hypothesis import given
from hypothesis import strategies as st
from support.board_lines import DRAWN
from support.engine_play import at_random
from support.own_games import own_games
from support.told import told

from engines import EngineError, State, load_game

MARKS = (
    "",  # the setup as it is
    "<script>alert(1)</script>",
    '"onload="alert(1)',
    "'/><image href='http://x'/>",
    "&lt;",
    "&#60;",
    "]]>",
    "-->",
    "<",
    ">",
    "&",
    '"',
    "javascript:alert(1)",
    "url(http://x)",
)


@lru_cache
def setups(name: str) -> tuple[str, ...]:
    """Return setups of a game: a deal, its beginning and a position in the middle."""
    game = load_game(name)
    start = game.new_initial_state(game.setup(7))
    *_, middle = at_random(start, random.Random(7), 12)
    texts = game.setup(7), start.observation(None), middle.observation(None)
    return tuple(dict.fromkeys(texts))


def check(state: State) -> None:
    """Check that a picture draws, and does nothing else."""
    for viewer in (None, 0):
        for element in ET.fromstring(state.to_svg(viewer)).iter():
            assert element.tag in DRAWN
            assert not any(key.lower().startswith("on") for key in element.attrib)
            for value in element.attrib.values():
                assert "javascript" not in value
                assert "//" not in value


@given(
    st.sampled_from(own_games()),
    st.integers(0, 2),
    st.floats(0, 1),
    st.integers(0, 3),
    st.sampled_from(MARKS),
)
def test_a_setup_with_markup_is_refused_or_drawn_as_text(
    name: str, number: int, where: float, gone: int, mark: str
) -> None:
    """A mark put anywhere into a setup is no part of the game, or stays a text."""
    texts = setups(name)
    text = texts[number % len(texts)]
    at = int(where * len(text))
    said = ""
    try:
        check(load_game(name).new_initial_state(text[:at] + mark + text[at + gone :]))
    except EngineError as error:
        said = str(error)
    assert said.isprintable()
    assert not said or mark or gone


@given(st.sampled_from(own_games()), st.sampled_from(MARKS[1:]))
def test_a_game_with_markup_is_refused(name: str, mark: str) -> None:
    """A mark in a parameter is told, and not drawn."""
    for text in (f"{name}({mark}=1)", f"{name}(tree={mark})", mark, f"{name}{mark}"):
        assert told(EngineError, load_game, text).isprintable()
