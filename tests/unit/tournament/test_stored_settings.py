"""Stored settings: a tournament is the same read from its file, the store or a bundle."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.tournament.change import difference, hash_of_setups
from arena.tournament.earlier import kept_now
from arena.tournament.kept import BESIDE, config_of, file_of, kept_tournament, pinned, read_kept
from arena.tournament.parse import parse_tournament
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
    # without a limit a move, which the tournament has, and without one a game
    HEAD.replace("bot: mcts", "bot: mcts, clock: {main: 10s}") + "game: leaves\n",
    HEAD.replace("bot: mcts", "bot: mcts, clock: {main: none, move: 1s, inc: 0s}")
    + "game: leaves\nclock: {main: 1m, inc: 1s, move: none}\n",
]


def kept_of(tournament: Tournament) -> dict[str, Any]:
    hashes = {bot.name: f"sha256:{bot.name}" for bot in tournament.bots}
    versions = {game: load_game(game).rules_version for game in tournament.games}
    # as the store gives it back
    form: dict[str, Any] = json.loads(json.dumps(config_of(tournament, hashes, versions)))
    return form


@pytest.mark.parametrize("text", FILES, ids=range(len(FILES)))
def test_stored_tournament_is_read_back(text: str) -> None:
    """A tournament is the same when read back from the store or from a bundle's file."""
    tournament = parse_tournament(text, "t.yaml", Path())
    form = kept_of(tournament)
    found = kept_tournament(form, form["programs"])
    assert {*found.bots} == {*tournament.bots}
    assert replace(found, bots=tournament.bots, workers=tournament.workers) == tournament
    assert kept_of(found) == form
    written = yaml.safe_dump(file_of(form))
    again = parse_tournament(written, "tournament.yaml", Path())
    assert kept_of(again) == form


@pytest.mark.parametrize(
    "change",
    [
        {"seed": "7"},
        {"games": ["leaves", "chess"], "rules": {"leaves": 1, "chess": 1}},
        {"games": ["leaves", "leaves(tree=u)"]},
        {"rules": {"leaves": True}},
        {"rules": {}},
        {"memory": "1024KiB"},
        {"opening": {"file": "setups.txt"}},
        {"opening": {"file": "../setups.txt"}, "setups": f"sha256:{0:064}"},
        {"setups": "md5:0"},
        {"setups": f"sha256:{0:064}"},
        {"clock": {"move": "1s"}},
        {"workers": 8},
        {"closed": 1},
        {"stop": {"matches": None, "sigma": 2.5}},
        {"bots": ["random", "greedy", "third"]},
        {"programs": {}},
        {"loud": True},
        *[{"anchor": it} for it in ({}, {"oak": 1500.0}, {"random": 1e9}, [["random", 1.0]], 5)],
    ],
    ids=str,
)
def test_forged_stored_tournament_is_refused(change: dict[str, Any]) -> None:
    """Stored settings that no tournament file can say are refused; see also mistakes.yaml."""
    tournament = parse_tournament(FILES[0], "t.yaml", Path())
    form = kept_of(tournament)
    kept_tournament(form, form["programs"])
    with pytest.raises(UsageError, match="no tournament file"):
        kept_tournament(form | change, form["programs"])


def test_setups_stand_in_no_stored_file() -> None:
    """A file names that of its setups, also if what it has instead is of the right hash."""
    form = kept_of(parse_tournament(FILES[0], "t.yaml", Path()))
    beside = form | {"setups": hash_of_setups("x")}
    with pytest.raises(UsageError, match="opening"):
        read_kept(file_of(form) | {"opening": {"setups": ["x"]}}, beside)


def test_missing_stored_key_has_its_default() -> None:
    """A stored key that an earlier version did not know has its default, if it may lack."""
    tournament = parse_tournament(FILES[0], "t.yaml", Path())
    form = kept_of(tournament)
    for key in form:
        lacking = {k: v for k, v in form.items() if k != key}
        if key in ("name", "games", "bots", *BESIDE):
            with pytest.raises(UsageError, match="no tournament file"):
                kept_tournament(lacking, form["programs"])
    lacking = {k: v for k, v in form.items() if k not in ("ponder", "max_faults")}
    assert kept_tournament(lacking, form["programs"]) == kept_tournament(form, form["programs"])
    assert difference(lacking, form).lines == ()
    changed = kept_of(replace(tournament, max_faults=9))
    assert difference(lacking, changed).lines == ("max_faults: 3 → 9",)


EARLIER = Path(__file__).with_name("shape_17.jsonl").read_text().splitlines()


@pytest.mark.parametrize("line", EARLIER, ids=range(len(EARLIER)))
def test_settings_stored_by_earlier_version_are_read(line: str) -> None:
    """Settings that an earlier version stored are read as the same file's are today."""
    case = json.loads(line)
    tournament = parse_tournament(case["file"], "t.yaml", Path())
    entrants = [(bot.name, str(bot.ref), 1, f"sha256:{bot.name}") for bot in tournament.bots]
    pairs = zip(tournament.bots, entrants, strict=True)
    bots = [pinned(bot, *entrant[1:]) for bot, entrant in pairs]
    now = kept_of(replace(tournament, bots=tuple(bots)))
    found = kept_now("t", case["config"], entrants)
    assert read_kept(file_of(found), found)[1] == now
    more = {"closed": True, "anchor": {"random": 1500.0}}
    assert kept_now("t", {**case["config"], **more}, entrants) == {**found, **more}
