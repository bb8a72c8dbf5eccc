"""``arena conformance`` as typed: a good game, one that is not there, one that is broken."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from support.arena_command import process

# what is not seen in one process: lines that break one of the small games in every process
ELSEWHERE = {
    "a list in the order of a set": (
        "pebbles",
        """
        def legal(self, player, right=PebblesState.legal_actions):
            return tuple({*right(self, player)})
        PebblesState.legal_actions = legal
        """,
    ),
    "a deal by the hash of a text": (
        "draws",
        """
        def setup(self, seed, right=Draws.setup):
            return right(self, hash(f"deal {seed}") % 2**32)
        Draws.setup = setup
        """,
    ),
    "a deal by the clock": (
        "draws",
        """
        import time
        def setup(self, seed, right=Draws.setup):
            return right(self, seed + int(time.time()) // 100_000)
        Draws.setup = setup
        """,
    ),
}


@pytest.mark.slow  # some processes each
@pytest.mark.parametrize("kind", ELSEWHERE)
def test_what_differs_in_another_process_is_found(
    small_games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The order of a set, a hash and the time are others when the arena is started again."""
    monkeypatch.setenv("PYTHONHASHSEED", "1")  # so that a set of three has always the same order
    game, broken = ELSEWHERE[kind]
    with (small_games / "small_games.py").open("a", encoding="utf-8") as module:
        module.write(textwrap.dedent(broken))
    done = process(tmp_path, "conformance", game)
    assert done.returncode == 1
    assert "differs in a second process" in done.stdout
