"""Which games of OpenSpiel can be played: ``python docs/generate/openspiel_games.py``.

It runs ``arena conformance`` on each game that has at most 6 players and is played in turn or at
once, 60 seconds each, and writes ``docs/reference/openspiel.csv``; that takes an hour. It needs the
extra ``openspiel``.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pyspiel

TABLE = Path(__file__).parents[1] / "reference" / "openspiel.csv"
SECONDS = 60
MOST_PLAYERS = 6
KEPT = "keeps its promises"
SLOW = "too slow"


def games() -> list[str]:
    """Return the games of at most 6 players that are played in turn or at once."""
    kinds = [kind for kind in pyspiel.registered_games() if kind.default_loadable]
    field = pyspiel.GameType.Dynamics.MEAN_FIELD
    names = [kind.short_name for kind in kinds if kind.dynamics != field]
    return sorted(name for name in names if kind_players(name) <= MOST_PLAYERS)


def kind_players(name: str) -> int:
    """Return the number of players of a game with its defaults; 0 if it cannot be loaded."""
    try:
        return int(pyspiel.load_game(name).num_players())
    except (pyspiel.SpielError, RuntimeError):
        return 0


def verdict(name: str) -> str:
    """Return whether a game keeps its promises, or why not, as a sentence."""
    game = f"openspiel(game={name})"
    words = [sys.executable, "-m", "arena", "conformance", game, "--seconds", str(SECONDS)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=2 * SECONDS)
    except subprocess.TimeoutExpired:
        return SLOW
    if done.returncode == 0:
        return KEPT
    if done.returncode < 0:
        return f"ends the process by signal {-done.returncode}"
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
    said = [line for line in lines if line and not line.startswith("OpenSpiel exception")]
    return said[0].removeprefix("arena: ").replace(f"{game}: ", "").replace(f"{game} ", "")


def main() -> None:
    rows = [("game", "verdict")]
    for name in games():
        rows.append((name, verdict(name)))
        print(*rows[-1], sep=": ", flush=True)
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
