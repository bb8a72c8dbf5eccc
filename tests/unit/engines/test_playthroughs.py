"""Golden games: what engines say over a whole random game, and the tool that writes it down."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.own_games import own_games

import engines
from engines.core.playthrough import main, playthrough, replay

GOLDEN = sorted((Path(__file__).parents[2] / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_game_is_as_it_was(path: Path) -> None:
    """An engine says today what it said when this game was written down and read."""
    golden = path.read_text(encoding="utf-8")
    assert replay(golden) == golden


def test_every_own_game_has_a_golden_game() -> None:
    """No game of ours goes without a playthrough named after it."""
    named = {engines.load_game(path.read_text().splitlines()[1][6:]).name for path in GOLDEN}
    assert [name for name in own_games() if name not in named] == []


@pytest.mark.usefixtures("small_games")
def test_playthrough_tells_hidden_things_only_where_they_differ() -> None:
    """The text of a game with hidden hands is this one, by its rules and the seed's choices."""
    text = playthrough("draws", seed=3, setup="2,4,1,5,3", plies=1)
    head, start, after = text.split("\n\n")
    assert head.splitlines() == [
        "# python -m engines.core.playthrough draws --seed 3 --setup 2,4,1,5,3 --plies 1",
        "game: draws",
        "title: Draws",
        "parameters: players=2",
        "players: 2",
        "rules version: 1",
        "setup: 2,4,1,5,3",
    ]
    board = ["  | 2,4", "  | 1,5,3", "  | 0"]
    assert start.splitlines() == [
        "--- node 0 ---",
        "event to 0: hand 2",
        "event to 1: hand 4",
        "observation: 2,4 1,5,3 0",
        "observation of 0: 2,? ?,?,? 0",
        "observation of 1: ?,4 ?,?,? 0",
        *board,
        "legal for 0: 2: keep swap",
    ]
    played, seen, *_, last = after.splitlines()
    assert played in (f"--- node 1: player 0 played {action} ---" for action in ("keep", "swap"))
    assert (seen, last) == ("seen by 1 as ?", "stopped at node 1")


def test_replay_refuses_other_text() -> None:
    """A text whose first line is no command of ours is refused with what was expected."""
    with pytest.raises(ValueError, match="expected a first line"):
        replay("game: leaves\n")


@pytest.mark.usefixtures("small_games")
def test_command_prints_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints the playthrough and nothing else, and names what it cannot find."""
    assert main(["auction", "--seed", "5"]) == 0
    assert capsys.readouterr().out == playthrough("auction", seed=5)
    assert main(["auctoin"]) == 2
    assert 'did you mean "auction"' in capsys.readouterr().err
