"""``arena games``: what it shows of a game besides its rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_command import output

# the facts of the rules pages: words that are shown, and the length in JSON
FACTS = [
    ("leaves(turns=single)", ("sequential", "deterministic", "perfect"), 20),
    ("the_tree(players=3)", ("sequential", "sampled", "imperfect"), 33),
    ("arborius", ("sequential", "deterministic", "perfect"), None),
    ("build_your_arboretum", ("simultaneous", "sampled", "imperfect"), 122),
]


@pytest.mark.parametrize(("game", "words", "most"), FACTS)
def test_type_of_a_game_is_shown(
    tmp_path: Path, game: str, words: tuple[str, ...], most: int | None
) -> None:
    """The facts are in the text and in the JSON of a game, for the parameters given."""
    (line,) = [
        line for line in output(tmp_path, "games", game).splitlines() if line.startswith("Type of ")
    ]
    shown = line.removeprefix(f"Type of {game}: ").replace(",", "").split()
    assert {*words} <= {*shown}
    assert (str(most) in shown) == (most is not None)
    facts = json.loads(output(tmp_path, "games", game, "--json"))["type"]
    names = ("dynamics", "chance", "information", "max_game_length")
    assert facts == dict(zip(names, (*words, most), strict=True))
