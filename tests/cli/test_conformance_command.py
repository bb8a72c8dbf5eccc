"""``arena conformance`` as typed: a good game, one that is not there, one that is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import arena, process


def test_a_good_game(tmp_path: Path) -> None:
    """It says that the game is checked, and of which parameters."""
    done = arena(tmp_path, "conformance", "the_tree(players=3,hand=2)")
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "the_tree(players=3,hand=2) keeps its promises\n",
        "",
    )


def test_a_game_that_is_not_there(tmp_path: Path) -> None:
    """That is the user's mistake, with a near miss."""
    done = arena(tmp_path, "conformance", "leavs")
    assert (done.returncode, done.stdout) == (2, "")
    assert 'did you mean "leaves"' in done.stderr


@pytest.mark.parametrize(
    ("broken", "expected", "raised"),
    [
        ("PebblesState.count_legal = lambda self, player: 3", "0", "3"),
        ("PebblesState.is_terminal = lambda self: self.heap", "no error here", "AttributeError"),
    ],
)
def test_a_broken_plug_in(
    small_games: Path, tmp_path: Path, broken: str, expected: str, raised: str
) -> None:
    """The answer is no, with the position, what was expected and found, and no traceback."""
    with (small_games / "small_games.py").open("a", encoding="utf-8") as module:
        module.write(f"\n{broken}\n")
    done = process(tmp_path, "conformance", "pebbles")
    assert (done.returncode, done.stderr) == (1, "")
    assert "Traceback" not in done.stdout
    report = dict(line.strip().split(":", 1) for line in done.stdout.splitlines()[1:])
    assert len(report["position"].split()) == len(["STONES", "TAKEN", "PLAYER"])
    assert report["expected"].strip() == expected
    assert report["found"].strip().startswith(raised)
