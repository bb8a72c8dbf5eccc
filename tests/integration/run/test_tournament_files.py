"""The tournament files that come with the arena, each run in a small form, and what they show."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from support.arena_command import ROOT, as_json, output, tournament
from support.slowly import nightly, slowly

import engines

# strength.yaml takes most of an hour; the test at the end plays a part of it
FILES = [f for f in sorted((ROOT / "tournaments").glob("*.yaml")) if f.stem != "strength"]


LONG = {"arborius", "arboretum", "the-tree-4p"}  # even of one round


def _files() -> list[object]:
    """Return all of them, the long ones for the nightly campaigns."""
    return [
        pytest.param(
            file, id=file.stem, marks=pytest.mark.nightly if file.stem in LONG else pytest.mark.slow
        )
        for file in FILES
    ]


def smaller(file: Path, folder: Path, rounds: int) -> Path:
    """Copy a tournament file with fewer rounds."""
    text = file.read_text().replace("../bots", f"{ROOT}/bots")
    copy = folder / file.name
    copy.write_text(re.sub(r"rounds: \d+", f"rounds: {rounds}", text))
    return copy


@pytest.mark.parametrize("file", _files())
def test_every_file_runs(file: Path, tmp_path: Path) -> None:
    """A tournament file runs to its end without a fault, and nobody is told too much."""
    home = tmp_path / "home"
    output(home, "run", smaller(file, tmp_path, 1))
    rows = as_json(home, "leaderboard")["rows"]
    assert [row["faults"] for row in rows] == [{}] * len(rows)
    assert output(home, "verify", "--leaks").endswith("all right\n")


TINY_ARBORIUS = "arborius(deck=tiny,max_turns=40)"


def lead(folder: Path, game: str, better: str, worse: str, rounds: int) -> float:
    """Play a game; return the lower end of the 95 % interval of the better bot's points a match.

    Nothing here depends on time: there is more of it than anybody can use.
    """
    open_game = engines.load_game(game).type.information == "perfect"
    processes = "reuse" if open_game else "fresh"  # who knows an earlier deal knows too much
    keys = {"game": game, "rounds": rounds, "seed": 2026, "workers": 2, "processes": processes}
    keys |= {"opening": "{plies: 2}", "clock": "{move: 60s}"}
    file = tournament(folder, f"[{better}, {worse}]", **keys)
    output(folder / "home", "run", file)
    table = as_json(folder / "home", "leaderboard", "--crosstable")
    row = next(row for row in table["rows"] if row["bot"] == "better" and row["seat"] is None)
    games = row["games"]
    mean = (row["wins"] + row["draws"] / 2) / games
    variance = (row["wins"] + row["draws"] / 4) / games - mean * mean
    return float(mean - 1.96 * math.sqrt(max(variance, 0.25 / games) / games))


# The Tree is often blocked, which is a draw: it takes more deals
@pytest.mark.parametrize(
    ("game", "rounds"),
    [
        *slowly([("leaves", 12), ("treeblox", 12)]),
        # with a deal that is hidden a bot is started for each match
        *nightly([(TINY_ARBORIUS, 30), ("build_your_arboretum", 12), ("the_tree", 60)]),
    ],
)
def test_greedy_beats_random(game: str, rounds: int, tmp_path: Path) -> None:
    """In every game for two: the interval is above a half."""
    assert lead(tmp_path, game, "{name: better, bot: greedy}", "random", rounds) > 0.5


@pytest.mark.nightly
@pytest.mark.timeout(300)
def test_mcts_beats_greedy(tmp_path: Path) -> None:
    """With this many simulations, in a game in which that takes a minute."""
    mcts = '{name: better, bot: mcts, args: [--simulations, "400"]}'
    assert lead(tmp_path, "treeblox", mcts, "greedy", 8) > 0.5
