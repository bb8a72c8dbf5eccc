"""What is said of a tournament before it begins."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

import arena


@pytest.mark.parametrize(("rounds", "said"), [(1, False), (2, True)])
def test_a_swiss_tournament_of_many_rounds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, rounds: int, said: bool
) -> None:
    """With as many rounds as a bot has opponents, the format that lets all meet is named, once."""
    caplog.set_level(logging.WARNING)
    file = tmp_path / "swiss.yaml"
    file.write_text(
        f"name: swiss\ngame: leaves\nformat: swiss\nrounds: {rounds}\nsandbox: none\n"
        "bots: [random, {name: b, bot: random}, {name: c, bot: random}]\n"
    )
    for again in (False, True):
        caplog.clear()
        arena.run_tournament(arena.read_tournament(file), tmp_path / "home")
        assert ("round-robin" in caplog.text) == (said and not again)
