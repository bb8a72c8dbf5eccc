"""Which games of OpenSpiel can be played: ``python docs/generate/openspiel_games.py``.

It runs ``arena conformance`` on each game that has at most 6 players and is played in turn or at
once, 60 seconds each, and writes ``docs/reference/openspiel.md``; that takes an hour. It needs the
extra ``openspiel``.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

import pyspiel

PAGE = Path(__file__).parents[1] / "reference" / "openspiel.md"
SECONDS = 60
MOST_PLAYERS = 6
KEPT = "keeps its promises"
SLOW = "too slow"

HEAD = f"""\
# Games of OpenSpiel

`openspiel(game=hex,board_size=5)` names a game of OpenSpiel {{version}};
[a page](../how-to/use-other-libraries.md) says how to play it. {{count}} games have at most
{MOST_PLAYERS} players and are played in turn or at once. `python docs/generate/openspiel_games.py`
tried each by `arena conformance`, for {SECONDS} seconds at most.
"""


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


def page(verdicts: dict[str, str]) -> str:
    """Return the page: a row a verdict, the games behind it."""
    rows: dict[str, list[str]] = defaultdict(list)
    for name, said in sorted(verdicts.items()):
        rows[said].append(name)
    table = ["| verdict | games |", "|---|---|"]
    order = sorted(rows, key=lambda said: (said != KEPT, -len(rows[said]), said))
    for said in order:
        shown = said.replace("|", "\\|")
        table.append(f"| {shown} ({len(rows[said])}) | {' '.join(rows[said])} |")
    head = HEAD.format(version=version("open_spiel"), count=len(verdicts))
    return "\n".join([head, *table, ""])


def main() -> None:
    found = {}
    for name in games():
        found[name] = verdict(name)
        print(f"{name}: {found[name]}", flush=True)
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
