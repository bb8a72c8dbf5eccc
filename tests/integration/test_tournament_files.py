"""The tournament files that come with the arena, each run in a small form, and what they show."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from arena_command import ROOT, output

FILES = sorted((ROOT / "tournaments").glob("*.yaml"))


def smaller(file: Path, folder: Path, rounds: int) -> Path:
    """Copy a tournament file with fewer rounds."""
    text = file.read_text().replace("../bots", f"{ROOT}/bots")
    copy = folder / file.name
    copy.write_text(re.sub(r"rounds: \d+", f"rounds: {rounds}", text))
    return copy


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_every_file_runs(file: Path, tmp_path: Path) -> None:
    """A tournament file runs to its end without a fault, and nobody is told too much."""
    if file.stem == "strength":
        pytest.skip("the slow test below plays it")
    home = tmp_path / "home"
    output(home, "run", smaller(file, tmp_path, 1))
    rows = json.loads(output(home, "leaderboard", "--json"))["rows"]
    assert [row["faults"] for row in rows] == [{}] * len(rows)
    assert output(home, "verify", "--leaks").endswith("all right\n")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_strength(tmp_path: Path) -> None:
    """In every game for two, mcts beats greedy beats random: the 95 % interval is above a half."""
    home = tmp_path / "home"
    file = smaller(ROOT / "tournaments/strength.yaml", tmp_path, 20)
    quick = file.read_text().replace(
        'bots: [{name: mcts, bot: mcts, args: [--simulations, "400"]}, greedy, random]',
        "bots: [greedy, random]",
    )
    # The Tree is often blocked, which is a draw: it takes more deals
    file.write_text(quick.replace("rounds: 20", "rounds: 60"))
    output(home, "run", file)
    for game in ("leaves", "treeblox", "the_tree", "build_your_arboretum"):
        assert interval(home, game, "greedy", "random") > 0.5, game
    file = smaller(ROOT / "tournaments/strength.yaml", tmp_path, 12)
    file.write_text(file.read_text().replace(", greedy, random]", ", greedy]"))
    output(home, "run", file, "--new")
    for game in ("leaves", "treeblox", "the_tree", "build_your_arboretum"):
        assert interval(home, game, "mcts", "greedy") > 0.5, game


def interval(home: Path, game: str, bot: str, opponent: str) -> float:
    """Return the lower end of the 95 % interval of a bot's points a match."""
    table = json.loads(output(home, "leaderboard", "--crosstable", "--game", game, "--json"))
    row = next(
        row
        for row in table["rows"]
        if (row["bot"], row["opponent"], row["seat"]) == (bot, opponent, None)
    )
    games = row["games"]
    mean = (row["wins"] + row["draws"] / 2) / games
    variance = (row["wins"] + row["draws"] / 4) / games - mean * mean
    return float(mean - 1.96 * math.sqrt(max(variance, 0.25 / games) / games))
