"""``arena conformance`` as typed: a good game, one that is not there, one that is broken."""

from __future__ import annotations

import textwrap
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


def test_how_much_is_tried_can_be_said(small_games: Path, tmp_path: Path) -> None:
    """One game of few, a bound that a good game breaks, and numbers that are none."""
    assert (
        process(tmp_path, "conformance", "pebbles", "--games", "1", "--seconds", "9").returncode
        == 0
    )
    done = process(tmp_path, "conformance", "pebbles", "--max-length", "2")
    assert done.returncode == 1
    assert "2 or fewer" in done.stdout
    for option in ("--games", "--seconds", "--max-length"):
        assert process(tmp_path, "conformance", "pebbles", option, "0").returncode == 2


def test_an_entry_point_by_another_name(small_games: Path, tmp_path: Path) -> None:
    """A game is found by its own name only: the sentence says both."""
    (points,) = small_games.glob("*.dist-info/entry_points.txt")
    points.write_text("[engines.games]\nheap = small_games:Pebbles\n", encoding="utf-8")
    done = process(tmp_path, "conformance", "heap")
    assert done.returncode == 2
    assert '"heap"' in done.stderr
    assert 'named "pebbles"' in done.stderr
