"""What engines refuse, and with which words: the rows of ``refusals.yaml``."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from engines import BadParameter, BadSetup, EngineError, IllegalAction, load_game

BLOCKS = yaml.load(Path(__file__).with_name("refusals.yaml").read_bytes(), yaml.CSafeLoader)
ERRORS = {"games": BadParameter, "actions": IllegalAction}


def rows() -> Iterator[object]:
    """Yield the rows with their kind, game and position."""
    for block in BLOCKS:
        for kind in [key for key in block if key not in ("game", "at")]:
            for number, row in enumerate(block[kind]):
                game = block.get("game", row[0])
                name = f"{game}-{kind}-{number}-{str(row[-1])[:30]}"
                yield pytest.param(kind, game, block.get("at", ""), row, id=name)


def given(text: str) -> str:
    return re.sub(r"\{([^{}*]+)\*(\d+)\}", lambda found: found[1] * int(found[2]), text)


def refuse(kind: str, game: str, at: str, row: list[Any]) -> None:
    """Give an engine what a row has."""
    rules = load_game(game)
    if kind == "seen":
        rules.sample_state(given(row[0]), row[1], random.Random(1))
    elif kind == "setups":
        rules.new_initial_state(given(row[0]))
    elif kind == "actions":
        state = rules.new_initial_state(at)
        player = row[2] if len(row) > 2 else next(iter(state.players_to_act()), 0)
        state.apply_action(player, given(row[0]))
    elif kind == "decks":
        rules.deck_setups(f"{at}{row[0]}\n", "my.decks")
    elif kind == "fields":
        words = at.split(" ")
        words[row[0] - 1] = row[1]
        rules.new_initial_state(" ".join(words))
    else:
        assert row[0] in at
        rules.new_initial_state(at.replace(row[0], row[1], 1))


@pytest.mark.parametrize(("kind", "game", "at", "row"), list(rows()))
def test_it_is_refused(kind: str, game: str, at: str, row: list[Any]) -> None:
    """The error is of the right kind, and says what was wrong and what was expected."""
    expected: type[EngineError] = ERRORS.get(kind, BadSetup)
    words = row[1] if kind in ("games", "actions", "setups", "decks") else row[2]
    with pytest.raises(expected) as caught:
        refuse(kind, game, at, row)
    pattern = ".*".join(map(re.escape, words.removeprefix("^").split("…")))
    look = re.match if words.startswith("^") else re.search
    assert look(pattern, str(caught.value), re.DOTALL), caught.value
    if at and kind != "decks":
        assert load_game(game).new_initial_state(at).observation(None) == at
