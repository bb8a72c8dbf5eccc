"""A tournament, its canonical form, and the file that is written of it say the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.tournament.change import canonical
from arena.tournament.kept import FileEntrant, kept_tournament
from arena.tournament.parse import parse_tournament
from arena.tournament.written import pinned
from arena.values.errors import UsageError
from arena.values.model import Tournament
from engines import load_game

HEAD = "name: t\nseed: 7\nbots: [random, greedy, {name: third, bot: mcts}]\n"
FILES = [
    HEAD + "game: leaves\nrounds: 3\n",
    HEAD.replace("seed: 7\n", "") + "games: [leaves, 'leaves(tree=u)']\nopening: {plies: 2}\n",
    HEAD + "game: leaves\nclock: {main: 1m, inc: 1s}\nponder: true\npin: false\n",
    HEAD + "game: leaves\nclock: {main: 1m, move: 1s, margin: 0s}\nmemory: 64MiB\n",
    HEAD + "game: leaves\nclock: {move: 250ms, first: 0s, start: 1s}\nsandbox: none\n",
    HEAD + "game: leaves\nformat: gauntlet\nchallengers: 2\nmax_faults: 9\n",
    HEAD + "game: leaves\nformat: swiss\nrounds: 2\nblocks: 3\non_timeout: published\n",
    HEAD + "game: leaves\nformat: knockout\nblocks: 2\nseeding: other\nmax_decisions: 50\n",
    HEAD + "game: leaves\nformat: ladder\nbatch: 4\nstop: {sigma: 2.5}\n",
    HEAD + "game: leaves\nformat: ladder\nrounds: 1\n",
    HEAD + "game: leaves\nanchor: {third: 1500}\n",
    HEAD + "game: leaves\nstop: {matches: 5}\nprocesses: reuse\n",
    "name: t\ngame: leaves\nbots: [random, greedy]\nstop: {sprt: {elo0: -5, elo1: 2.5}}\n",
    """\
name: t
game: leaves
clock: {move: 2s}
bots:
  - {name: a, bot: random, args: [--x, "1"], env: {K: v, A: b}, memory: 32MiB}
  - {name: b, bot: random, clock: {move: 1s}}
  - {name: c, bot: random, clock: {main: 10s, inc: 100ms, margin: 1ms}}
  - {name: d, bot: random, clock: {main: 10s, move: 2s}}
""",
]


def canonical_of(tournament: Tournament) -> dict[str, Any]:
    hashes = {bot.name: f"sha256:{number:064}" for number, bot in enumerate(tournament.bots)}
    versions = {game: load_game(game).rules_version for game in tournament.games}
    # as the store gives it back
    form: dict[str, Any] = json.loads(json.dumps(canonical(tournament, hashes, versions)))
    return form


def lines_of(tournament: Tournament) -> list[FileEntrant]:
    return [
        FileEntrant(bot.name, f"sha256:{number:064}", str(bot.ref))
        for number, bot in enumerate(tournament.bots)
    ]


@pytest.mark.parametrize("text", FILES, ids=range(len(FILES)))
def test_there_and_back(text: str) -> None:
    """What the store keeps gives the tournament; so does the file that a bundle has."""
    tournament = parse_tournament(text, "t.yaml", Path())
    form, lines = canonical_of(tournament), lines_of(tournament)
    found = kept_tournament("t", form, lines)
    assert found == replace(tournament, workers=found.workers)
    written = yaml.safe_dump(pinned(found, None))
    again = parse_tournament(written, "tournament.yaml", Path())
    assert canonical_of(again) == form


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 0},
        {"rounds": True},
        {"seed": "-1"},
        {"seed": "007"},
        {"games": {"leaves": "rules 1", "chess": "rules 1"}},
        {"games": {}},
        {"format": "swis"},
        {"memory": "1024KiB"},
        {"ponder": 0},
        {"opening": {"plies": True, "setups": None}},
        {"opening": {"plies": 0, "setups": "md5:0"}},
        {"clock": {"move": "1000 ms"}},
        {"stop": {"matches": None, "sigma": 2.5}},
        {"stop": {"matches": 0}},
        {"bots": {}},
        {"loud": True},
        *[{"anchor": it} for it in ({}, {"oak": 1500.0}, {"random": 1e9}, [["random", 1.0]], 5)],
        {"challengers": ["random"]},
    ],
    ids=str,
)
def test_what_no_tournament_says(change: dict[str, Any]) -> None:
    """A form that somebody made up, or wrote in another way, is refused."""
    tournament = parse_tournament(FILES[0], "t.yaml", Path())
    form = canonical_of(tournament)
    kept_tournament("t", form, lines_of(tournament))
    with pytest.raises(UsageError, match="no tournament file"):
        kept_tournament("t", form | change, lines_of(tournament))


def test_what_is_missing() -> None:
    """Each key counts."""
    tournament = parse_tournament(FILES[0], "t.yaml", Path())
    form = canonical_of(tournament)
    for key in form:
        with pytest.raises(UsageError, match="no tournament file"):
            kept_tournament("t", {k: v for k, v in form.items() if k != key}, lines_of(tournament))
