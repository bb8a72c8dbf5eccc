"""The tournament files that come with the arena, each run in a small form, and what they show."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, output

# strength.yaml takes most of an hour; the tests at the end play it in parts
FILES = [f for f in sorted((ROOT / "tournaments").glob("*.yaml")) if f.stem != "strength"]


def smaller(file: Path, folder: Path, rounds: int) -> Path:
    """Copy a tournament file with fewer rounds."""
    text = file.read_text().replace("../bots", f"{ROOT}/bots")
    copy = folder / file.name
    copy.write_text(re.sub(r"rounds: \d+", f"rounds: {rounds}", text))
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_every_file_runs(file: Path, tmp_path: Path) -> None:
    """A tournament file runs to its end without a fault, and nobody is told too much."""
    home = tmp_path / "home"
    output(home, "run", smaller(file, tmp_path, 1))
    rows = json.loads(output(home, "leaderboard", "--json"))["rows"]
    assert [row["faults"] for row in rows] == [{}] * len(rows)
    assert output(home, "verify", "--leaks").endswith("all right\n")


TINY_ARBORIUS = "arborius(deck=tiny,max_turns=40,cap=tiles)"
GAMES = ("leaves", "treeblox", "the_tree", TINY_ARBORIUS, "build_your_arboretum")


def between(folder: Path, bots: str, rounds: int, name: str = "strength") -> Path:
    """Run a tournament, by default that of strength, for fewer bots; return its home."""
    file = smaller(ROOT / f"tournaments/{name}.yaml", folder, rounds)
    text, found = re.subn(r"(?m)^bots: .*$", f"bots: {bots}", file.read_text())
    assert found == 1
    file.write_text(text)
    done = arena(folder / "home", "run", file)
    assert done.returncode == 0, done.stderr
    return folder / "home"


def lead(folder: Path, game: str, better: str, worse: str, rounds: int) -> float:
    """Play a game; return the lower end of the 95 % interval of the better bot's points a match.

    Nothing here depends on time: there is more of it than anybody can use.
    """
    file = folder / "t.yaml"
    file.write_text(
        f"name: t\ngame: {game}\nrounds: {rounds}\nseed: 2026\nworkers: 2\n"
        f"bots: [{better}, {worse}]\nopening: {{plies: 2}}\nclock: {{move: 60s}}\n"
    )
    output(folder / "home", "run", file)
    return interval(folder / "home", game, "better", worse)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", GAMES)
def test_greedy_beats_random(game: str, tmp_path: Path) -> None:
    """In every game for two greedy beats random: the 95 % interval is above a half."""
    # The Tree is often blocked, which is a draw: it takes more deals
    rounds = 60 if game == "the_tree" else 12
    assert lead(tmp_path, game, "{name: better, bot: greedy}", "random", rounds) > 0.5


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_greedy_beats_random_with_every_ability(tmp_path: Path) -> None:
    """In Arborius greedy beats random with the starter deck as well: the interval is above 0.6."""
    home = between(tmp_path, "[greedy, random]", 10, "arborius")
    assert interval(home, "arborius(max_turns=40,cap=tiles)", "greedy", "random") > 0.6


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_mcts_beats_greedy(tmp_path: Path) -> None:
    """In a game for two mcts beats greedy: the 95 % interval is above a half."""
    mcts = '{name: better, bot: mcts, args: [--simulations, "400"]}'
    assert lead(tmp_path, "treeblox", mcts, "greedy", 8) > 0.5


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
