"""Counts of action sequences, from the rules pages: every row of every ``tests/perft/*.perft``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.own_games import own_games
from support.perft_rows import FOLDER, Row, read_rows

import engines

SLOW_FROM, NIGHTLY_FROM = 30_000, 300_000


def all_rows() -> Iterator[object]:
    for path in sorted(FOLDER.glob("*.perft")):
        for number, row in enumerate(read_rows(path.read_text(encoding="utf-8")), start=1):
            marks = [pytest.mark.slow] if row.sequences > SLOW_FROM else []
            if row.sequences > NIGHTLY_FROM:
                marks = [pytest.mark.nightly]
            yield pytest.param(row, marks=marks, id=f"{path.stem}-{number}-{row.game}-{row.depth}")


@pytest.mark.parametrize("row", list(all_rows()))
def test_number_of_action_sequences(row: Row) -> None:
    """There are exactly as many sequences of this length as the rules page says."""
    state = engines.load_game(row.game).new_initial_state(row.setup)
    assert engines.perft(state, row.depth) == row.sequences


def test_every_own_game_has_counts() -> None:
    """No game of ours goes without perft counts."""
    own = set(own_games())
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.perft")]
    assert own - {row.game.partition("(")[0] for text in texts for row in read_rows(text)} == set()


def test_perft_of_a_negative_depth_is_refused() -> None:
    """A depth below 0 is a mistake; at depth 0 there is one sequence."""
    state = engines.load_game("leaves").new_initial_state()
    assert engines.perft(state, 0) == 1
    with pytest.raises(ValueError, match="a depth is 0 or more, not -1"):
        engines.perft(state, -1)
