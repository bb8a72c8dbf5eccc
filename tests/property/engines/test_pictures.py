"""What holds of every picture of our own games, wherever a game may get to."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from functools import lru_cache

import pytest
from support.board_lines import DRAWN, SVG
from support.own_games import own_games
from support.slowly import slowly

from engines import State, load_game
from engines.core.conformance.bad_texts import bad_texts
from engines.core.drawing import LARGEST, NARROWEST

HOSTILE = (
    "</text><script>alert(1)</script>",
    '"&amp;\u202e\x00\x1b[2J',
    "W" * 100_000,
    "\u0301" * 9,
)
Action = tuple[int, str]


def drawn_games() -> list[str]:
    """Return the games that draw names and the last action."""
    games = [load_game(name) for name in own_games()]
    return [
        str(game)
        for game in games
        if type(game.new_initial_state(game.setup(0))).draw is not State.draw
    ]


GAMES = [*drawn_games(), "the_tree(players=4)", "leaves(push=any)", "leaves(turns=free)"]
CHAINED = ("arborius(deck=chains)", "arborius(deck=nest)", "leaves(push=any,turns=free)")
PLACING = ("leaves", "the_tree", "treeblox")  # games in which each action but a pass leaves a tile


@lru_cache
def walk(name: str, seed: int) -> tuple[tuple[State, Action | None], ...]:
    """Play a random game: positions, each with the action that led there."""
    game = load_game(name)
    rng = random.Random(seed)
    state = game.new_initial_state(game.setup(seed))
    reached: list[tuple[State, Action | None]] = [(state, None)]
    while players := state.players_to_act():
        player = rng.choice(players)
        action = state.sample_action(player, rng)
        state = state.apply_action(player, action)
        reached.append((state, (player, action)))
    return tuple(reached[:: max(1, len(reached) // 12)]) + tuple(reached[-1:])


def views(name: str, seed: int) -> list[str]:
    """Return pictures along a random game, as everybody sees it and as player 0 does."""
    found = []
    for state, last in walk(name, seed):
        seen = last and (last[0], state.action_seen(0, *last))
        found.append(state.draw(names=HOSTILE, last=last))
        found.append(state.draw(0, names=HOSTILE, last=seen))
    return found


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [0, *slowly(range(1, 3))])
def test_pictures_are_small_and_harmless(name: str, seed: int) -> None:
    """Each is well-formed, has at most 1,000 by 1,000 pixels, and shows hostile names as text."""
    for picture in views(name, seed):
        root = ET.fromstring(picture)
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        assert NARROWEST <= width <= LARGEST
        assert 0 < height <= LARGEST
        assert {element.tag for element in root.iter()} <= DRAWN
        texts = [e.text or "" for e in root.iter(f"{SVG}text")]
        assert any(text.startswith("</text><script>") for text in texts)
        assert all(text.isprintable() for text in texts)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [0, *slowly(range(1, 3))])
def test_the_last_action_is_marked_once(name: str, seed: int) -> None:
    """There is one mark where an action left something on the board, and none at the start."""
    marked = []
    for state, last in walk(name, seed):
        root = ET.fromstring(state.draw(last=last))
        marks = [e for e in root.iter() if "last" in e.get("class", "").split()]
        assert len(marks) <= (last is not None)
        if last is not None and name.partition("(")[0] in PLACING:
            assert len(marks) == (last[1] != "pass")
        marked.append(bool(marks))
        assert not state.draw().count('class="last"')
    assert any(marked)


@pytest.mark.parametrize("name", [*GAMES, *CHAINED])
@pytest.mark.parametrize("seed", [1, *slowly([0])])
def test_every_action_is_built_by_clicks(name: str, seed: int) -> None:
    """What is marked for each step has a label, and clicks on all of them leave one action."""
    for state, _ in walk(name, seed):
        assert state.draw(choices=()) == state.draw()
        for player in state.players_to_act():
            legal = state.legal_actions(player)
            actions = random.Random(seed).sample(legal, min(500, len(legal)))
            clicks: defaultdict[int, dict[int, set[int]]] = defaultdict(dict)
            for element in ET.fromstring(state.to_svg(player, actions)).iter():
                for step, numbers in re.findall(r"(\d+):(\S+)", element.get("data-choices", "")):
                    assert element.get("aria-label")
                    left = set(map(int, numbers.split(",")))
                    for action in left:
                        assert clicks[action].setdefault(int(step), left) == left
            assert sorted(clicks) == [*range(len(actions))]
            for action, steps in clicks.items():
                assert sorted(steps) == [*range(1, len(steps) + 1)]
                assert set.intersection(*steps.values()) == {action}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_last_action_is_too_odd_to_draw(name: str) -> None:
    """One that cannot be read, or was of another position or player, marks one thing or nothing."""
    positions = walk(name, 2)
    acted = [last[1] for _, last in positions if last is not None]
    texts = [*bad_texts(acted[:1]), *acted, "B0.0.0", "E1", "E1-1", "E1:1-2:1", "12@0:1"]
    for state, _ in positions[-2:]:
        for text in texts:
            for player in (0, 9):
                assert state.draw(last=(player, text)).count('class="last"') <= 1
                assert state.draw_text(last=(player, text))


@pytest.mark.parametrize("name", GAMES)
def test_colour_adds_nothing_to_a_text_board(name: str) -> None:
    """Colour is all that is added where there is some, and hostile names are short."""
    for state, last in walk(name, 1):
        plain = state.draw_text(names=HOSTILE, last=last)
        coloured = state.draw_text(names=HOSTILE, last=last, color=True)
        assert re.sub(r"\x1b\[[0-9;]+m", "", coloured) == plain
        assert plain.replace("\n", "").isprintable()
        assert "W" * 25 not in plain
        if last is not None:
            assert coloured != plain
